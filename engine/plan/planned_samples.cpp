// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/plan/planned_files.h"
#include "engine/plan/resolve.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/own_samples.h"

namespace slipstream {
namespace {

constexpr const char* remedy = "put the folder back as it was, or start a new run";

bool isFolder(const DatasetSpec& dataset) {
  return kindOf(dataset).imageFiles;
}

/// Up to ten names.
std::string shown(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::vector<std::string> first(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  if (names.size() > most) first.emplace_back("...");
  return printable(join(first, ", "));
}

std::string countOfClasses(const std::vector<std::string>& names) {
  return names.size() == 1 ? "1 class" : countText(std::ssize(names)) + " classes";
}

/// Both are sorted, each name once: the first of one that the other has not.
std::string firstDifference(const std::vector<std::string>& planned, const std::vector<std::string>& present) {
  std::size_t at = 0;
  while (at < planned.size() && at < present.size() && planned[at] == present[at]) ++at;
  const bool lacks = at == present.size() || (at < planned.size() && planned[at] < present[at]);
  return lacks ? fmt::format("lacks the class {}", printable(planned[at]))
               : fmt::format("has a class {}", printable(present[at]));
}

Status compareClasses(const RunPlan& plan, const std::vector<std::string>& present, const std::string& place,
                      const std::string& folder, const std::string& what) {
  const std::vector<std::string>& planned = plan.classNames;
  if (planned.empty() || planned == present) return {};
  return fail(place, folder,
              fmt::format("{}, but the run was planned with {} ({}): a label would mean another class",
                          firstDifference(planned, present), countOfClasses(planned), shown(planned)),
              what);
}

Result<std::vector<std::string>> classNamesOf(const DatasetSpec& dataset) {
  if (isFolder(dataset)) return imageClasses(dataset.path);
  if (kindOf(dataset).reader == nullptr) return std::vector<std::string>{};
  SLIPSTREAM_TRY(facts, ownFacts(dataset));
  return std::move(facts.classNames);
}

void sayClasses(RunPlan& plan) {
  if (plan.classNames.empty()) return;
  const std::string names = shown(plan.classNames);
  const std::string count = std::to_string(plan.classNames.size());
  const bool folders = isFolder(plan.experiment.dataset);
  if (plan.classNames.size() > 1) {
    const Text why = folders ? phrase("one a sub-folder: {}", {names}) : phrase("as the labels name them: {}", {names});
    return decide(plan, adjusted("classes", count, Reason::data, why));
  }
  if (!folders) {
    return decide(plan, warning(adjusted("classes", count, Reason::data,
                                         phrase("nothing can be learned: all labels are {}", {names})),
                                "give samples of other classes too"));
  }
  decide(plan, warning(adjusted("classes", count, Reason::data,
                                phrase("nothing can be learned: train has the one sub-folder {}", {names})),
                       "put the images of each class into a sub-folder"));
}

void saySplit(RunPlan& plan, const SampleCounts& samples) {
  if (samples.splitHash.empty()) return;
  const DatasetSpec& dataset = plan.experiment.dataset;
  const std::string all = countText(samples.training + samples.evaluation);
  const OwnReader* reader = kindOf(dataset).reader;
  const Text why =
      reader != nullptr && reader->isSequence()
          ? phrase("the data has no part to evaluate on: the last ones of {} are (dataset.evaluation_fraction)", {all})
          : phrase(
                "the data has no part to evaluate on: drawn from {} by dataset.split_seed {} (SHA-256 of their "
                "numbers {})",
                {all, std::to_string(dataset.splitSeed), samples.splitHash});
  decide(plan, adjusted("evaluation", counted(samples.evaluation, "sample"), Reason::data, why));
}

/// A few numbers, or how many there are.
std::string valuesText(const std::vector<double>& values) {
  constexpr std::size_t shownValues = 4;
  if (values.size() > shownValues) return counted(std::ssize(values), "value");
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.4g}", value));
  return join(texts, ", ");
}

void takeMeasures(RunPlan& plan, const SampleCounts& samples) {
  DatasetSpec& dataset = plan.experiment.dataset;
  if (samples.mean.empty() || (!dataset.mean.empty() && !dataset.deviation.empty())) return;
  if (dataset.mean.empty()) dataset.mean = samples.mean;
  if (dataset.deviation.empty()) dataset.deviation = samples.deviation;
  decide(plan, adjusted("normalization", "measured", Reason::data,
                        phrase("in the training samples: mean {}, deviation {}",
                               {valuesText(dataset.mean), valuesText(dataset.deviation)})));
}

}  // namespace

void keepSamples(RunPlan& plan, const SampleCounts& samples) {
  plan.classNames = samples.classNames;
  plan.pictureNamesHash = samples.filesHash;
  sayClasses(plan);
  saySplit(plan, samples);
  takeMeasures(plan, samples);
}

Status checkClassNames(const RunPlan& plan, const DatasetSpec& dataset, const std::string& place) {
  if (plan.classNames.empty()) return {};
  SLIPSTREAM_TRY(present, classNamesOf(dataset));
  return compareClasses(plan, present, place, dataset.path,
                        isFolder(dataset) ? "name a folder whose train has the same sub-folders, in both parts"
                                          : "name data with the same classes");
}

Status checkContent(const RunPlan& plan, const ImageList& training) {
  const std::string folder = training.folder.string();
  SLIPSTREAM_CHECK(compareClasses(plan, training.classes, "dataset.path", folder, remedy));
  if (std::ssize(training.files) == plan.trainSamples) return {};
  return fail("dataset.path", folder,
              fmt::format("has {} images, but the run was planned with {}", training.files.size(), plan.trainSamples),
              remedy);
}

Status checkFileNames(const RunPlan& plan, const ImageList& training) {
  if (plan.pictureNamesHash.empty() || hashOfNames(training) == plan.pictureNamesHash) return {};
  return fail("dataset.path", training.folder.string(),
              "has images of other names than the run was planned with: the run would end with other bits",
              std::string(remedy) + ", or accept it with --allow-different-bits");
}

Status checkPlannedImages(const RunPlan& plan) {
  const DatasetSpec& dataset = plan.experiment.dataset;
  if (plan.classNames.empty() || !isFolder(dataset)) return {};
  SLIPSTREAM_TRY(list, listImages(dataset, DataPart::training, dataset.trainSamples));
  SLIPSTREAM_CHECK(checkContent(plan, list));
  return plan.allowDifferentBits ? Status() : checkFileNames(plan, list);
}

}  // namespace slipstream
