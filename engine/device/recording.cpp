// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "engine/base/error.h"
#include "engine/device/device.h"

namespace slipstream {
namespace {

/// A device belongs to one thread at a time, and several threads may have one each.
thread_local bool records = false;

}  // namespace

RecordingScope::RecordingScope() {
  refuseWhileRecording("record");
  records = true;
}

RecordingScope::~RecordingScope() {
  records = false;
}

void refuseWhileRecording(std::string_view call) {
  if (records) throw Error("while work is recorded, a device cannot " + std::string(call));
}

}  // namespace slipstream
