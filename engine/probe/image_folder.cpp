// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/image_folder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "engine/base/access.h"
#include "engine/base/characters.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/probe/evaluation_split.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 1> trainingFolders{"train"};
constexpr std::array<const char*, 3> evaluationFolders{"validation_preprocess", "val", "validation"};
constexpr const char* layout =
    "give a folder of train/CLASS/*.jpg (or *.png) and validation_preprocess/CLASS/*.jpg, or of CLASS/*.jpg";

tl::unexpected<Failures> unreadable(const fs::path& folder, const std::error_code& error) {
  return tl::unexpected(Failures{accessFailure(folder, error)});
}

/// Nothing where there is none; fails where nobody can tell.
Result<std::optional<fs::path>> folderOf(const fs::path& folder, DataPart part) {
  std::span<const char* const> names = evaluationFolders;
  if (part == DataPart::training) names = trainingFolders;
  for (const char* name : names) {
    const fs::path place = folder / name;
    std::error_code error;
    if (fs::is_directory(place, error)) return place;
    if (error && !saysAbsent(error)) return unreadable(place, error);
  }
  return std::nullopt;
}

/// Where the images of a part lie.
struct PartFolder {
  fs::path path;
  bool drawn = false;  ///< the folder holds those of both parts
};

/// A folder with neither part has its classes itself.
Result<PartFolder> partFolder(const fs::path& folder, DataPart part) {
  SLIPSTREAM_TRY(training, folderOf(folder, DataPart::training));
  SLIPSTREAM_TRY(evaluation, folderOf(folder, DataPart::evaluation));
  if (evaluation && !training) return fail("dataset.path", folder.string(), "lacks a folder train", layout);
  if (evaluation) return PartFolder{part == DataPart::training ? *training : *evaluation};
  return PartFolder{training.value_or(folder), true};
}

bool isPicture(const fs::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

bool isHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// Sorted names of the sub-folders.
Result<std::vector<std::string>> classesIn(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (!isHidden(at->path()) && at->is_directory(ignored)) names.push_back(at->path().filename().string());
  }
  if (error) return unreadable(folder, error);
  if (names.empty()) return fail(folder.string(), "", "has no sub-folder: each class is one", layout);
  std::ranges::sort(names);
  const auto strange = std::ranges::find_if_not(names, [](const std::string& name) { return isUtf8(name); });
  if (strange != names.end()) {
    return fail(folder.string(), printable(*strange), "holds bytes that are not UTF-8",
                "rename the folder in every part");
  }
  return names;
}

/// Sorted names of the images of one class.
Result<std::vector<std::string>> picturesIn(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (isHidden(at->path())) continue;
    if (at->is_directory(ignored)) {
      return fail(at->path().string(), "", "is a folder inside a class: images are right in their class", layout);
    }
    if (isPicture(at->path())) names.push_back(at->path().filename().string());
  }
  if (error) return unreadable(folder, error);
  if (names.empty()) {
    return fail(folder.string(), "", "holds no image: no file ends in .jpg, .jpeg or .png",
                "put images there, or remove the folder in every part");
  }
  std::ranges::sort(names);
  return names;
}

Status checkClasses(const fs::path& training, const fs::path& evaluation, const std::vector<std::string>& ofTraining,
                    const std::vector<std::string>& ofEvaluation) {
  const auto lacking = [](const std::vector<std::string>& all, const std::vector<std::string>& some) {
    std::vector<std::string> names;
    std::ranges::set_difference(all, some, std::back_inserter(names));
    return names;
  };
  Failures failures;
  const auto refuse = [&](const fs::path& folder, const fs::path& other, const std::vector<std::string>& names) {
    if (names.empty()) return;
    constexpr std::size_t shown = 5;
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), shown)));
    failures.push_back(
        {folder.string(), join(first, ", ") + (names.size() > shown ? ", ..." : ""),
         fmt::format("lacks {} that {} has", names.size() == 1 ? "a class" : countText(std::ssize(names)) + " classes",
                     other.filename().string()),
         "give both parts the same sub-folders"});
  };
  refuse(evaluation, training, lacking(ofTraining, ofEvaluation));
  refuse(training, evaluation, lacking(ofEvaluation, ofTraining));
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

/// `most` of them, as far apart in the list as can be.
void thin(std::vector<ImageList::File>& files, std::int64_t most) {
  const std::int64_t count = std::ssize(files);
  if (most <= 0 || count <= most) return;
  for (std::int64_t i = 0; i < most; ++i) {
    std::swap(files[static_cast<std::size_t>(i)], files[static_cast<std::size_t>(i * count / most)]);
  }
  files.resize(static_cast<std::size_t>(most));
}

/// Who cannot tell has a failure of its own, of listing.
bool hasSubFolder(const fs::path& folder) {
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (!isHidden(at->path()) && at->is_directory(ignored)) return true;
  }
  return static_cast<bool>(error);
}

