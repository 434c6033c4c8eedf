// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/adasum/kernels.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/nn/optimizer_kernels.h"

namespace slipstream {

/// The arithmetic of one device: whatever touches weights, gradients or what is kept beside them goes through a table
/// here. backends/ says which tables a device has; null: none.
struct KernelTables {
  const AdasumKernels<float>* adasumFloat = nullptr;
  const AdasumKernels<double>* adasumDouble = nullptr;
  const VectorKernels* vectors = nullptr;
  const OptimizerKernels* optimizer = nullptr;
  const LossScaleKernels* lossScale = nullptr;
  const GradCentralizationKernels* gradCentralization = nullptr;
  const DimReduceKernels* dimReduce = nullptr;
};

KernelTables cpuKernelTables();

}  // namespace slipstream
