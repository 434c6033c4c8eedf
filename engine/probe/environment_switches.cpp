// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/environment_switches.h"

#include "engine/base/files.h"

namespace slipstream {
namespace {

Result<bool> isOn(const char* variable) {
  const auto text = environment(variable);
  if (!text || *text == "on") return true;
  if (*text == "off") return false;
  return fail(variable, *text, "is neither on nor off", "give one of these, or unset it");
}

}  // namespace

Result<bool> recordsPasses() {
  return isOn(recordingVariable);
}

Result<bool> mayUseMatrixUnit() {
  return isOn(matrixUnitVariable);
}

Status switchesAreValid() {
  Failures failures;
  collect(recordsPasses(), failures);
  collect(mayUseMatrixUnit(), failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream
