// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/plan/data_files.h"

namespace slipstream {

/// The file of an idx data set in `folder`: STEM-idxN-ubyte or STEM.idxN-ubyte, plain or .gz; nothing where none is
/// there. `stem` is "train-images", `dimensions` the N.
std::optional<std::filesystem::path> idxFile(const std::filesystem::path& folder, const std::string& stem,
                                             int dimensions);

/// The files of a folder that are not there, as a user would look for them; empty where all four are.
std::vector<std::string> missingMnistFiles(const std::filesystem::path& folder);

/// Those of the four files that are there.
std::vector<std::filesystem::path> presentMnistFiles(const std::filesystem::path& folder);

/// Reads the four files through once: headers, lengths, equal counts, labels 0 to 9.
Result<SampleCounts> inspectMnist(const std::filesystem::path& folder);

}  // namespace slipstream
