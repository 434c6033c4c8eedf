// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/mnist.h"

#include <filesystem>
#include <span>
#include <vector>

#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

constexpr std::int64_t side = 28;
constexpr std::int64_t classes = 10;

Status checkFolder(const std::filesystem::path& folder) {
  constexpr const char* namePlace =
      "name the folder by --set dataset.path=FOLDER, by dataset.path in the experiment file, or by the environment "
      "variable DATA_PATH";
  if (folder.empty()) return fail("dataset.path", "", "names no folder for the data set mnist", namePlace);
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  return fail("dataset.path", folder.string(), "is no folder that can be read", namePlace);
}

template <class Value>
IdxSink appendTo(std::vector<Value>& all) {
  return [&all](std::span<const std::uint8_t> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); };
}

void keepFirst(Images& images, std::int64_t most) {
  if (most <= 0 || images.count() <= most) return;
  images.labels.resize(static_cast<std::size_t>(most));
  images.pixels.resize(static_cast<std::size_t>(most * images.shape.elements()));
}

}  // namespace

Result<Images> loadMnist(const DatasetSpec& spec, DataPart part) {
  SLIPSTREAM_CHECK(checkFolder(spec.path));
  Images result{{side, side, 1}, classes};
  const auto read = readMnist(spec.path, part, appendTo(result.pixels), appendTo(result.labels));
  if (!read) return tl::unexpected(read.error());
  const std::int64_t asked = part == DataPart::training ? spec.trainSamples : spec.evaluationSamples;
  keepFirst(result, asked);
  return result;
}

}  // namespace slipstream
