// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/data_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/plan/cifar_files.h"
#include "engine/plan/image_folder.h"
#include "engine/plan/mnist_files.h"
#include "engine/plan/planned_pictures.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

/// Every sub-folder of an image folder's train is a class; the other sets show digits, or ten kinds of things.
constexpr std::int64_t usualClasses = 10;

Result<std::int64_t> countRecords(const fs::path& folder, DataPart part) {
  std::int64_t records = 0;
  Failures failures;
  for (const fs::path& file : cifarFiles(folder, part)) {
    const auto read = readCifar(file, [](std::uint8_t, std::span<const std::uint8_t>) {});
    if (collect(read, failures)) records += *read;
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return records;
}

Result<SampleCounts> inspectCifar(const fs::path& folder) {
  Failures failures;
  const auto training = countRecords(folder, DataPart::training);
  const auto evaluation = countRecords(folder, DataPart::evaluation);
  collect(training, failures);
  collect(evaluation, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return SampleCounts{*training, *evaluation};
}

/// Of the training pictures that `dataset` takes of them all.
Result<std::string> hashOfTaken(const PictureList& all, const DatasetSpec& dataset) {
  if (dataset.trainSamples == 0 || std::ssize(all.files) <= dataset.trainSamples) return hashOfNames(all);
  SLIPSTREAM_TRY(taken, listPictures(dataset.path, DataPart::training, dataset.trainSamples));
  return hashOfNames(taken);
}

Result<SampleCounts> inspectFolder(const DatasetSpec& dataset) {
  const fs::path folder = dataset.path;
  Failures failures;
  const auto training = listPictures(folder, DataPart::training, 0);
  const auto evaluation = listPictures(folder, DataPart::evaluation, 0);
  collect(training, failures);
  if (!evaluation) addOnce(failures, evaluation.error());
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  SLIPSTREAM_TRY(filesHash, hashOfTaken(*training, dataset));
  return SampleCounts{std::ssize(training->files), std::ssize(evaluation->files), training->classes, filesHash};
}

std::string stateOf(const DatasetSpec& dataset) {
  if (dataset.name == "image_folder") return pictureFolderState(dataset.path);
  std::vector<fs::path> files;
  if (dataset.name == "mnist") files = presentMnistFiles(dataset.path);
  for (const DataPart part : {DataPart::training, DataPart::evaluation}) {
    if (dataset.name != "cifar10") continue;
    const auto batches = cifarFiles(dataset.path, part);
    files.insert(files.end(), batches.begin(), batches.end());
  }
  std::string state;
  for (const fs::path& file : files) {
    std::error_code error;
    state += fmt::format("{} {} {}\n", file.string(), fs::file_size(file, error),
                         fs::last_write_time(file, error).time_since_epoch().count());
  }
  return state;
}

}  // namespace

bool readsFiles(const DatasetSpec& dataset) {
  return dataset.name != "digits";
}

std::vector<std::string> missingData(const DatasetSpec& dataset, DataPart part) {
  std::vector<std::string> missing;
  if (dataset.name == "mnist") missing = missingMnistFiles(dataset.path);
  if (dataset.name == "cifar10") missing = missingCifarFiles(dataset.path);
  if (dataset.name == "image_folder") return missingPictureFolders(dataset.path);
  const bool training = part == DataPart::training;
  std::erase_if(missing, [&](const std::string& name) {
    return !training && !name.starts_with("t10k") && !name.starts_with("test");
  });
  return missing;
}

std::int64_t countClasses(const DatasetSpec& dataset) {
  if (dataset.name != "image_folder") return usualClasses;
  if (dataset.path.empty()) return 0;
  const auto classes = pictureClasses(dataset.path);
  return classes ? std::ssize(*classes) : 0;
}

Result<SampleCounts> inspectData(const DatasetSpec& dataset) {
  if (dataset.name == "mnist") return inspectMnist(dataset.path);
  if (dataset.name == "cifar10") return inspectCifar(dataset.path);
  if (dataset.name == "image_folder") return inspectFolder(dataset);
  return SampleCounts{dataset.trainSamples, dataset.evaluationSamples};
}

Result<SampleCounts> RememberedInspection::operator()(const DatasetSpec& dataset) {
  const std::string state = stateOf(dataset);
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::tuple key(dataset.name, dataset.path, dataset.trainSamples);
  const auto found = seen_.find(key);
  if (found != seen_.end() && found->second.state == state) return found->second.counts;
  return seen_.insert_or_assign(key, Seen{state, inspectData(dataset)}).first->second.counts;
}

}  // namespace slipstream
