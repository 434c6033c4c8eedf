// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t side = 28;
constexpr const char* namePlace =
    "name the folder by --set dataset.path=FOLDER, by dataset.path in the experiment file, or by the environment "
    "variable DATA_PATH";

std::string partStem(DataPart part, const char* kind) {
  return fmt::format("{}-{}", part == DataPart::training ? "train" : "t10k", kind);
}

Result<fs::path> findFile(const fs::path& folder, const std::string& stem, int dimensions) {
  if (auto file = idxFile(folder, stem, dimensions)) return std::move(*file);
  return fail("dataset.path", folder.string(),
              fmt::format("has no file {}-idx{}-ubyte, plain or .gz", stem, dimensions), namePlace);
}

Status checkSide(const fs::path& file, const std::vector<std::int64_t>& sizes) {
  if (sizes[1] == side && sizes[2] == side) return {};
  return fail(file.string(), fmt::format("{} x {}", sizes[1], sizes[2]), "holds images of another size than 28 x 28",
              "put the images of MNIST there");
}

/// Passes labels on, and remembers the first that is none.
class LabelCheck {
 public:
  explicit LabelCheck(const IdxSink& sink) : sink_(sink) {}

  void take(std::span<const std::uint8_t> labels) {
    const auto wrong = std::ranges::find_if(labels, [](std::uint8_t label) { return label > 9; });
    if (!wrong_ && wrong != labels.end()) wrong_.emplace(taken_ + (wrong - labels.begin()), *wrong);
    taken_ += std::ssize(labels);
    sink_(labels);
  }

  Status result(const fs::path& file) const {
    if (!wrong_) return {};
    return fail(file.string(), std::to_string(wrong_->second),
                fmt::format("has a label out of range 0 to 9 at position {}", wrong_->first),
                "put the labels of MNIST there");
  }

 private:
  const IdxSink& sink_;
  std::int64_t taken_ = 0;
  std::optional<std::pair<std::int64_t, int>> wrong_;  ///< its position and itself
};

Status checkCounts(const fs::path& labelFile, std::int64_t labels, const fs::path& imageFile, std::int64_t images) {
  if (labels == images) return {};
  return fail(
      labelFile.string(), std::to_string(labels),
      fmt::format("has another number of labels than the {} images of {}", images, imageFile.filename().string()),
      "put files there that belong together");
}

}  // namespace

Result<std::int64_t> readMnist(const fs::path& folder, DataPart part, const IdxSink& imageSink,
                               const IdxSink& labelSink) {
  Failures failures;
  const auto imageFile = findFile(folder, partStem(part, "images"), 3);
  const auto labelFile = findFile(folder, partStem(part, "labels"), 1);
  collect(imageFile, failures);
  collect(labelFile, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  LabelCheck check(labelSink);
  const auto images = readIdx(*imageFile, 3, imageSink);
  const auto labels = readIdx(*labelFile, 1, [&](std::span<const std::uint8_t> bytes) { check.take(bytes); });
  collect(images, failures);
  collect(labels, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  collect(checkSide(*imageFile, *images), failures);
  collect(checkCounts(*labelFile, labels->front(), *imageFile, images->front()), failures);
  collect(check.result(*labelFile), failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return images->front();
}

std::optional<fs::path> idxFile(const fs::path& folder, const std::string& stem, int dimensions) {
  const char* subFolder = stem.starts_with("train") ? "train" : "test";
  std::optional<fs::path> other;
  for (const fs::path& place : {folder, folder / subFolder}) {
    for (const char* separator : {"-", "."}) {
      for (const char* ending : {"", ".gz"}) {
        const auto path = place / fmt::format("{}{}idx{}-ubyte{}", stem, separator, dimensions, ending);
        std::error_code unknown;
        const auto status = fs::status(path, unknown);
        if (fs::is_regular_file(status)) return path;
        if (!other && fs::exists(status)) other = path;
      }
    }
  }
  return other;
}

namespace {

/// Training needs the files of both parts, for it evaluates too.
std::vector<std::string> missingMnistFiles(const fs::path& folder, DataPart needed) {
  std::vector<std::string> missing;
  for (const char* part : {"train", "t10k"}) {
    if (needed == DataPart::evaluation && part == std::string_view("train")) continue;
    if (!idxFile(folder, fmt::format("{}-images", part), 3))
      missing.push_back(fmt::format("{}-images-idx3-ubyte", part));
    if (!idxFile(folder, fmt::format("{}-labels", part), 1))
      missing.push_back(fmt::format("{}-labels-idx1-ubyte", part));
  }
  return missing;
}

Result<SampleCounts> inspectMnist(const DatasetSpec& dataset) {
  const IdxSink ignore = [](std::span<const std::uint8_t>) {};
  Failures failures;
  const auto training = readMnist(dataset.path, DataPart::training, ignore, ignore);
  const auto evaluation = readMnist(dataset.path, DataPart::evaluation, ignore, ignore);
  collect(training, failures);
  collect(evaluation, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return SampleCounts{*training, *evaluation};
}

std::vector<fs::path> presentMnistFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* part : {"train", "t10k"}) {
    for (const auto& [stem, dimensions] : {std::pair{"images", 3}, std::pair{"labels", 1}}) {
      const auto file = idxFile(folder, fmt::format("{}-{}", part, stem), dimensions);
      if (file) files.push_back(*file);
    }
  }
  return files;
}

}  // namespace

const DatasetKind& mnistKind() {
  static const DatasetKind kind{
      .name = "mnist",
      .summary = "idx files",
      .fallback = "digits",
      .packedForms = " (plain or .gz)",
      .mean = {0.1307},
      .deviation = {0.3081},
      .shape = [](const DatasetSpec&) -> SampleShape {
        return {28, 28, 1};
      },
      .discover = [](DatasetSpec& dataset) { dataset.classes = 10; },
      .missing = missingMnistFiles,
      .inspect = inspectMnist,
      .state = [](const fs::path& folder) { return stateOfFiles(presentMnistFiles(folder)); },
  };
  return kind;
}

}  // namespace slipstream
