// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/npu/layers.h"

namespace slipstream {

/// The images that windows move over, and these windows for an operator. Ascend's operators pad both sides alike:
/// where one side is to have more (`pad_mode` same), the images are padded into scratch memory first, and the
/// operator pads nothing.
class PaddedImages {
 public:
  PaddedImages(const LayerSpec& spec, SampleShape input);

  bool isEven() const { return rows_.before == rows_.after && columns_.before == columns_.after; }
  NumbersOfNpu window() const { return numbers({kernel_, kernel_}); }
  NumbersOfNpu stride() const { return numbers({stride_, stride_}); }
  /// What the operator is to pad: rows, columns.
  NumbersOfNpu padding() const;
  SampleShape shape() const { return padded_; }
  /// Bytes of scratch memory for a batch.
  std::int64_t bytes(std::int64_t batch, NumberType type) const;

  /// The images as the operator is to read them: themselves, or those in `scratch`, with `value` around.
  ValuesView read(NpuOperators& operators, ConstActivation input, std::int64_t batch, float value,
                  std::byte* scratch) const;
  /// Where the operator is to write the gradient of what it read.
  ValuesView written(Activation gradient, std::int64_t batch, std::byte* scratch) const;
  /// Takes the gradient of the images out of that of the padded ones.
  void deliver(NpuOperators& operators, Activation gradient, std::int64_t batch, const std::byte* scratch) const;

 private:
  std::int64_t kernel_;
  std::int64_t stride_;
  SampleShape input_;
  Padding rows_;
  Padding columns_;
  SampleShape padded_;
};

}  // namespace slipstream
