// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/fields.h"
#include "engine/spec/network_layers.h"

namespace slipstream {

/// One entry of `network.layers`: a layer, or a residual block that stands for several.
struct LayerEntry {
  LayerEntry() = default;
  explicit LayerEntry(LayerSpec written) : layer(std::move(written)), hasType(true) {}
  LayerSpec layer;
  bool hasType = false;
  std::optional<ResidualSpec> block;
};

/// The `network` section as written: a built-in network with options, or a list of layers.
struct NetworkSection {
  std::string name;                     ///< built-in network; beside `layers` only a label
  std::optional<std::int64_t> classes;  ///< outputs of the last layer, where they are not to follow the data
  std::optional<std::vector<int>> hidden;
  std::optional<Initializer> weightInit;
  std::optional<Initializer> biasInit;
  std::optional<std::vector<LayerEntry>> layers;
  std::optional<std::vector<std::string>> program;  ///< the command of the user's own network
  std::string folder;                               ///< of the program; in resolved forms only
  Conventions conventions = Conventions::mindspore;
};

/// "conv2d", "max_pool", …
std::string nameOf(LayerKind kind);

void describeNetwork(Fields& fields, NetworkSection& network);
/// network.conventions, which a resolved form has only where they are not the usual ones.
void describeConventions(Fields& fields, NetworkSection& network, bool resolved);

/// The layers that the section means. A built-in network, and a last dense layer without `outputs`, gets as many as
/// the section's `classes`, else the data's; 0 means that nobody knows these, and 10 stand for them.
Result<NetworkSpec> networkOf(const NetworkSection& section, std::int64_t classes = 10);

}  // namespace slipstream
