// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream {

enum class ResidualKind { basic, bottleneck };

/// A residual block as one entry of the list of layers. basic: 3x3, 3x3. bottleneck: 1x1, 3x3, 1x1, the stride on the
/// 3x3. A batch norm follows each convolution, a ReLU each but the last and the sum. The shortcut is the identity where
/// the block changes neither size nor channels, else a 1x1 convolution with a batch norm.
struct ResidualSpec {
  ResidualKind kind = ResidualKind::basic;
  std::string name = {};      ///< "layer1.0" gives layer1.0.conv1.weight
  std::int64_t channels = 0;  ///< of its output
  std::int64_t stride = 1;
  std::int64_t expansion = 4;  ///< bottleneck: channels of the output for each inside
  double epsilon = 1e-5;       ///< of its batch norms
  double momentum = 0.9;       ///< of their running values: the share that is kept
  Initializer weightInit = {};
  std::optional<std::int64_t> commFusion = {};  ///< of all its layers
  bool operator==(const ResidualSpec&) const = default;
};

/// A network's layers as they are put together. Layers without a name are counted by kind: conv1, conv2, dense1.
class LayerList {
 public:
  void add(LayerSpec layer);
  /// The layers of the block under MindSpore's names: conv1, bn1, ..., down_sample_layer.0 and .1. A block that reads
  /// the network's input, whose channels are not known here, has a projection as its shortcut.
  void add(ResidualSpec block);
  std::vector<LayerSpec> take() { return std::move(layers_); }

 private:
  void convolution(const ResidualSpec& block, const std::string& name, std::int64_t outputs, std::int64_t kernel,
                   std::int64_t stride, const std::string& from = {});
  void batchNorm(const ResidualSpec& block, const std::string& name);
  void relu(const ResidualSpec& block, const std::string& name);
  void addBranch(const ResidualSpec& block);
  /// Returns the name of the layer whose output is added.
  std::string addShortcut(const ResidualSpec& block, const std::string& input);

  std::vector<LayerSpec> layers_;
  std::map<std::string, std::int64_t> channels_;  ///< of outputs, 0 where they are the network input's
  std::map<LayerKind, int> counts_;
  int blocks_ = 0;
};

}  // namespace slipstream
