// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/probe/dataset_kind.h"

namespace slipstream {

/// The file of an idx data set in `folder`: STEM-idxN-ubyte or STEM.idxN-ubyte, plain or .gz; nothing where none is
/// there. `stem` is "train-images", `dimensions` the N.
std::optional<std::filesystem::path> idxFile(const std::filesystem::path& folder, const std::string& stem,
                                             int dimensions);

/// MNIST in its four files: headers, lengths, equal counts and labels 0 to 9 are checked.
const DatasetKind& mnistKind();

}  // namespace slipstream
