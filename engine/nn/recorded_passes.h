// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "engine/device/device.h"

namespace slipstream {

/// What the calls of a network's pass depend on, beside what is in the memory that they name: passes of equal keys
/// give a device the same calls. Addresses are null where the pass does not read from there.
struct PassKey {
  enum class Kind { evaluation, training, backward };

  Kind kind = Kind::evaluation;
  std::int64_t batch = 0;
  const void* input = nullptr;
  const void* weights = nullptr;
  const void* outputGradient = nullptr;
  const void* gradients = nullptr;
  bool accumulate = false;
  int firstTrainedLayer = 0;

  auto operator<=>(const PassKey&) const = default;
};

/// Passes of one network on a device that gains from recordings. The first pass of a key is given call by call, and
/// chooses kernels and takes memory; the second is recorded; from then on the recording is launched.
class RecordedPasses {
 public:
  explicit RecordedPasses(Device& device) : device_(device) {}

  /// `placement` counts how often memory that passes share has moved: older recordings are then of no use any more.
  /// Throws Error, with what was refused and a remedy, where `pass` cannot be recorded; it has not happened then.
  void run(const PassKey& key, std::uint64_t placement, const std::function<void()>& pass);

 private:
  std::unique_ptr<RecordedWork> record(const PassKey& key, const std::function<void()>& pass);

  Device& device_;
  std::uint64_t placement_ = 0;
  std::map<PassKey, std::unique_ptr<RecordedWork>> known_;  ///< null: it was given once
};

}  // namespace slipstream
