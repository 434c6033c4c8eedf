// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <vector>

#include "engine/base/random.h"
#include "engine/device/device.h"
#include "engine/nn/network.h"

namespace slipstream {
namespace {

/// Draws the elements of one tensor one after another.
class Initial {
 public:
  Initial(const TensorSpec& tensor, std::uint64_t seed, std::uint64_t forwardIndex)
      : kind_(tensor.initializer.kind),
        size_(sizeFor(tensor)),
        random_(seed, RandomStream::initialization, forwardIndex) {}

  double next() {
    switch (kind_) {
      case InitializerKind::normal:
        return size_ * random_.normal();
      case InitializerKind::truncatedNormal:
        return size_ * random_.truncatedNormal(2.0);
      case InitializerKind::zeros:
        return 0.0;
      case InitializerKind::ones:
        return 1.0;
      default:
        return random_.uniform(-size_, size_);
    }
  }

 private:
  /// Standard deviation of the normal kinds, bound of the uniform ones.
  static double sizeFor(const TensorSpec& tensor) {
    const double parameter = tensor.initializer.parameter;
    const auto fanIn = static_cast<double>(tensor.fanIn);
    switch (tensor.initializer.kind) {
      case InitializerKind::uniformFanIn:
        return 1.0 / std::sqrt(fanIn);
      case InitializerKind::heUniform:
        return std::sqrt(6.0 / ((1.0 + parameter * parameter) * fanIn));
      case InitializerKind::xavierUniform:
        return std::sqrt(6.0 / (fanIn + static_cast<double>(tensor.fanOut)));
      default:
        return parameter;
    }
  }

  InitializerKind kind_;
  double size_;
  Random random_;
};

}  // namespace

void initialWeights(const ParameterLayout& layout, Range range, std::uint64_t seed, std::span<float> values) {
  const auto& tensors = layout.tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto whole = tensors[i].range;
    if (whole.end <= range.begin || whole.begin >= range.end) continue;
    Initial initial(tensors[i].spec, seed, tensors.size() - 1 - i);
    for (auto position = whole.begin; position < std::min(whole.end, range.end); ++position) {
      const auto value = static_cast<float>(initial.next());
      if (position >= range.begin) values[static_cast<std::size_t>(position - range.begin)] = value;
    }
  }
}

void initializeWeights(const ParameterLayout& layout, ParameterStore& weights, std::uint64_t seed) {
  for (const PinnedRange& kept : weights.kept()) initialWeights(layout, kept.range, seed, kept.values);
}

void initializeWeights(const ParameterLayout& layout, ParameterStore& weights, std::uint64_t seed, Device& device) {
  for (const PinnedRange& kept : weights.kept()) {
    std::vector<float> values(kept.values.size());
    initialWeights(layout, kept.range, seed, values);
    writeValues(device, kept.values, values);
  }
}

}  // namespace slipstream
