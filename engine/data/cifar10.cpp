// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cifar10.h"

#include <filesystem>

#include "engine/probe/dataset_files.h"

namespace slipstream {
namespace {

/// Three planes become pixels of three values.
void append(Images& images, std::uint8_t label, std::span<const std::uint8_t> planes) {
  const std::size_t plane = planes.size() / 3;
  for (std::size_t i = 0; i < plane; ++i) {
    for (std::size_t channel = 0; channel < 3; ++channel) images.pixels.push_back(planes[channel * plane + i]);
  }
  images.labels.push_back(label);
}

}  // namespace

Result<Images> loadCifar10(const DatasetSpec& spec, DataPart part) {
  const auto files = cifarFiles(spec.path, part);
  if (files.empty()) {
    return fail("dataset.path", spec.path,
                part == DataPart::training ? "has no file data_batch_*.bin" : "has no file test_batch.bin",
                "name the folder of CIFAR-10's binary version, plain or .gz");
  }
  const std::int64_t limit = part == DataPart::training ? spec.trainSamples : spec.evaluationSamples;
  Images images{{32, 32, 3}, 10};
  for (const auto& file : files) {
    const auto read = readCifar(file, [&](std::uint8_t label, std::span<const std::uint8_t> planes) {
      if (limit == 0 || images.count() < limit) append(images, label, planes);
    });
    if (!read) return tl::unexpected(read.error());
  }
  return images;
}

}  // namespace slipstream
