#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// The file of an idx data set in `folder`: STEM-idxN-ubyte or STEM.idxN-ubyte, plain or .gz; nothing where none is
/// there. `stem` is "train-images", `dimensions` the N.
std::optional<std::filesystem::path> idxFile(const std::filesystem::path& folder, const std::string& stem,
                                             int dimensions);

struct MnistCounts {
  std::int64_t training = 0;
  std::int64_t evaluation = 0;
};

/// The files of a folder that are not there, as a user would look for them; empty where all four are.
std::vector<std::string> missingMnistFiles(const std::filesystem::path& folder);

/// Reads the four files through once (0.3 s for MNIST): headers, lengths, equal counts, labels 0 to 9. A run that
/// starts after this does not fail on its data.
Result<MnistCounts> inspectMnist(const std::filesystem::path& folder);

}  // namespace slipstream
