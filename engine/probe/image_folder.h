// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/probe/dataset_kind.h"

namespace slipstream {

/// The images of one part of an image folder, CLASS/FILE each, sorted by class and name.
struct ImageList {
  struct File {
    std::string name;  ///< inside `folder`: CLASS/FILE
    std::int32_t label = 0;
    bool operator==(const File&) const = default;
  };
  std::filesystem::path folder;  ///< that the names below are inside of
  std::vector<std::string> classes;
  std::vector<File> files;
  std::string splitHash = {};  ///< of a part that was drawn (EvaluationSplit)
};

/// Names of the folder's classes in the order of their labels: the sub-folders of train, or of the folder itself where
/// it has no part, sorted by their bytes.
Result<std::vector<std::string>> imageClasses(const std::filesystem::path& folder);

/// Lists train/CLASS/*, or the same of the first folder of validation_preprocess, val and validation that is there:
/// files that end in .jpg, .jpeg or .png in any case. A folder without train has its classes itself. Where there is no
/// folder for evaluation, its images are drawn from them all (drawSplit). At most `most` (0: all), spread evenly over
/// the list. Fails where a class has no image or a folder inside it, or where evaluation has other classes than
/// training.
Result<ImageList> listImages(const DatasetSpec& dataset, DataPart part, std::int64_t most);

/// SHA-256 of the names of the files in the order in which they are trained.
std::string hashOfNames(const ImageList& list);

/// Images in a folder for each class, below a folder for each part.
const DatasetKind& imageFolderKind();

}  // namespace slipstream