std::vector<std::string> missingFolders(const fs::path& folder, DataPart) {
  const auto training = folderOf(folder, DataPart::training);
  const auto evaluation = folderOf(folder, DataPart::evaluation);
  if (!training || !evaluation || *training) return {};
  if (*evaluation || !hasSubFolder(folder)) return {"a folder train"};
  return {};
}

/// Every image of a folder of classes.
Result<ImageList> listAll(const fs::path& folder, std::vector<std::string> classes) {
  Failures failures;
  ImageList list{folder, std::move(classes), {}};
  for (std::size_t label = 0; label < list.classes.size(); ++label) {
    const auto names = picturesIn(folder / list.classes[label]);
    if (!collect(names, failures)) continue;
    for (const std::string& name : *names) {
      list.files.push_back({list.classes[label] + "/" + name, static_cast<std::int32_t>(label)});
    }
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return list;
}

/// Leaves those that the split gives to the part.
Status keepPart(const DatasetSpec& dataset, DataPart part, ImageList& list) {
  SLIPSTREAM_TRY(split, drawSplit(dataset, std::ssize(list.files)));
  std::size_t sample = 0;
  std::erase_if(list.files,
                [&](const ImageList::File&) { return split.evaluates[sample++] != (part == DataPart::evaluation); });
  list.splitHash = split.hash;
  return {};
}

}  // namespace

Result<std::vector<std::string>> imageClasses(const fs::path& folder) {
  SLIPSTREAM_TRY(training, partFolder(folder, DataPart::training));
  return classesIn(training.path);
}

Result<ImageList> listImages(const DatasetSpec& dataset, DataPart part, std::int64_t most) {
  const fs::path folder = dataset.path;
  SLIPSTREAM_TRY(place, partFolder(folder, part));
  SLIPSTREAM_TRY(classes, imageClasses(folder));
  if (part == DataPart::evaluation && !place.drawn) {
    SLIPSTREAM_TRY(own, classesIn(place.path));
    SLIPSTREAM_CHECK(checkClasses(folder / "train", place.path, classes, own));
  }
  SLIPSTREAM_TRY(list, listAll(place.path, std::move(classes)));
  if (place.drawn) SLIPSTREAM_CHECK(keepPart(dataset, part, list));
  thin(list.files, most);
  return list;
}

std::string hashOfNames(const ImageList& list) {
  Sha256 sum;
  for (const ImageList::File& file : list.files) {
    const std::string line = file.name + "\n";
    sum.add(std::as_bytes(std::span(line)));
  }
  return sum.text();
}

namespace {

std::string stateOfFolder(const fs::path& folder) {
  std::string state;
  for (const DataPart part : {DataPart::training, DataPart::evaluation}) {
    const auto place = partFolder(folder, part);
    if (!place) continue;
    std::vector<fs::path> folders{place->path};
    if (const auto classes = classesIn(place->path)) {
      for (const std::string& name : *classes) folders.push_back(place->path / name);
    }
    for (const fs::path& one : folders) {
      std::error_code error;
      state += fmt::format("{} {}\n", one.string(), fs::last_write_time(one, error).time_since_epoch().count());
    }
  }
  return state;
}

/// Of the training images that `dataset` takes of them all.
Result<std::string> hashOfTaken(const ImageList& all, const DatasetSpec& dataset) {
  if (dataset.trainSamples == 0 || std::ssize(all.files) <= dataset.trainSamples) return hashOfNames(all);
  SLIPSTREAM_TRY(taken, listImages(dataset, DataPart::training, dataset.trainSamples));
  return hashOfNames(taken);
}

Result<SampleCounts> inspectFolder(const DatasetSpec& dataset) {
  Failures failures;
  const auto training = listImages(dataset, DataPart::training, 0);
  const auto evaluation = listImages(dataset, DataPart::evaluation, 0);
  collect(training, failures);
  if (!evaluation) addOnce(failures, evaluation.error());
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  SLIPSTREAM_TRY(filesHash, hashOfTaken(*training, dataset));
  return SampleCounts{std::ssize(training->files), std::ssize(evaluation->files), training->classes, filesHash,
                      training->splitHash};
}

void countFolders(DatasetSpec& dataset) {
  dataset.classes = 0;
  if (dataset.path.empty()) return;
  if (const auto classes = imageClasses(dataset.path)) dataset.classes = std::ssize(*classes);
}

}  // namespace

const DatasetKind& imageFolderKind() {
  static const DatasetKind kind{
      .name = "image_folder",
      .summary = "train/CLASS/*.jpg or .png, and validation_preprocess/CLASS/* (or val, validation), or CLASS/*",
      .imageFiles = true,
      .augments = true,
      .splits = true,
      .mean = {0.485, 0.456, 0.406},
      .deviation = {0.229, 0.224, 0.225},
      .shape = [](const DatasetSpec& dataset) -> SampleShape {
        return {dataset.imageSize, dataset.imageSize, 3};
      },
      .discover = countFolders,
      .missing = missingFolders,
      .inspect = inspectFolder,
      .state = stateOfFolder,
  };
  return kind;
}

}  // namespace slipstream
