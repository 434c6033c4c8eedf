// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "tests/train/reference/tensors.h"

namespace slipstream::reference {

/// How near to a discontinuity the reference came: a float32 run may then take the other side, and is not comparable.
class Margin {
 public:
  /// `distance` from the point where a decision turns, in units of what is compared.
  void note(double distance);
  double smallest() const { return smallest_; }

 private:
  double smallest_ = 1e300;
};

struct Samples {
  std::size_t count = 0;
  std::vector<double> inputs;  ///< [count, height, width, channels]
  std::vector<int> labels;
};

/// Height, width and channels of one sample; a vector is 1 x 1.
struct Extent {
  std::size_t height = 1, width = 1, channels = 1;
  std::size_t elements() const { return height * width * channels; }
};

enum class Kind { convolution, dense, normalizedDense, batchNorm, relu, sum, channelMeans };

struct Layer {
  Kind kind;
  std::string name;
  int from = -1;  ///< the layer whose output it reads; -1: the network's input
  int with = -1;  ///< Kind::sum: the other one
  Extent in = {};
  Extent out = {};
  std::size_t kernel = 1, stride = 1, padding = 0;  ///< padding: zeros above and left, and as many as needed elsewhere
  int weight = -1;                                  ///< index of a tensor; batchNorm: gamma
  int second = -1;                                  ///< dense: bias or -1; normalizedDense: multiplier; batchNorm: beta
  int statistics = -1;  ///< batchNorm: index of its running mean, before its running variance
};

/// What one pass over samples reads and leaves.
struct PassResult {
  double loss = 0;     ///< mean softmax cross entropy over the samples
  Tensors gradient;    ///< of that mean
  Tensors statistics;  ///< running statistics after the pass
};

/// A feed-forward network in float64 by plain loops over the formulas: convolutions, batch norm (Ioffe and Szegedy
/// 2015), the normalised head of less_bn's README, softmax cross entropy. Tensors are called and shaped as a checkpoint
/// has them: dense [outputs, inputs], convolutions [outputs, kernel, kernel, inputs].
class Network {
 public:
  explicit Network(Extent input) : input_(input) {}

  /// Each returns the new layer's index; `from` is a layer's index or -1.
  int convolution(const std::string& name, int from, std::size_t outputs, std::size_t kernel, std::size_t stride,
                  std::size_t padding);
  int dense(const std::string& name, int from, std::size_t outputs);
  int normalizedDense(const std::string& name, int from, std::size_t outputs);
  int batchNorm(const std::string& name, int from);
  int relu(int from);
  int sum(int from, int with);
  int channelMeans(int from);

  const Tensors& tensors() const { return tensors_; }        ///< all zero
  const Tensors& statistics() const { return statistics_; }  ///< as they begin: means 0, variances 1
  bool isNormalizedHead(const Tensor& tensor) const;

  /// Forward and backward in training mode.
  PassResult pass(const Tensors& weights, const Tensors& statistics, const Samples& samples, Margin& margin) const;
  /// Forward only, without a trace in running statistics.
  double loss(const Tensors& weights, const Samples& samples, Margin& margin) const;

 private:
  Extent extentOf(int layer) const { return layer < 0 ? input_ : layers_[static_cast<std::size_t>(layer)].out; }
  Layer& append(Kind kind, const std::string& name, int from);
  int tensor(const std::string& name, std::size_t rows, std::size_t columns, bool hasRows);
  std::vector<std::vector<double>> forward(const Tensors& weights, const Samples& samples, Margin& margin) const;
  std::span<const double> outputOf(int layer, const Samples& samples,
                                   const std::vector<std::vector<double>>& outputs) const;

  Extent input_;
  std::vector<Layer> layers_;
  Tensors tensors_;
  Tensors statistics_;
};

}  // namespace slipstream::reference
