// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/npu_device.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/device/memory_pool.h"
#include "engine/device/staged_copies.h"
#include "engine/npu/copy_alignment.h"

namespace slipstream {
namespace {

/// A short copy takes a chunk for itself, so that there are some: many short ones follow each other (tables of
/// kernels).
constexpr std::size_t chunkBytes = std::size_t{1} << 20;
constexpr std::size_t chunkCount = 8;

/// Selects other devices for this thread, and the one that it had again in the end.
class OtherDevices {
 public:
  OtherDevices() : had_(aclLibrary().getDevice(&device_) == acl::success) {}
  ~OtherDevices() {
    if (had_) aclLibrary().setDevice(device_);
  }
  OtherDevices(const OtherDevices&) = delete;
  OtherDevices& operator=(const OtherDevices&) = delete;

 private:
  std::int32_t device_ = 0;
  bool had_;
};

class RuntimeMemory final : public RawMemory {
 public:
  RuntimeMemory(const OpenedNpu& npu, std::shared_ptr<NpuStreams> streams) : npu_(npu), streams_(std::move(streams)) {}

  std::byte* take(std::size_t bytes) override {
    npu_.select();
    void* memory = nullptr;
    const aclError result = aclLibrary().allocate(&memory, bytes, acl::hugePagesFirst);
    if (result == acl::noMemory) return nullptr;
    if (result != acl::success)
      checkAcl(result, "take " + sizeText(bytes) + " of NPU " + std::to_string(npu_.number()));
    return static_cast<std::byte*>(memory);
  }
  /// A failure of the device shows in the next call that may throw.
  void giveBack(std::byte* memory) override {
    aclLibrary().setDevice(npu_.number());
    if (streams_->settle()) aclLibrary().free(memory);
  }
  void clear(std::span<std::byte> memory) override {
    npu_.select();
    checkAcl(aclLibrary().set(memory.data(), memory.size(), 0, memory.size(), streams_->work.handle()), "clear memory");
  }
  Capacity capacity() override {
    Capacity capacity;
    npu_.select();
    checkAcl(aclLibrary().memoryInfo(acl::deviceMemory, &capacity.free, &capacity.total), "ask for the free memory");
    return capacity;
  }

 private:
  OpenedNpu npu_;
  std::shared_ptr<NpuStreams> streams_;
};

class PinnedByAcl final : public Buffer {
 public:
  explicit PinnedByAcl(std::size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    const aclError result = aclLibrary().allocateHost(&data_, bytes);
    if (result != acl::success) checkAcl(result, "pin " + sizeText(bytes) + " of the host's memory");
    std::fill_n(static_cast<std::byte*>(data_), bytes, std::byte{0});
  }
  ~PinnedByAcl() override {
    if (data_ != nullptr) aclLibrary().freeHost(data_);
  }
  PinnedByAcl(const PinnedByAcl&) = delete;
  PinnedByAcl& operator=(const PinnedByAcl&) = delete;

