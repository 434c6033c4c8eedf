// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/failure.h"

namespace slipstream {

/// Removes the file or folder `place` (relative, of plain names) under `folder`, with everything in it. No link below
/// `folder` is followed: one that is on the way is refused, one that is met inside is removed itself. What is not
/// there is no failure.
Status removeInside(const std::filesystem::path& folder, const std::filesystem::path& place);

}  // namespace slipstream
