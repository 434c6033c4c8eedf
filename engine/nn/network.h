// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/number_type.h"
#include "engine/device/device.h"
#include "engine/nn/parameter_layout.h"
#include "engine/nn/parameter_store.h"

namespace slipstream {

enum class NetworkMode { training, evaluation };

/// Called around every layer.
class LayerObserver {
 public:
  virtual ~LayerObserver() = default;
  virtual void beforeForward(int /*layer*/) {}
  virtual void afterForward(int /*layer*/) {}
  virtual void beforeBackward(int /*layer*/) {}
  /// The gradients of the layer's tensors are complete for this pass.
  virtual void afterBackward(int /*layer*/) {}
};

/// The running statistics of one batch norm, in the device's memory; part of a checkpoint though not trainable.
struct NetworkState {
  std::string name;
  std::span<float> values;
  Device* device = nullptr;  ///< whose memory the values may lie in; null: the host's

  std::vector<float> read() const;
  /// As many values as there are.
  void write(std::span<const float> from) const;
};

/// A chain of layers on one device, whose memory all values are in. Activations are NHWC; memory for `maximumBatch`
/// samples is taken once. Where the device gains from recordings, a pass that nobody observes, between stores that are
/// permanent, is recorded when it comes for the second time, and done as a whole from then on.
class Network {
 public:
  virtual ~Network() = default;
  virtual const NetworkShape& shape() const = 0;
  virtual const ParameterLayout& layout() const = 0;

  /// Input [batch, elements] -> outputs of the last layer [batch, classes], valid until the next call. `input` must
  /// stay as it is until backward has run.
  virtual std::span<const float> forward(std::span<const float> input, std::int64_t batch, NetworkMode mode,
                                         ParameterStore& weights, LayerObserver* observer) = 0;
  /// After forward(training) of the same batch. `outputGradient` is dLoss/dOutput. Gradients are added to what
  /// `gradients` holds where `accumulate`, else replace it. Layers below `firstTrainedLayer` are skipped; all others
  /// are observed, with and without tensors, after their ranges are released.
  virtual void backward(std::span<const float> outputGradient, std::int64_t batch, ParameterStore& weights,
                        ParameterStore& gradients, bool accumulate, int firstTrainedLayer, LayerObserver* observer) = 0;
  virtual std::vector<NetworkState> states() = 0;
  /// Names of the library kernels that the layers run, for the record.
  virtual std::vector<std::string> kernels() const = 0;
};

/// Images pass between layers as `pictures` (fp16 on a GPU only); input, output, weights and gradients of weights are
/// fp32. Throws Error where the layers do not fit each other: the specification was validated before.
std::unique_ptr<Network> makeNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                     NumberType pictures, Device& device);

/// Bytes of scratch memory that makeNetwork with the same arguments takes. Asks the layers, one at a time, because the
/// library's kernels decide it, for this processor and the calling thread's number of OpenMP threads; takes none of it.
std::int64_t scratchBytes(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                          Device& device);

/// The starting values of any part of the flat space: drawn tensor by tensor, so that a shard needs no other.
void initialWeights(const ParameterLayout& layout, Range range, std::uint64_t seed, std::span<float> values);

/// Fills what this rank keeps of the weights from Random(seed, initialization, index of the tensor in forward order):
/// the same for any sharding, and nothing is ever whole that is not kept whole.
void initializeWeights(const ParameterLayout& layout, ParameterStore& weights, std::uint64_t seed);
/// The same where the weights may lie in memory of a device.
void initializeWeights(const ParameterLayout& layout, ParameterStore& weights, std::uint64_t seed, Device& device);

}  // namespace slipstream
