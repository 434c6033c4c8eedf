// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/dataset_kind.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/probe/dataset_files.h"
#include "engine/probe/image_folder.h"
#include "engine/probe/own_samples.h"

namespace slipstream {

namespace fs = std::filesystem;

const DatasetKind& digitsKind() {
  static const DatasetKind kind{
      .name = "digits",
      .summary = "generated",
      .generated = true,
      .fallback = "digits",
      .mean = mnistKind().mean,
      .deviation = mnistKind().deviation,
      .shape = mnistKind().shape,
      .discover = mnistKind().discover,
      .missing = [](const fs::path&, DataPart) { return std::vector<std::string>{}; },
      .inspect = [](const DatasetSpec& dataset) -> Result<SampleCounts> {
        return SampleCounts{dataset.trainSamples, dataset.evaluationSamples};
      },
      .state = [](const fs::path&) { return std::string(); },
  };
  return kind;
}

namespace {

/// What it is of, only the program knows; its numbers say how long an epoch is.
const DatasetKind& programKind() {
  static const DatasetKind kind{
      .name = "program",
      .summary = "the samples of a program of your own (network.program)",
      .generated = true,
      .ofProgram = true,
      .mean = {0},
      .deviation = {1},
      .shape =
          [](const DatasetSpec&) {
            return SampleShape{0, 0, 1};
          },
      .discover = [](DatasetSpec& dataset) { dataset.classes = 0; },
      .missing = [](const fs::path&, DataPart) { return std::vector<std::string>{}; },
      .inspect = [](const DatasetSpec& dataset) -> Result<SampleCounts> {
        return SampleCounts{dataset.trainSamples, dataset.evaluationSamples};
      },
      .state = [](const fs::path&) { return std::string(); },
  };
  return kind;
}

}  // namespace

const std::vector<const DatasetKind*>& datasetKinds() {
  static const std::vector<const DatasetKind*> kinds{
      &mnistKind(),        //
      &digitsKind(),       //
      &cifar10Kind(),      //
      &imageFolderKind(),  //
      &arraysKind(),       //
      &csvKind(),          //
      &textKind(),         //
      &programKind(),
  };
  return kinds;
}

std::vector<std::string> datasetNames() {
  std::vector<std::string> names;
  for (const DatasetKind* kind : datasetKinds()) names.push_back(kind->name);
  return names;
}

const DatasetKind* findDatasetKind(const std::string& name) {
  const auto found = std::ranges::find(datasetKinds(), name, [](const DatasetKind* kind) { return kind->name; });
  return found == datasetKinds().end() ? nullptr : *found;
}

const DatasetKind& kindOf(const DatasetSpec& dataset) {
  const DatasetKind* kind = findDatasetKind(dataset.name);
  if (kind == nullptr) throw Error("there is no data set called " + dataset.name);
  return *kind;
}

bool hasKey(const DatasetKind& kind, const std::string& name) {
  return std::ranges::any_of(kind.keys, [&](const DatasetKey& own) { return own.key.name == name; });
}

bool isDataPlace(const DatasetSpec& dataset, std::error_code& error) {
  const fs::path path(dataset.path);
  if (kindOf(dataset).mayBeFile && fs::is_regular_file(path, error)) return true;
  // Looks into it: a folder that may be seen may still be closed.
  return fs::is_directory(path / ".", error);
}

SampleShape sampleShape(const DatasetSpec& dataset) {
  return kindOf(dataset).shape(dataset);
}

std::string ownKeysText(const DatasetSpec& dataset) {
  DatasetSpec described = dataset;
  const Json keys = writeFields([&](Fields& fields) {
    for (const DatasetKey& own : kindOf(dataset).keys) own.describe(fields, own.key, described);
  });
  // Bytes that are not UTF-8 are refused elsewhere.
  return keys.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string stateOfFiles(const std::vector<fs::path>& files) {
  std::string state;
  for (const fs::path& file : files) {
    std::error_code error;
    state += fmt::format("{} {} {}\n", file.string(), fs::file_size(file, error),
                         fs::last_write_time(file, error).time_since_epoch().count());
  }
  return state;
}

Result<SampleCounts> inspectData(const DatasetSpec& dataset) {
  SLIPSTREAM_TRY(counts, kindOf(dataset).inspect(dataset));
  if (counts.training > 0 || counts.splitHash.empty()) return counts;
  return fail("dataset.evaluation_fraction", numberText(dataset.evaluationFraction), "leaves nothing to train on",
              "give a share below 1");
}

Result<SampleCounts> RememberedInspection::operator()(const DatasetSpec& dataset) {
  const DatasetKind& kind = kindOf(dataset);
  const std::string state =
      kind.reader == nullptr ? kind.state(dataset.path) : stateOfFiles(kind.reader->files(dataset));
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::string key = fmt::format("{}\n{}\n{} {} {} {}", dataset.name, dataset.path, dataset.trainSamples,
                                      dataset.evaluationFraction, dataset.splitSeed, ownKeysText(dataset));
  const auto found = seen_.find(key);
  if (found != seen_.end() && found->second.state == state) return found->second.counts;
  return seen_.insert_or_assign(key, Seen{state, inspectData(dataset)}).first->second.counts;
}

}  // namespace slipstream
