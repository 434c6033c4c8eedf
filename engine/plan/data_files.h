// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "engine/plan/experiment.h"

namespace slipstream {

/// How many samples there are to train with and to evaluate on, and what their classes are called.
struct SampleCounts {
  std::int64_t training = 0;
  std::int64_t evaluation = 0;
  std::vector<std::string> classNames = {};  ///< in the order of labels; empty where they have no names
  std::string filesHash = {};                ///< of the pictures that are trained (hashOfNames); empty of other sets
};

/// Whether the set is read from files of a folder.
bool readsFiles(const DatasetSpec& dataset);

/// The files or folders of the data set that its folder lacks, in words; empty where all that `part` needs are there.
std::vector<std::string> missingData(const DatasetSpec& dataset, DataPart part);

/// Classes of the data set; 0 where its folder cannot be looked at. Reads no file.
std::int64_t countClasses(const DatasetSpec& dataset);

/// Counts the samples of a data set. Files of mnist and cifar10 are read through once (0.3 s for MNIST): a run that
/// starts after this does not fail on them. Pictures of a folder are listed, not opened.
Result<SampleCounts> inspectData(const DatasetSpec& dataset);

/// inspectData that looks at a folder once, and again only where a file has changed. For many threads.
class RememberedInspection {
 public:
  Result<SampleCounts> operator()(const DatasetSpec& dataset);

 private:
  struct Seen {
    std::string state;  ///< sizes and times of the files
    Result<SampleCounts> counts;
  };
  std::mutex mutex_;
  std::map<std::tuple<std::string, std::string, std::int64_t>, Seen> seen_;  ///< by name, folder and limit
};

}  // namespace slipstream
