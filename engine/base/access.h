// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>

#include "engine/base/failure.h"

namespace slipstream {

/// Whether the error of looking at a file or folder says no more than that there is none.
bool saysAbsent(const std::error_code& error);

/// What such an error means and what to do about it, in words; where this user may not enter a folder on the way, that
/// folder is named.
Failure accessFailure(const std::filesystem::path& path, const std::error_code& error);

}  // namespace slipstream