  std::span<std::byte> bytes() override { return {static_cast<std::byte*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_;
};

/// The memory through which a copy went that the runtime could not do by itself (copy_alignment.h).
struct Detour {
  std::unique_ptr<Buffer> device = {};
  std::unique_ptr<Buffer> host = {};
  std::span<std::byte> destination = {};  ///< of the last bytes in `host`, on the host
};

class AclCopy final : public StartedCopy {
 public:
  AclCopy(AclEvent ended, std::shared_ptr<NpuStreams> streams, Detour detour)
      : ended_(std::move(ended)), streams_(std::move(streams)), detour_(std::move(detour)) {}
  /// A failure of the device shows in the next call that may throw.
  ~AclCopy() override {
    if (streams_->settle(ended_)) {
      deliver();
    } else {
      leave();
    }
    streams_->retire(std::move(ended_));
  }
  AclCopy(const AclCopy&) = delete;
  AclCopy& operator=(const AclCopy&) = delete;

  bool done() override {
    const bool ended = ended_.done();
    if (ended) deliver();
    return ended;
  }
  void wait() override {
    ended_.wait();
    deliver();
  }

 private:
  void deliver() {
    if (detour_.destination.empty()) return;
    std::ranges::copy(detour_.host->bytes().last(detour_.destination.size()), detour_.destination.begin());
    detour_.destination = {};
  }
  /// A copy that may still run uses the memory to the end of the process.
  void leave() {
    static_cast<void>(detour_.device.release());
    static_cast<void>(detour_.host.release());
  }

  AclEvent ended_;
  std::shared_ptr<NpuStreams> streams_;
  Detour detour_;
};

class NpuDevice final : public Device {
 public:
  /// The NPU is selected.
  NpuDevice(const OpenedNpu& npu, MemoryMeter& meter)
      : npu_(npu),
        meter_(meter),
        streams_(std::make_shared<NpuStreams>()),
        pool_(std::make_unique<RuntimeMemory>(npu, streams_), meter, "npu:" + std::to_string(npu.number())),
        copies_(*this, chunkBytes, chunkCount),
        queue_(*this, npu, streams_) {}

  const DeviceKind& kind() const override { return npuKind(); }
  AclQueue& queue() override { return queue_; }

  std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) override {
    return pool_.allocate(bytes, category);
  }
  /// The runtime copies beside the caller from pinned memory only, so that all goes through some.
  void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) override {
    copies_.copyIn(deviceBytes, hostBytes);
  }
  void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) override {
    copies_.copyOut(hostBytes, deviceBytes);
  }
  void synchronize() override {
    refuseWhileRecording("be waited for");
    npu_.select();
    streams_->synchronize();
  }
  MemoryMeter& memory() override { return meter_; }

