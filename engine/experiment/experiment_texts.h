// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/failure.h"
#include "engine/config/json.h"

namespace slipstream {

/// Refuses texts inside `value` that are not UTF-8: the command line and the environment may hold any bytes, a run's
/// record may not. `path` is the key path of `value`.
void refuseForeignBytes(const Json& value, const std::string& path, Failures& failures);

/// Refuses a `name` of an experiment or a variant that is empty or longer than 200 characters. `path` is before
/// the key.
void checkName(const Json& object, const std::string& path, Failures& failures);

}  // namespace slipstream
