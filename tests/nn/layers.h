// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/spec/network_layers.h"

namespace slipstream::test {

inline LayerSpec dense(const std::string& name, std::int64_t outputs, bool bias = true) {
  return {.kind = LayerKind::dense, .name = name, .outputs = outputs, .bias = bias};
}
inline LayerSpec conv(const std::string& name, std::int64_t outputs, std::int64_t kernel, std::int64_t stride = 1,
                      std::int64_t padding = 0, bool bias = true) {
  return {.kind = LayerKind::conv2d,
          .name = name,
          .outputs = outputs,
          .kernel = kernel,
          .stride = stride,
          .padding = padding,
          .bias = bias};
}
inline LayerSpec pool(LayerKind kind, std::int64_t kernel, std::int64_t stride, std::int64_t padding = 0) {
  return {.kind = kind, .kernel = kernel, .stride = stride, .padding = padding};
}
inline LayerSpec batchNorm(const std::string& name) {
  return {.kind = LayerKind::batchNorm, .name = name};
}
inline LayerSpec relu(const std::string& name = "") {
  return {.kind = LayerKind::relu, .name = name};
}
inline LayerSpec add(const std::string& with, const std::string& name = "") {
  return {.kind = LayerKind::add, .name = name, .with = with};
}
inline LayerSpec reading(const std::string& from, LayerSpec layer) {
  layer.from = from;
  return layer;
}
inline LayerSpec named(const std::string& name, LayerSpec layer) {
  layer.name = name;
  return layer;
}
inline LayerSpec same(LayerSpec layer) {
  layer.samePadding = true;
  return layer;
}
inline LayerSpec globalAvgPool() {
  return {.kind = LayerKind::globalAvgPool};
}
inline LayerSpec normalizedDense(const std::string& name, std::int64_t outputs) {
  return {.kind = LayerKind::normalizedDense, .name = name, .outputs = outputs};
}

/// A stem of 4 channels, the block, the head.
inline std::vector<LayerSpec> aroundBlock(const ResidualSpec& block) {
  LayerList layers;
  layers.add(conv("stem", 4, 3, 1, 1));
  layers.add(relu());
  layers.add(block);
  layers.add(globalAvgPool());
  layers.add(dense("head", 3));
  return layers.take();
}
inline LayerSpec flatten() {
  return {.kind = LayerKind::flatten};
}

/// conv 6@5x5 pad 2, pool 2, conv 16@5x5, pool 2, 400-120-84-10.
inline NetworkSpec leNet5() {
  const auto halve = pool(LayerKind::maxPool, 2, 2);
  return {"lenet5",
          {conv("conv1", 6, 5, 1, 2), relu(), halve, conv("conv2", 16, 5), relu(), halve, flatten(), dense("fc1", 120),
           relu(), dense("fc2", 84), relu(), dense("fc3", 10)}};
}

inline NetworkSpec mlp() {
  return {"mlp", {flatten(), dense("fc1", 512), relu(), dense("fc2", 512), relu(), dense("fc3", 10)}};
}

}  // namespace slipstream::test
