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

}  // namespace

void keepImages(RunPlan& plan, const std::vector<std::string>& classNames, const std::string& namesHash) {
  plan.classNames = classNames;
  plan.pictureNamesHash = namesHash;
  if (classNames.empty()) return;
  const std::string names = shown(classNames);
  const std::string count = std::to_string(classNames.size());
  if (classNames.size() > 1)
    return decide(plan, adjusted("classes", count, Reason::data, phrase("one a sub-folder: {}", {names})));
  decide(plan, warning(adjusted("classes", count, Reason::data,
                                phrase("nothing can be learned: train has the one sub-folder {}", {names})),
                       "put the images of each class into a sub-folder"));
}

Status checkClassNames(const RunPlan& plan, const DatasetSpec& dataset, const std::string& place) {
  if (plan.classNames.empty() || !isFolder(dataset)) return {};
  SLIPSTREAM_TRY(present, imageClasses(dataset.path));
  return compareClasses(plan, present, place, dataset.path,
                        "name a folder whose train has the same sub-folders, in both parts");
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
  SLIPSTREAM_TRY(list, listImages(dataset.path, DataPart::training, dataset.trainSamples));
  SLIPSTREAM_CHECK(checkContent(plan, list));
  return plan.allowDifferentBits ? Status() : checkFileNames(plan, list);
}

}  // namespace slipstream
