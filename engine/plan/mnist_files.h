#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
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

/// inspectMnist that reads a folder once, and again only where one of its files has changed. For many threads.
class RememberedInspection {
 public:
  Result<MnistCounts> operator()(const std::filesystem::path& folder);

 private:
  struct Seen {
    std::string state;  ///< sizes and times of the files
    Result<MnistCounts> counts;
  };
  std::mutex mutex_;
  std::map<std::filesystem::path, Seen> seen_;
};

}  // namespace slipstream
