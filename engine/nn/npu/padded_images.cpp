// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/padded_images.h"

namespace slipstream {

PaddedImages::PaddedImages(const LayerSpec& spec, SampleShape input)
    : kernel_(spec.kernel),
      stride_(spec.stride),
      input_(input),
      rows_(paddingOf(spec, input.height)),
      columns_(paddingOf(spec, input.width)),
      padded_(input) {
  if (isEven()) return;
  padded_.height += rows_.before + rows_.after;
  padded_.width += columns_.before + columns_.after;
}

NumbersOfNpu PaddedImages::padding() const {
  if (!isEven()) return numbers({0, 0});
  return numbers({rows_.before, columns_.before});
}

std::int64_t PaddedImages::bytes(std::int64_t batch, NumberType type) const {
  return isEven() ? 0 : batch * padded_.elements() * bytesOf(type);
}

ValuesView PaddedImages::read(NpuOperators& operators, ConstActivation input, std::int64_t batch, float value,
                              std::byte* scratch) const {
  const ValuesView images = imagesOf(input, batch, input_);
  if (isEven()) return images;
  const ValuesView padded = imagesOf(images.type, scratch, batch, padded_);
  const auto around = numbers({columns_.before, columns_.after, rows_.before, rows_.after});
  operators.give(aclnnLibrary().pad, images, around, scalar(value), padded);
  return padded;
}

ValuesView PaddedImages::written(Activation gradient, std::int64_t batch, std::byte* scratch) const {
  if (isEven()) return imagesOf(gradient, batch, input_);
  return imagesOf(aclnnType(gradient.type()), scratch, batch, padded_);
}

void PaddedImages::deliver(NpuOperators& operators, Activation gradient, std::int64_t batch,
                           const std::byte* scratch) const {
  if (isEven()) return;
  const std::int64_t before = (rows_.before * padded_.width + columns_.before) * padded_.channels;
  ValuesView inside = imagesOf(aclnnType(gradient.type()), scratch + before * bytesOf(gradient.type()), batch, padded_);
  inside.sizes = {batch, input_.channels, input_.height, input_.width};
  operators.copy(imagesOf(gradient, batch, input_), inside);
}

}  // namespace slipstream
