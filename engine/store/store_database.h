// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "engine/store/database.h"

namespace slipstream {

/// store.db of a folder, for what reads or writes its tables.
Result<std::unique_ptr<Database>> openStoreDatabase(const std::filesystem::path& folder, StoreAccess access,
                                                    std::chrono::milliseconds lockTimeout = defaultLockTimeout);

}  // namespace slipstream
