// SPDX-License-Identifier: GPL-3.0-or-later
// Where the program is built without CUDA: no device asks for these tables.
#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/nn/optimizer_kernels.h"

namespace slipstream {
namespace {

[[noreturn]] void refuse() {
  throw Error("this build has no CUDA");
}

}  // namespace

template <>
const AdasumKernels<float>& cudaAdasumKernels<float>() {
  refuse();
}
template <>
const AdasumKernels<double>& cudaAdasumKernels<double>() {
  refuse();
}
const DimReduceKernels& cudaDimReduceKernels() {
  refuse();
}
const GradCentralizationKernels& cudaGradCentralizationKernels() {
  refuse();
}
const LossScaleKernels& cudaLossScaleKernels() {
  refuse();
}
const OptimizerKernels& cudaOptimizerKernels() {
  refuse();
}
const VectorKernels& cudaVectorKernels() {
  refuse();
}

}  // namespace slipstream
