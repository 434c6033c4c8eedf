// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu_device.h"

#include <cstring>
#include <new>

#include <sys/mman.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr std::size_t largePage = std::size_t{2} << 20;

/// Of memory of that size. Networks stream through their large buffers, with fewer misses where the kernel may use
/// large pages for them, which it does for whole ones only.
std::align_val_t alignmentFor(std::size_t bytes) {
  return std::align_val_t{bytes >= largePage ? largePage : std::size_t{64}};
}

std::byte* allocateZeroed(std::size_t bytes) {
  auto* memory = static_cast<std::byte*>(::operator new(bytes, alignmentFor(bytes)));
  // Where it is refused, pages stay small.
  if (bytes >= largePage) static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
  std::memset(memory, 0, bytes);
  return memory;
}

class CpuBuffer final : public Buffer {
 public:
  CpuBuffer(std::size_t bytes, MemoryCategory category, MemoryMeter& meter)
      : data_(allocateZeroed(bytes)), size_(bytes), category_(category), meter_(meter) {
    meter_.add(category_, static_cast<std::int64_t>(size_));
  }
  ~CpuBuffer() override {
    meter_.add(category_, -static_cast<std::int64_t>(size_));
    ::operator delete(data_, alignmentFor(size_));
  }
  CpuBuffer(const CpuBuffer&) = delete;
  CpuBuffer& operator=(const CpuBuffer&) = delete;

  std::span<std::byte> bytes() override { return {data_, size_}; }

 private:
  std::byte* data_;
  std::size_t size_;
  MemoryCategory category_;
  MemoryMeter& meter_;
};

void copyBytes(std::span<std::byte> to, std::span<const std::byte> from) {
  if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
  if (!from.empty()) std::memmove(to.data(), from.data(), from.size());
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(MemoryMeter& meter) : meter_(meter) {}
  const DeviceKind& kind() const override { return cpuKind(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    return std::make_unique<CpuBuffer>(bytes, category, meter_);
  }
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    copyBytes(deviceBytes, hostBytes);
  }
  bool usesHostMemory() const override { return true; }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    copyBytes(hostBytes, deviceBytes);
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override { copyOut(to, from); }
  void synchronize() override {}
  MemoryMeter& memory() override { return meter_; }

 private:
  MemoryMeter& meter_;
};

}  // namespace

std::unique_ptr<Device> openCpuDevice(MemoryMeter& meter) {
  return std::make_unique<CpuDevice>(meter);
}

}  // namespace slipstream
