// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "engine/device/device_queue.h"
#include "engine/spec/device_kind.h"

namespace slipstream {

/// What memory is for; the names are the store's and the forecast's. `gather` is what shards pass through while their
/// whole is needed.
enum class MemoryCategory { weights, gradients, optimizerState, gather, boost, activations, data };
inline constexpr std::array<std::string_view, 7> memoryCategoryNames{
    "weights", "gradients", "optimizer_state", "gather", "boost", "activations", "data"};

/// Counts the bytes a rank holds, by category. One a rank; thread-safe.
class MemoryMeter {
 public:
  using Bytes = std::array<std::int64_t, memoryCategoryNames.size()>;

  MemoryMeter() = default;
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;

  void add(MemoryCategory category, std::int64_t bytes);
  Bytes peak() const;

 private:
  mutable std::mutex mutex_;
  Bytes held_{};
  Bytes peak_{};
};

/// Counts memory that no device gave, for as long as it lives.
class CountedMemory {
 public:
  CountedMemory(MemoryMeter& meter, MemoryCategory category, std::int64_t bytes)
      : meter_(meter), category_(category), bytes_(bytes) {
    meter_.add(category_, bytes_);
  }
  ~CountedMemory() { meter_.add(category_, -bytes_); }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

 private:
  MemoryMeter& meter_;
  MemoryCategory category_;
  std::int64_t bytes_;
};

/// 64-byte aligned, zeroed memory of one device, counted by the meter until it is destroyed.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::span<std::byte> bytes() = 0;
  template <class T>
  std::span<T> as() {
    const auto raw = bytes();
    return {reinterpret_cast<T*>(raw.data()), raw.size() / sizeof(T)};
  }
};

/// A copy on its way between a device and staging memory. Both ends stay untouched until it has ended; destroying it
/// waits for that.
class StartedCopy {
 public:
  virtual ~StartedCopy() = default;
  virtual bool done() = 0;
  virtual void wait() = 0;
};

/// A place in what a device was given: behind all that came before it was asked for.
class DevicePoint {
 public:
  virtual ~DevicePoint() = default;
};

class PeerAccess;
class RecordedWork;

/// A device that a rank computes on (engine/devices lists them). Copies and kernels happen in the order in which they
/// are given, but for started copies outward, which run beside what comes later. A buffer may be destroyed while work
/// still uses it, unless that work is a started copy outward. One thread at a time.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceKind& kind() const = 0;
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes, MemoryCategory category) = 0;
  /// `hostBytes` may change as soon as it returns, where they are pageable, as all memory but allocateStaging's is: of
  /// a pinned source a short copy may still be read.
  virtual void copyIn(std::span<std::byte> deviceBytes, std::span<const std::byte> hostBytes) = 0;
  virtual void copyOut(std::span<std::byte> hostBytes, std::span<const std::byte> deviceBytes) = 0;
  virtual void synchronize() = 0;
  virtual MemoryMeter& memory() = 0;
  /// What kernels are started in; goes with the device.
  virtual DeviceQueue& queue() { return hostQueue(); }

  /// Whether the address lies in memory of this device that code of the host must not touch. Never where the device
  /// computes in the host's memory.
  virtual bool holds(const void* address) const;
  /// Whether it computes in the host's memory, so that nothing has to be copied for it.
  virtual bool usesHostMemory() const { return false; }
  /// Memory of the host that started copies need; the meter does not count it.
  virtual std::unique_ptr<Buffer> allocateStaging(std::size_t bytes);
  /// What the device was given so far; null where nothing of it is left to do.
  virtual std::unique_ptr<DevicePoint> point();
  /// Copies to (from) `staging`, part of what allocateStaging gave, beside the caller. Outward it comes behind `after`
  /// (null: behind all that the device was given so far), and beside what the device is given later; inward it is in
  /// order with everything.
  virtual std::unique_ptr<StartedCopy> startCopyOut(std::span<std::byte> staging,
                                                    std::span<const std::byte> deviceBytes,
                                                    const DevicePoint* after = nullptr);
  virtual std::unique_ptr<StartedCopy> startCopyIn(std::span<std::byte> deviceBytes,
                                                   std::span<const std::byte> staging);
  /// Both lie in the device's memory; `to` does not begin inside `from`.
  virtual void copyWithin(std::span<std::byte> to, std::span<const std::byte> from) = 0;
  /// A way into the memory of other ranks' devices (peer_access.h); null where there is none.
  virtual std::unique_ptr<PeerAccess> peerAccess();

  /// Whether work that comes back is done sooner from a recording than call by call.
  virtual bool gainsFromRecording() const { return false; }
  /// Writes down the kernels and copies within that `work` gives the device, none of which happens before the recording
  /// is launched (recording.h). They keep their addresses and arguments: what is to differ from launch to launch is
  /// in the device's memory, and that memory stays where it is. Let the work happen once before, so that it finds all
  /// that it needs: memory cannot be allocated in it, nothing copied to or from the host, nothing waited for. Throws
  /// Error that names the call which is not possible, and where a device does not record at all.
  virtual std::unique_ptr<RecordedWork> record(const std::function<void()>& work);
};

/// Whether a device is to record passes, where it gains from that.
enum class Recording { on, off };

/// Work that a device wrote down once (Device::record) and does as a whole, without being given its calls again.
class RecordedWork {
 public:
  virtual ~RecordedWork() = default;
  /// In order with everything that the device is given. May be destroyed while it is still being done.
  virtual void launch() = 0;
};

/// While it lives, this thread records.
class RecordingScope {
 public:
  RecordingScope();
  ~RecordingScope();
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;
};

/// Throws Error where this thread records: what was recorded would go on using memory that is somebody else's by then,
/// or values that were right only once. `call` is what cannot be done, as in "a device cannot `call`".
void refuseWhileRecording(std::string_view call);

/// A copy of values that lie in memory of the device or of the host.
std::vector<float> readValues(Device& device, std::span<const float> values);
std::vector<double> readValues(Device& device, std::span<const double> values);

/// Puts `from` in the place of `to`, in memory of the device or of the host; both are equally long.
void writeValues(Device& device, std::span<float> to, std::span<const float> from);
void writeValues(Device& device, std::span<double> to, std::span<const double> from);

}  // namespace slipstream
