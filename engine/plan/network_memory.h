// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/number_type.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// Stands for no block of memory: what a layer reads is the network's input, or no gradient is needed.
inline constexpr int noBlock = -1;

/// What becomes of the gradient that a layer passes to one of its inputs.
struct GradientDelivery {
  int layer = 0;           ///< that made the input
  int written = noBlock;   ///< where the gradient is put; the layer's own where it works in place or passes it on
  int gathered = noBlock;  ///< the sum of what other readers of the input delivered; noBlock for the first of them
  int sum = noBlock;       ///< where gathered + written goes, which may be either of them
  bool cut = false;        ///< the sum is whole, and cut where the ReLU that made the input cut it
};

/// What layers do together so that values pass through memory once. Each flag is set on both partners, but
/// for reluGradient of a ReLU that a sum of gradients cuts.
struct FusedWork {
  /// dense, batchNorm, add: applies the ReLU that reads this output; relu: it has been applied.
  bool relu = false;
  /// batchNorm: cuts the gradient where its ReLU cut the output; relu: that does it, or the sum of its readers'
  /// gradients (GradientDelivery::cut), and backward has nothing to do.
  bool reluGradient = false;
  /// batchNorm: adds what the sum that reads it adds, before that sum's ReLU; add: it has been added.
  bool sum = false;
  /// batchNorm: neither it nor the ReLU behind it makes an image, its output stands for its input; conv2d: applies
  /// both to what it reads.
  bool deferred = false;
};

/// Whether convolutions apply the batch norms before them.
enum class Convolutions { plain, fused };
inline constexpr Convolutions convolutionsOfGpus = Convolutions::fused;

/// The memory of one layer's output and of its gradient.
struct LayerMemory {
  NumberType type = NumberType::float32;  ///< of the output and its gradient
  int output = noBlock;                   ///< its input's where it works in place
  FusedWork fused;
  int gradient = noBlock;   ///< of the output; noBlock where nothing below can be trained
  std::int64_t maxima = 0;  ///< bytes a sample of the places of a maxPool's maxima
  std::vector<GradientDelivery> deliveries;
};

/// Which memory a training pass of a network needs, decided from shapes alone. Sizes are bytes a sample. Outputs stay
/// until backward; gradients share blocks, each from its first reader's backward to its layer's.
struct NetworkMemory {
  std::vector<LayerMemory> layers;
  std::vector<std::int64_t> outputBlocks;
  std::vector<std::int64_t> gradientBlocks;
  std::int64_t convertedInput = 0;  ///< the input once more, of the type of images; 0: layers read it as it comes
  std::int64_t bytes() const;       ///< of everything
};

/// Images inside the network are stored as `pictures`, flat vectors always as fp32. Only convolutions of fp16 fuse.
NetworkMemory planMemory(const NetworkSpec& network, const NetworkShape& shape, NumberType pictures,
                         Convolutions convolutions);

/// As many samples as pass through the network at once in a gibibyte, and no more than repay themselves; at least one.
std::int64_t samplesAtOnceIn(const NetworkMemory& eachSample);

/// Whether a layer's backward is needed where only layers from `firstTrained` on are trained: it or a layer that it
/// reads, directly or not, has tensors to train. Deliveries to other layers are left out, and change nothing else.
std::vector<bool> backwardNeeded(const NetworkShape& shape, int firstTrained);

}  // namespace slipstream
