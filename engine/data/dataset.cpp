// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/dataset.h"

#include <algorithm>
#include <array>

#include "engine/data/cifar10.h"
#include "engine/data/digits.h"
#include "engine/data/mnist.h"
#include "engine/data/own_data.h"
#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

/// How the images of a kind of data set come into memory. Kinds whose samples are image files have no such reader.
struct ImageReader {
  const DatasetKind& (*kind)();
  Result<Images> (*load)(const DatasetSpec& spec, DataPart part, std::uint64_t seed);
};

Result<Images> loadDigits(const DatasetSpec& spec, DataPart part, std::uint64_t seed) {
  SLIPSTREAM_TRY(images, roomForDigits(spec, part));
  drawDigits(images, 0, images.labels.size(), part, seed);
  return images;
}

constexpr std::array<ImageReader, 3> readers{{
    {mnistKind, [](const DatasetSpec& spec, DataPart part, std::uint64_t) { return loadMnist(spec, part); }},
    {cifar10Kind, [](const DatasetSpec& spec, DataPart part, std::uint64_t) { return loadCifar10(spec, part); }},
    {digitsKind, loadDigits},
}};

}  // namespace

Result<Images> loadImages(const DatasetSpec& spec, DataPart part, std::uint64_t seed) {
  const DatasetKind* kind = findDatasetKind(spec.name);
  const auto reads = [kind](const ImageReader& reader) { return &reader.kind() == kind; };
  const auto reader = std::ranges::find_if(readers, reads);
  if (reader != readers.end()) return reader->load(spec, part, seed);
  if (kind != nullptr && kind->reader != nullptr) return loadOwnData(spec, part);
  return fail("dataset.name", spec.name, "is no data set of images in memory", "name one of dataset.name");
}

}  // namespace slipstream
