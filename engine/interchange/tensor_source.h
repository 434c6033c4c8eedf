// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/interchange/element_type.h"

namespace slipstream {

/// One named tensor, row-major; a scalar has no dimensions.
struct TensorEntry {
  std::string name;
  ElementType type = ElementType::float32;
  std::vector<std::int64_t> shape;
  bool operator==(const TensorEntry&) const = default;
};

/// "Float32 64 x 3 x 7 x 7", "Int32 scalar"
std::string typeText(const TensorEntry& entry);
/// "64 x 3 x 7 x 7", "scalar"
std::string shapeText(const std::vector<std::int64_t>& shape);

/// Where the channels of a convolution's weights are: first is OIHW (MindSpore, PyTorch), last is OHWI (ours).
enum class ChannelPlace { first, last };

/// Tensors that can be read by name, wherever they lie.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  /// As failures call it.
  virtual std::string name() const = 0;
  virtual const std::vector<TensorEntry>& tensors() const = 0;
  /// Nothing where the source does not say.
  virtual std::optional<ChannelPlace> channels() const = 0;
  /// Of the network that the tensors are weights of: "torchvision". Empty where the source does not say.
  virtual std::string conventions() const { return {}; }
  /// The bytes of one tensor, values little-endian.
  virtual Result<std::vector<std::byte>> read(std::size_t index) = 0;
};

}  // namespace slipstream
