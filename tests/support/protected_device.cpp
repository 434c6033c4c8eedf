// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/protected_device.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/error.h"

namespace slipstream::test {
namespace {

constexpr std::size_t addresses = std::size_t{16} << 30;

std::size_t wholePages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// The size of a huge page on x86-64 and most other processors. Where the system grants huge pages, memory is protected
/// by one entry of a page table instead of 512.
constexpr std::size_t hugePage = std::size_t{2} << 20;

std::byte* nextHugePage(std::byte* memory) {
  const auto beyond = reinterpret_cast<std::uintptr_t>(memory) % hugePage;
  return beyond == 0 ? memory : memory + (hugePage - beyond);
}

}  // namespace

/// A started copy that happens as late as it may: when done() is called for the third time, or when wait() is, so that
/// a caller who relies on an earlier end is found out. Copies that were started before it happen first.
class LateCopy final : public StartedCopy {
 public:
  using Line = std::shared_ptr<std::deque<LateCopy*>>;

  LateCopy(ProtectedMemory& memory, Line line, std::span<std::byte> to, std::span<const std::byte> from, bool inward)
      : memory_(memory), line_(std::move(line)), to_(to), from_(from), inward_(inward) {
    if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
    line_->push_back(this);
  }
  ~LateCopy() override { wait(); }
  LateCopy(const LateCopy&) = delete;
  LateCopy& operator=(const LateCopy&) = delete;

  bool done() override {
    if (--patience_ <= 0) wait();
    return ended_;
  }
  bool inward() const { return inward_; }
  void wait() override {
    while (!ended_) line_->front()->happen();
  }
  void happen() {
    line_->pop_front();
    ended_ = true;
    memory_.unlock();
    if (!to_.empty()) std::memcpy(to_.data(), from_.data(), to_.size());
    memory_.lock();
  }

