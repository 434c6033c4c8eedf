#pragma once

#include <string>

#include "engine/plan/network_spec.h"

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
inline LayerSpec relu() {
  return {.kind = LayerKind::relu};
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
