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
  std::filesystem::path folder;  ///< train, validation_preprocess, val or validation
  std::vector<std::string> classes;
  std::vector<File> files;
};

/// Names of the folder's classes in the order of their labels: the sub-folders of train, sorted by their bytes.
Result<std::vector<std::string>> imageClasses(const std::filesystem::path& folder);

/// Lists train/CLASS/*.jpg, or the same of the first folder of validation_preprocess, val and validation that is
/// there; .jpg, .jpeg and .png in any case, other files are passed over. At most `most` (0: all), spread evenly over
/// the list. Fails where a class has no image or a folder inside it, or where evaluation has other classes than
/// training.
Result<ImageList> listImages(const std::filesystem::path& folder, DataPart part, std::int64_t most);

/// SHA-256 of the names of the files in the order in which they are trained.
std::string hashOfNames(const ImageList& list);

/// Images in a folder for each class, below a folder for each part.
const DatasetKind& imageFolderKind();

}  // namespace slipstream
