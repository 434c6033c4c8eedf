#pragma once

#include "engine/plan/fields.h"
#include "engine/plan/network_spec.h"

namespace slipstream {

/// The `network` section as written: a built-in network with options, or a list of layers.
struct NetworkSection {
  std::string name;  ///< built-in network; beside `layers` only a label
  std::optional<std::vector<int>> hidden;
  std::optional<Initializer> weightInit;
  std::optional<Initializer> biasInit;
  std::vector<LayerSpec> layers;
};

void describeNetwork(Fields& fields, NetworkSection& network);

/// The layers that the section means.
Result<NetworkSpec> networkOf(const NetworkSection& section);

}  // namespace slipstream
