// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/recording_setting.h"

#include "engine/base/files.h"

namespace slipstream {

Result<bool> recordsPasses() {
  const auto text = environment(recordingVariable);
  if (!text || *text == "on") return true;
  if (*text == "off") return false;
  return fail(recordingVariable, *text, "is neither on nor off", "give one of these, or unset it");
}

}  // namespace slipstream
