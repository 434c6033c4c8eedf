// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/make_layer.h"

#include "engine/base/error.h"
#include "engine/nn/layers/add.h"
#include "engine/nn/layers/avg_pool.h"
#include "engine/nn/layers/batch_norm.h"
#include "engine/nn/layers/conv2d.h"
#include "engine/nn/layers/dense.h"
#include "engine/nn/layers/flatten.h"
#include "engine/nn/layers/global_avg_pool.h"
#include "engine/nn/layers/max_pool.h"
#include "engine/nn/layers/normalized_dense.h"
#include "engine/nn/layers/relu.h"

namespace slipstream {

std::unique_ptr<Layer> makeLayer(const LayerConfig& parts) {
  switch (parts.spec.kind) {
    case LayerKind::dense:
      return makeDense(parts);
    case LayerKind::normalizedDense:
      return makeNormalizedDense(parts);
    case LayerKind::conv2d:
      return makeConv2d(parts);
    case LayerKind::maxPool:
      return makeMaxPool(parts);
    case LayerKind::avgPool:
      return makeAvgPool(parts);
    case LayerKind::globalAvgPool:
      return makeGlobalAvgPool(parts);
    case LayerKind::batchNorm:
      return makeBatchNorm(parts);
    case LayerKind::relu:
      return makeRelu(parts);
    case LayerKind::add:
      return makeAdd(parts);
    case LayerKind::flatten:
      return makeFlatten(parts);
    case LayerKind::external:
      throw Error("layer " + parts.spec.name + " is computed by the program that described it");
  }
  throw Error("a layer of an unknown kind");
}

}  // namespace slipstream
