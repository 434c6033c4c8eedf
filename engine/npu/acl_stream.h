// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "engine/device/device.h"
#include "engine/npu/acl_library.h"

namespace slipstream {

/// Whether an exception has begun to unwind this thread since this was made. Work that waits for other ranks may never
/// end then: nothing waits for it without limit, and what it uses is left to the end of the process.
class Unwinding {
 public:
  bool begun() const { return std::uncaught_exceptions() > before_; }

 private:
  int before_ = std::uncaught_exceptions();
};

/// Work of one stream runs in order, different streams side by side. Of the NPU that this thread has selected.
class AclStream {
 public:
  AclStream() { checkAcl(aclLibrary().createStream(&stream_), "make a stream"); }
  ~AclStream() {
    if (!unwinding_.begun()) aclLibrary().destroyStream(stream_);
  }
  AclStream(const AclStream&) = delete;
  AclStream& operator=(const AclStream&) = delete;

  aclrtStream handle() const { return stream_; }
  void synchronize() const { checkAcl(aclLibrary().synchronizeStream(stream_), "wait for a stream"); }
  /// In a destructor: whether its work has ended, for which it waits a few seconds where an exception unwinds.
  bool settle() const noexcept;

 private:
  Unwinding unwinding_;
  aclrtStream stream_ = nullptr;
};

/// A place in a stream's work, for which other streams and the host wait. Recorded once.
class AclEvent {
 public:
  AclEvent() { checkAcl(aclLibrary().createEvent(&event_), "make an event"); }
  ~AclEvent() {
    if (event_ != nullptr && !unwinding_.begun()) aclLibrary().destroyEvent(event_);
  }
  AclEvent(AclEvent&& other) noexcept : unwinding_(other.unwinding_), event_(std::exchange(other.event_, nullptr)) {}
  AclEvent(const AclEvent&) = delete;
  AclEvent& operator=(const AclEvent&) = delete;

  aclrtEvent handle() const { return event_; }
  void record(aclrtStream stream) { checkAcl(aclLibrary().recordEvent(event_, stream), "record an event"); }
  /// What `stream` is given from now on runs after what the event was recorded behind.
  void holdBack(aclrtStream stream) const {
    checkAcl(aclLibrary().streamWaitEvent(stream, event_), "let a stream wait for an event");
  }
  bool done() const {
    int status = 0;
    checkAcl(aclLibrary().queryEvent(event_, &status), "ask an event");
    return status == acl::eventComplete;
  }
  void wait() const { checkAcl(aclLibrary().synchronizeEvent(event_), "wait for an event"); }
  /// In a destructor: whether it was passed, for which it waits a few seconds where an exception unwinds.
  bool settle() const noexcept;

 private:
  Unwinding unwinding_;
  aclrtEvent event_ = nullptr;
};

/// The streams of one NPU. Kernels, copies inside and what the device does in order are on `work`; started copies run
/// beside it. An event must not go while a stream has not passed it, so that those of the device end here.
class NpuStreams {
 public:
  NpuStreams() = default;
  ~NpuStreams();
  NpuStreams(const NpuStreams&) = delete;
  NpuStreams& operator=(const NpuStreams&) = delete;

  AclStream work;
  AclStream outward;
  AclStream inward;

  void synchronize();
  /// In a destructor: whether all work, or what the event was recorded behind, has ended. Where an exception unwinds,
  /// it waits for that a few seconds in all.
  bool settle() noexcept;
  bool settle(const AclEvent& event) noexcept;
  /// Destroys the event when all streams have passed what they were given so far. A failure of the device shows in the
  /// next call that may throw.
  void retire(AclEvent event) noexcept;

 private:
  struct Retired {
    std::vector<AclEvent> events;
    std::vector<AclEvent> fences;  ///< one a stream, behind all that may wait for the events
  };
  void fence();
  void dropPassed();

  std::vector<AclEvent> fresh_;  ///< retired since the last fence
  std::deque<Retired> fenced_;
  bool stuck_ = false;  ///< once, work failed, or did not end in time while an exception unwound
};

/// In what the working stream of a device was given.
class AclPoint final : public DevicePoint {
 public:
  explicit AclPoint(std::shared_ptr<NpuStreams> streams) : streams_(std::move(streams)) {
    reached_.record(streams_->work.handle());
  }
  ~AclPoint() override { streams_->retire(std::move(reached_)); }
  AclPoint(const AclPoint&) = delete;
  AclPoint& operator=(const AclPoint&) = delete;
  const AclEvent& event() const { return reached_; }

 private:
  std::shared_ptr<NpuStreams> streams_;
  AclEvent reached_;
};

}  // namespace slipstream