 private:
  ProtectedMemory& memory_;
  Line line_;
  std::span<std::byte> to_;
  std::span<const std::byte> from_;
  bool inward_;
  int patience_ = 3;
  bool ended_ = false;
};

ProtectedMemory::ProtectedMemory(std::size_t room) : room_(room) {
  void* mapped = ::mmap(nullptr, addresses + hugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw Error("no memory for a locked device");
  mapped_ = static_cast<std::byte*>(mapped);
  pages_ = nextHugePage(mapped_);
  ::madvise(pages_, addresses, MADV_HUGEPAGE);
}

ProtectedMemory::~ProtectedMemory() {
  ::munmap(mapped_, addresses + hugePage);
}

std::byte* ProtectedMemory::take(std::size_t bytes) {
  if (taken() + bytes > room_) return nullptr;
  if (used_ + wholePages(bytes) > addresses) throw Error("a locked device has no addresses left");
  std::byte* memory = pages_ + used_;
  used_ += wholePages(bytes);
  blocks_.push_back({memory, bytes});
  ++takes_;
  if (unlocked_ > 0) protect(PROT_READ | PROT_WRITE);
  return memory;
}

void ProtectedMemory::giveBack(std::byte* memory) {
  const auto block = std::ranges::find(blocks_, memory, &Block::memory);
  if (block == blocks_.end()) throw Error("a block that was never taken is given back");
  ::madvise(block->memory, wholePages(block->bytes), MADV_DONTNEED);
  blocks_.erase(block);
}

void ProtectedMemory::clear(std::span<std::byte> memory) {
  unlock();
  std::ranges::fill(memory, std::byte{0});
  lock();
}

void ProtectedMemory::unlock() {
  if (unlocked_++ == 0) protect(PROT_READ | PROT_WRITE);
}

void ProtectedMemory::lock() {
  if (--unlocked_ == 0) protect(PROT_NONE);
}

std::size_t ProtectedMemory::taken() const {
  std::size_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.bytes;
  return bytes;
}

void ProtectedMemory::protect(int protection) {
  // Whole huge pages are protected, since the system splits one that has two protections into small pages.
  const std::size_t whole = (used_ + hugePage - 1) / hugePage * hugePage;
  if (::mprotect(pages_, whole, protection) != 0) throw Error("memory cannot be locked");
}

const DeviceKind& protectedKind() {
  static const DeviceKind kind{.name = "locked", .noun = "locked memory"};
  return kind;
}

ProtectedDevice::ProtectedDevice(MemoryMeter& meter, const DeviceKind& kind, std::size_t room)
    : kind_(kind),
      meter_(meter),
      raw_(new ProtectedMemory(room)),
      pool_(std::unique_ptr<RawMemory>(raw_), meter, kind.name),
      underWay_(std::make_shared<std::deque<LateCopy*>>()) {}

void ProtectedDevice::settle() {
  refuseWhileRecording("be waited for");
  while (!underWay_->empty()) underWay_->front()->happen();
}

void ProtectedDevice::settleInward() {
  const auto inward = [](const LateCopy* copy) { return copy->inward(); };
  while (std::ranges::any_of(*underWay_, inward)) underWay_->front()->happen();
}

void ProtectedDevice::copyWithin(std::span<std::byte> to, std::span<const std::byte> from) {
  const auto copy = [this, to, from] { LateCopy(*raw_, underWay_, to, from, true).wait(); };
  if (recording_ != nullptr) return recording_->push_back(copy);
  copy();
}

void ProtectedDevice::give(std::function<void()> kernel) {
  if (recording_ != nullptr) return recording_->push_back(std::move(kernel));
  const Unprotected unlocked(*this);
  kernel();
}

namespace {

/// The kernels that a device was given while it recorded, in that order.
class WrittenDown final : public RecordedWork {
 public:
  WrittenDown(ProtectedDevice& device, int& launches) : device_(device), launches_(launches) {}

  std::vector<std::function<void()>>& kernels() { return kernels_; }
  void launch() override {
    ++launches_;
    for (const auto& kernel : kernels_) device_.give(kernel);
  }

 private:
  ProtectedDevice& device_;
  int& launches_;
  std::vector<std::function<void()>> kernels_;
};

}  // namespace

std::unique_ptr<RecordedWork> ProtectedDevice::record(const std::function<void()>& work) {
  const RecordingScope scope;
  auto written = std::make_unique<WrittenDown>(*this, launches_);
  recording_ = &written->kernels();
  try {
    work();
  } catch (...) {
    recording_ = nullptr;
    throw;
  }
  recording_ = nullptr;
  ++recordings_;
  return written;
}

void ProtectedDevice::copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) {
  startCopyIn(deviceBytes, hostBytes)->wait();
}

void ProtectedDevice::copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) {
  startCopyOut(hostBytes, deviceBytes, nullptr)->wait();
}

namespace {

struct KernelCount final : public DevicePoint {
  explicit KernelCount(std::int64_t count) : kernels(count) {}
  std::int64_t kernels;
};

}  // namespace

std::unique_ptr<DevicePoint> ProtectedDevice::point() {
  refuseWhileRecording("mark a point");
  return std::make_unique<KernelCount>(kernels_);
}

std::unique_ptr<StartedCopy> ProtectedDevice::startCopyOut(std::span<std::byte> staging,
                                                           std::span<const std::byte> deviceBytes,
                                                           const DevicePoint* after) {
  refuseWhileRecording("start a copy to the host");
  if (after != nullptr) notWaitedFor_ += kernels_ - static_cast<const KernelCount&>(*after).kernels;
  return std::make_unique<LateCopy>(*raw_, underWay_, staging, deviceBytes, false);
}

std::unique_ptr<StartedCopy> ProtectedDevice::startCopyIn(std::span<std::byte> deviceBytes,
                                                          std::span<const std::byte> staging) {
  refuseWhileRecording("start a copy from the host");
  return std::make_unique<LateCopy>(*raw_, underWay_, deviceBytes, staging, true);
}

}  // namespace slipstream::test
