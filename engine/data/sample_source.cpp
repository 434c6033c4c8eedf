// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sample_source.h"

#include "engine/data/folder_source.h"
#include "engine/data/memory_source.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {

Result<std::int32_t> SampleReader::readFloats(std::uint32_t, std::span<float>) {
  throw Error("the samples are images, not floats");
}

std::int64_t bytesOf(const PartContent& content) {
  const auto* images = std::get_if<Images>(&content);
  if (images == nullptr) return 0;
  return std::ssize(images->pixels) + std::ssize(images->floats) * static_cast<std::int64_t>(sizeof(float));
}

Result<PartContent> loadPart(const DatasetSpec& spec, DataPart part, std::uint64_t seed) {
  if (kindOf(spec).imageFiles) {
    SLIPSTREAM_TRY(list,
                   listImages(spec, part, part == DataPart::training ? spec.trainSamples : spec.evaluationSamples));
    return PartContent(std::move(list));
  }
  SLIPSTREAM_TRY(images, loadImages(spec, part, seed));
  return PartContent(std::move(images));
}

std::unique_ptr<SampleSource> makeSource(const PartContent& content, const DatasetSpec& spec, DataPart part,
                                         std::uint64_t seed) {
  const bool augment = part == DataPart::training && spec.augment;
  if (const auto* list = std::get_if<ImageList>(&content)) return makeFolderSource(*list, spec, augment, seed);
  const auto& images = std::get<Images>(content);
  if (!images.floats.empty()) return makeFloatSource(images, spec);
  return makeMemorySource(images, augment && kindOf(spec).augments, seed);
}

}  // namespace slipstream
