// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "engine/config/fields.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// How many samples there are to train with and to evaluate on, and what their classes are called.
struct SampleCounts {
  std::int64_t training = 0;
  std::int64_t evaluation = 0;
  std::vector<std::string> classNames = {};  ///< in the order of labels; empty where they have no names
  std::string filesHash = {};                ///< of the images that are trained (hashOfNames); empty of other sets
  std::string splitHash = {};                ///< SHA-256 of the numbers of the samples that were drawn to evaluate on
  std::vector<double> mean = {};             ///< measured in the training samples, where the kind has no usual one
  std::vector<double> deviation = {};
};

class OwnReader;

/// A key of the section `dataset` that means something for some kinds alone, each of which lists it. Its value is a
/// member of DatasetSpec.
struct DatasetKey {
  Key key;
  void (*describe)(Fields& fields, const Key& key, DatasetSpec& dataset) = nullptr;
};

/// One kind of data set: all that is known of it without its samples. A new kind is one such object in the list of
/// dataset_kind.cpp. Files of the user's own have an OwnReader (own_samples.h) and nothing else; what has a form of its
/// own, or is drawn, has a reader in engine/data/dataset.cpp.
struct DatasetKind {
  std::string name;         ///< as experiment files write it
  std::string summary;      ///< what its samples are, in a few words
  bool generated = false;   ///< samples are made, not read: there is no folder, and their numbers must be given
  bool ofProgram = false;   ///< a program of the user's own has the samples: nothing here reads any
  bool imageFiles = false;  ///< a sample is an image file of its own, listed at first and decoded while training
  bool augments = false;    ///< training images may be cropped and flipped at random
  bool mayBeFile = false;   ///< its path may name a single file
  bool splits = false;      ///< samples to evaluate on are drawn where the data has none of its own
  std::vector<DatasetKey> keys = {};
  std::string fallback = {};      ///< the kind that dataset.fallback may name in its place; empty: none
  std::string packedForms = {};   ///< in which other forms its files may be, to be put behind their names
  std::vector<double> mean = {};  ///< of the training images, a value a channel; empty: measured in each data set
  std::vector<double> deviation = {};
  /// From the specification alone: records of runs are read where the files are gone. What only files know is put into
  /// the specification while the experiment is read, as the number of classes is.
  SampleShape (*shape)(const DatasetSpec& dataset) = nullptr;
  /// Puts into the specification what only files know: the number of classes, and what own samples are. Classes are 0
  /// where the files cannot be read, of which inspect() tells.
  void (*discover)(DatasetSpec& dataset) = nullptr;
  /// The files or folders that a folder lacks, for people; empty where all that the part needs are there.
  std::vector<std::string> (*missing)(const std::filesystem::path& folder, DataPart part) = nullptr;
  /// Counts the samples, and fails where a run would fail on a file.
  Result<SampleCounts> (*inspect)(const DatasetSpec& dataset) = nullptr;
  /// A text that changes whenever files of the folder do; null where a reader names its files.
  std::string (*state)(const std::filesystem::path& folder) = nullptr;
  const OwnReader* reader = nullptr;  ///< of samples in files of the user's own form; null of the others
};

/// Digits drawn by the program, which have the shape and the statistics of MNIST.
const DatasetKind& digitsKind();
/// Every kind there is, in the order of the help.
const std::vector<const DatasetKind*>& datasetKinds();
std::vector<std::string> datasetNames();
/// The kind with this name; null where there is none.
const DatasetKind* findDatasetKind(const std::string& name);
/// Throws Error for a name that reading an experiment refuses.
const DatasetKind& kindOf(const DatasetSpec& dataset);

/// Whether the key is one of the kind's own.
bool hasKey(const DatasetKind& kind, const std::string& name);

/// Whether the path names a folder, or a file where the kind may be one.
bool isDataPlace(const DatasetSpec& dataset, std::error_code& error);

/// Input of one sample.
SampleShape sampleShape(const DatasetSpec& dataset);
/// What is written under the keys that are the kind's own, as JSON.
std::string ownKeysText(const DatasetSpec& dataset);
/// What changes whenever one of these files does: their sizes and times.
std::string stateOfFiles(const std::vector<std::filesystem::path>& files);

/// Counts the samples of a data set. Files of mnist and cifar10 are read through once (0.3 s for MNIST): a run that
/// starts after this does not fail on them. Images of a folder are listed, not opened.
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
  std::map<std::string, Seen> seen_;  ///< by everything that the counts depend on
};

}  // namespace slipstream
