// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"

namespace slipstream {

/// The pictures of one part of an image folder, CLASS/FILE each, sorted by class and name.
struct PictureList {
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
Result<std::vector<std::string>> pictureClasses(const std::filesystem::path& folder);

/// Lists train/CLASS/*.jpg, or the same of the first folder of validation_preprocess, val and validation that is
/// there; .jpg and .jpeg in any case, other files are passed over. At most `most` (0: all), spread evenly over the
/// list. Fails where a class has no picture or a folder inside it, or where evaluation has other classes than training.
Result<PictureList> listPictures(const std::filesystem::path& folder, DataPart part, std::int64_t most);

/// What the folder itself lacks, in words; empty where both parts are there.
std::vector<std::string> missingPictureFolders(const std::filesystem::path& folder);

/// A text that changes whenever a picture comes or goes: times of the folders that hold them.
std::string pictureFolderState(const std::filesystem::path& folder);

}  // namespace slipstream
