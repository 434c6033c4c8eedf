// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace slipstream {

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

}  // namespace slipstream
