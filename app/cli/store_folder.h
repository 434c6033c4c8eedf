// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace slipstream::cli {

/// The folder's whole path, without a slash at its end.
std::string wholeStoreFolder(const std::string& folder);

}  // namespace slipstream::cli
