// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/failure.h"

namespace slipstream {

struct StoreCheck {
  std::size_t runs = 0;
  std::size_t checkpoints = 0;
  Failures problems;
};

/// Reads everything that a store holds: the database's own structure, the checksum of every metric chunk, every tensor
/// of every checkpoint against its hash. Fails where the store cannot be opened at all.
Result<StoreCheck> verifyStore(const std::filesystem::path& folder);

}  // namespace slipstream