  bool holds(const void* address) const override { return pool_.holds(address); }
  std::unique_ptr<Buffer> allocateStaging(std::size_t bytes) override {
    refuseWhileRecording("pin memory of the host");
    npu_.select();
    return std::make_unique<PinnedByAcl>(bytes);
  }
  std::unique_ptr<DevicePoint> point() override {
    refuseWhileRecording("mark a point");
    npu_.select();
    return std::make_unique<AclPoint>(streams_);
  }
  std::unique_ptr<StartedCopy> startCopyOut(std::span<std::byte> staging, std::span<const std::byte> deviceBytes,
                                            const DevicePoint* after) override {
    refuseWhileRecording("start a copy to the host");
    npu_.select();
    if (after == nullptr) {
      AclPoint(streams_).event().holdBack(outward());
    } else {
      static_cast<const AclPoint&>(*after).event().holdBack(outward());
    }
    if (areAligned(staging, deviceBytes)) {
      copy(outward(), staging, deviceBytes, acl::deviceToHost);
      return started(outward(), {});
    }
    return outwardByDetour(staging, deviceBytes);
  }
  std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                           std::span<const std::byte> staging) override {
    refuseWhileRecording("start a copy from the host");
    npu_.select();
    AclPoint(streams_).event().holdBack(inward());
    if (areAligned(deviceBytes, staging)) {
      copy(inward(), deviceBytes, staging, acl::hostToDevice);
      return startedInward({});
    }
    return inwardByDetour(deviceBytes, staging);
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override {
    queue_.copyOn(streams_->work.handle(), to, from);
  }

 private:
  aclrtStream outward() const { return streams_->outward.handle(); }
  aclrtStream inward() const { return streams_->inward.handle(); }

  static bool areAligned(std::span<const std::byte> one, std::span<const std::byte> other) {
    return beforeAligned(one.data()) == 0 && beforeAligned(other.data()) == 0;
  }

  void copy(aclrtStream stream, std::span<std::byte> to, std::span<const std::byte> from, int kind) const {
    if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
    if (to.empty()) return;
    const aclError result = aclLibrary().copy(to.data(), to.size(), from.data(), from.size(), kind, stream);
    if (result != acl::success) {
      checkAcl(result, "copy " + sizeText(from.size()) + " for NPU " + std::to_string(npu_.number()));
    }
  }
  std::unique_ptr<StartedCopy> started(aclrtStream stream, Detour detour) const {
    AclEvent ended;
    ended.record(stream);
    return std::make_unique<AclCopy>(std::move(ended), streams_, std::move(detour));
  }
  /// What the device is given later comes behind the copy.
  std::unique_ptr<StartedCopy> startedInward(Detour detour) const {
    AclEvent ended;
    ended.record(inward());
    ended.holdBack(streams_->work.handle());
    return std::make_unique<AclCopy>(std::move(ended), streams_, std::move(detour));
  }

  /// With the bytes before them, back to where a copy may begin, into memory of the host from which they are taken when
  /// they have arrived.
  std::unique_ptr<StartedCopy> outwardByDetour(std::span<std::byte> staging, std::span<const std::byte> deviceBytes) {
    if (staging.size() != deviceBytes.size()) throw Error("a copy between buffers of different sizes");
    const std::size_t before = beforeAligned(deviceBytes.data());
    const std::span from(deviceBytes.data() - before, before + deviceBytes.size());
    Detour detour{.host = allocateStaging(from.size()), .destination = staging};
    copy(outward(), detour.host->bytes(), from, acl::deviceToHost);
    return started(outward(), std::move(detour));
  }
  /// With the bytes before them, back to where a copy may begin, into memory of the device from which a kernel takes
  /// them to their place.
  std::unique_ptr<StartedCopy> inwardByDetour(std::span<std::byte> deviceBytes, std::span<const std::byte> staging) {
    if (staging.size() != deviceBytes.size()) throw Error("a copy between buffers of different sizes");
    const std::size_t before = beforeAligned(staging.data());
    const std::span from(staging.data() - before, before + staging.size());
    Detour detour{.device = allocate(from.size(), MemoryCategory::data)};
    // The buffer was cleared on the working stream.
    AclPoint(streams_).event().holdBack(inward());
    copy(inward(), detour.device->bytes(), from, acl::hostToDevice);
    queue_.copyOn(inward(), deviceBytes, detour.device->bytes().subspan(before));
    return startedInward(std::move(detour));
  }

  OpenedNpu npu_;
  MemoryMeter& meter_;
  std::shared_ptr<NpuStreams> streams_;
  MemoryPool pool_;
  StagedCopies copies_;  ///< goes before the streams that its copies are on
  AclQueue queue_;
};

Result<int> visibleNpus() {
  const auto& library = findAcl();
  if (!library) return tl::unexpected(library.error());
  std::uint32_t count = 0;
  const aclError found = library->deviceCount(&count);
  if (found == acl::success && count > 0) return static_cast<int>(count);
  const std::string reason = found == acl::success ? "none is visible" : "error " + std::to_string(found);
  return fail("device", npuKind().name, "no NPU can be used: " + reason, "check the driver with npu-smi info");
}

}  // namespace

Result<std::vector<Npu>> listNpus() {
  SLIPSTREAM_TRY(count, visibleNpus());
  const OtherDevices others;
  std::vector<Npu> npus;
  for (int number = 0; number < count; ++number) {
    selectNpu(number);
    std::size_t free = 0;
    std::size_t total = 0;
    checkAcl(aclLibrary().memoryInfo(acl::deviceMemory, &free, &total), "ask for the memory of an NPU");
    const char* model = aclLibrary().socName();
    npus.push_back({number, model == nullptr ? "unknown model" : model, static_cast<std::int64_t>(total)});
  }
  return npus;
}

Result<std::unique_ptr<Device>> openNpuDevice(int id, MemoryMeter& meter) {
  SLIPSTREAM_TRY(count, visibleNpus());
  if (id < 0 || id >= count) {
    return fail("device", "npu:" + std::to_string(id), "there is no NPU of this number",
                "use 0 to " + std::to_string(count - 1) + ", or check ASCEND_RT_VISIBLE_DEVICES");
  }
  const OpenedNpu npu(id);
  npu.select();
  return std::make_unique<NpuDevice>(npu, meter);
}

AclQueue& aclQueueOf(Device& device) {
  auto* queue = dynamic_cast<AclQueue*>(&device.queue());
  if (queue == nullptr) throw Error("the device " + device.kind().name + " has no queue of Ascend's runtime");
  return *queue;
}

}  // namespace slipstream
