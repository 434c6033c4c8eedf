// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/mnist.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine/data/idx.h"
#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t side = 28;
constexpr std::int64_t classes = 10;
constexpr const char* namePlace =
    "name the folder by --set dataset.path=FOLDER, by dataset.path in the experiment file, or by the environment "
    "variable DATA_PATH";

/// The file that the plan has found too. `stem` is "train-images", `dimensions` 3 of images and 1 of labels.
Result<fs::path> findFile(const fs::path& folder, const std::string& stem, int dimensions) {
  if (const auto file = idxFile(folder, stem, dimensions)) return *file;
  const std::string name = fmt::format("{}-idx{}-ubyte", stem, dimensions);
  std::error_code unknown;
  if (fs::exists(folder / name, unknown)) return folder / name;  // its reader says what it is instead of a file
  return fail("dataset.path", folder.string(), "has no file " + name + ", plain or .gz", namePlace);
}

Status checkFolder(const fs::path& folder) {
  if (folder.empty()) return fail("dataset.path", "", "names no folder for the data set mnist", namePlace);
  std::error_code error;
  if (fs::is_directory(folder, error)) return {};
  return fail("dataset.path", folder.string(), "is no folder that can be read", namePlace);
}

Status checkImages(const fs::path& file, const IdxFile& images) {
  if (images.sizes[1] == side && images.sizes[2] == side) return {};
  return fail(file.string(), std::to_string(images.sizes[1]) + " x " + std::to_string(images.sizes[2]),
              "holds pictures of another size than 28 x 28", "put the pictures of MNIST there");
}

Status checkLabels(const fs::path& file, const IdxFile& labels, const fs::path& imageFile, std::int64_t images) {
  if (labels.sizes[0] != images) {
    return fail(file.string(), std::to_string(labels.sizes[0]),
                "has another number of labels than " + imageFile.filename().string() + " has pictures (" +
                    std::to_string(images) + ")",
                "put files there that belong together");
  }
  const auto wrong =
      std::find_if(labels.bytes.begin(), labels.bytes.end(), [](auto label) { return label >= classes; });
  if (wrong == labels.bytes.end()) return {};
  return fail(file.string(), std::to_string(*wrong),
              "has a label out of range 0 to 9 at position " + std::to_string(wrong - labels.bytes.begin()),
              "put the labels of MNIST there");
}

void keepFirst(Images& images, std::int64_t most) {
  if (most <= 0 || images.count() <= most) return;
  images.labels.resize(static_cast<std::size_t>(most));
  images.pixels.resize(static_cast<std::size_t>(most * images.shape.elements()));
}

}  // namespace

Result<Images> loadMnist(const DatasetSpec& spec, DataPart part) {
  const bool training = part == DataPart::training;
  const std::string stem = training ? "train" : "t10k";
  SLIPSTREAM_CHECK(checkFolder(spec.path));
  Failures failures;
  const auto imageFile = findFile(spec.path, stem + "-images", 3);
  const auto labelFile = findFile(spec.path, stem + "-labels", 1);
  collect(imageFile, failures);
  collect(labelFile, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));

  auto images = readIdx(*imageFile, 3);
  auto labels = readIdx(*labelFile, 1);
  collect(images, failures);
  collect(labels, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  collect(checkImages(*imageFile, *images), failures);
  collect(checkLabels(*labelFile, *labels, *imageFile, images->sizes[0]), failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));

  Images result{{side, side, 1}, classes, std::move(images->bytes), std::move(labels->bytes)};
  keepFirst(result, training ? spec.trainSamples : spec.evaluationSamples);
  return result;
}

}  // namespace slipstream
