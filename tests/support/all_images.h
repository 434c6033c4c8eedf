// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

#include "engine/data/sample_source.h"

namespace slipstream::test {

/// Every image of a part as it is stored: nothing is cropped or flipped.
inline Images allImages(const PartContent& content, DatasetSpec spec) {
  spec.augment = false;
  const auto source = makeSource(content, spec, DataPart::training, 1);
  const auto reader = source->reader();
  const auto elements = static_cast<std::size_t>(source->shape().elements());
  const auto count = static_cast<std::size_t>(source->count());
  Images images{source->shape(), 10, std::vector<std::uint8_t>(count * elements), {}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto picture = std::span(images.pixels).subspan(i * elements, elements);
    const auto label = reader->read(static_cast<std::uint32_t>(i), {}, picture);
    if (!label) throw std::runtime_error("image " + std::to_string(i) + " cannot be read");
    images.labels.push_back(*label);
  }
  return images;
}

}  // namespace slipstream::test
