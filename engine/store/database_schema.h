// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/base/failure.h"
#include "engine/store/database.h"

namespace slipstream {

/// Whether a file of this version holds our tables as we make them and nothing that acts by itself. A trigger, a view
/// in place of a table or a column that is computed would run whatever a stranger wrote into it as soon as the file is
/// read.
Status checkSchema(Database& database, const std::filesystem::path& file, const DatabaseKind& kind,
                   std::int64_t version);

}  // namespace slipstream
