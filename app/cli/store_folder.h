#pragma once

#include <string>

#include "engine/base/failure.h"

namespace slipstream::cli {

/// The folder's whole path, without a slash at its end.
std::string wholeStoreFolder(const std::string& folder);

/// Whether a store is in the folder or can be made there: somebody's other files are no place for one.
Status fitForAStore(const std::string& folder);

}  // namespace slipstream::cli
