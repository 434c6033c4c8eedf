// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/npu_device.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/device/memory_pool.h"
#include "engine/device/opening_thread.h"
#include "engine/device/staged_copies.h"

namespace slipstream {
namespace {

constexpr std::size_t chunkBytes = std::size_t{4} << 20;
constexpr std::size_t chunkCount = 2;

void setDevice(int id) {
  const aclError result = aclLibrary().setDevice(id);
  if (result != acl::success) checkAcl(result, "select NPU " + std::to_string(id));
}

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

/// An NPU, of the thread that opened it.
class OpenedNpu {
 public:
  explicit OpenedNpu(int id) : id_(id) {}
  int id() const { return id_; }
  void select() const {
    opener_.refuseOthers(npuKind().name.c_str(), id_);
    setDevice(id_);
  }

 private:
  int id_;
  OpeningThread opener_;
};

class RuntimeMemory final : public RawMemory {
 public:
  RuntimeMemory(const OpenedNpu& npu, std::shared_ptr<NpuStreams> streams) : npu_(npu), streams_(std::move(streams)) {}

  std::byte* take(std::size_t bytes) override {
    npu_.select();
    void* memory = nullptr;
    const aclError result = aclLibrary().allocate(&memory, bytes, acl::hugePagesFirst);
    if (result == acl::noMemory) return nullptr;
    if (result != acl::success) checkAcl(result, "take " + sizeText(bytes) + " of NPU " + std::to_string(npu_.id()));
    return static_cast<std::byte*>(memory);
  }
  /// A failure of the device shows in the next call that may throw.
  void giveBack(std::byte* memory) override {
    aclLibrary().setDevice(npu_.id());
    streams_->settle();
    aclLibrary().free(memory);
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

class AclCopy final : public StartedCopy {
 public:
  AclCopy(AclEvent ended, std::shared_ptr<NpuStreams> streams)
      : ended_(std::move(ended)), streams_(std::move(streams)) {}
  /// A failure of the device shows in the next call that may throw.
  ~AclCopy() override {
    aclLibrary().synchronizeEvent(ended_.handle());
    streams_->retire(std::move(ended_));
  }
  AclCopy(const AclCopy&) = delete;
  AclCopy& operator=(const AclCopy&) = delete;

  bool done() override { return ended_.done(); }
  void wait() override { ended_.wait(); }

 private:
  AclEvent ended_;
  std::shared_ptr<NpuStreams> streams_;
};

class NpuDevice final : public Device {
 public:
  /// The NPU is selected.
  NpuDevice(const OpenedNpu& npu, MemoryMeter& meter)
      : npu_(npu),
        meter_(meter),
        streams_(std::make_shared<NpuStreams>()),
        pool_(std::make_unique<RuntimeMemory>(npu, streams_), meter, "npu:" + std::to_string(npu.id())),
        copies_(*this, chunkBytes, chunkCount),
        queue_(*this, npu.id(), streams_, [this] { pool_.trim(); }) {}

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
    const aclrtStream outward = streams_->outward.handle();
    if (after == nullptr) {
      AclPoint(streams_).event().holdBack(outward);
    } else {
      static_cast<const AclPoint&>(*after).event().holdBack(outward);
    }
    return std::make_unique<AclCopy>(copyOn(outward, staging, deviceBytes, acl::deviceToHost), streams_);
  }
  std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                           std::span<const std::byte> staging) override {
    refuseWhileRecording("start a copy from the host");
    npu_.select();
    const aclrtStream inward = streams_->inward.handle();
    AclPoint(streams_).event().holdBack(inward);
    AclEvent ended = copyOn(inward, deviceBytes, staging, acl::hostToDevice);
    ended.holdBack(work());
    return std::make_unique<AclCopy>(std::move(ended), streams_);
  }
  void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) override {
    npu_.select();
    copy(work(), to, from, acl::deviceToDevice);
  }

 private:
  aclrtStream work() const { return streams_->work.handle(); }

  void copy(aclrtStream stream, std::span<std::byte> to, std::span<const std::byte> from, int kind) const {
    if (to.size() != from.size()) throw Error("a copy between buffers of different sizes");
    if (to.empty()) return;
    const aclError result = aclLibrary().copy(to.data(), to.size(), from.data(), from.size(), kind, stream);
    if (result != acl::success) {
      checkAcl(result, "copy " + sizeText(from.size()) + " for NPU " + std::to_string(npu_.id()));
    }
  }
  /// Returns what is behind the copy.
  AclEvent copyOn(aclrtStream stream, std::span<std::byte> to, std::span<const std::byte> from, int kind) const {
    copy(stream, to, from, kind);
    AclEvent ended;
    ended.record(stream);
    return ended;
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
    setDevice(number);
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
