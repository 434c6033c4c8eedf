// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sample_source.h"

#include "engine/data/folder_source.h"
#include "engine/data/memory_source.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {

std::int64_t bytesOf(const PartContent& content) {
  const auto* images = std::get_if<Images>(&content);
  return images == nullptr ? 0 : std::ssize(images->pixels);
}

Result<PartContent> loadPart(const DatasetSpec& spec, DataPart part, std::uint64_t seed) {
  if (kindOf(spec).imageFiles) {
    SLIPSTREAM_TRY(
        list, listImages(spec.path, part, part == DataPart::training ? spec.trainSamples : spec.evaluationSamples));
    return PartContent(std::move(list));
  }
  SLIPSTREAM_TRY(images, loadImages(spec, part, seed));
  return PartContent(std::move(images));
}

std::unique_ptr<SampleSource> makeSource(const PartContent& content, const DatasetSpec& spec, DataPart part,
                                         std::uint64_t seed) {
  const bool augment = part == DataPart::training && spec.augment;
  if (const auto* list = std::get_if<ImageList>(&content)) return makeFolderSource(*list, spec, augment, seed);
  return makeMemorySource(std::get<Images>(content), augment && kindOf(spec).augments, seed);
}

}  // namespace slipstream
