// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"
#include "engine/nn/npu/aclnn_api.h"

namespace slipstream {

/// The two phases of one operator.
template <class Prepare>
struct AclnnOperator {
  const char* name = "";
  Prepare* prepare = nullptr;
  AclnnRun* run = nullptr;
};

/// Ascend's operators for networks, found when a network is first made on an NPU.
struct AclnnLibrary {
  decltype(&::aclCreateTensor) createTensor = nullptr;
  decltype(&::aclDestroyTensor) destroyTensor = nullptr;
  decltype(&::aclCreateScalar) createScalar = nullptr;
  decltype(&::aclDestroyScalar) destroyScalar = nullptr;
  decltype(&::aclCreateIntArray) createIntArray = nullptr;
  decltype(&::aclDestroyIntArray) destroyIntArray = nullptr;
  decltype(&::aclCreateBoolArray) createBoolArray = nullptr;
  decltype(&::aclDestroyBoolArray) destroyBoolArray = nullptr;

  AclnnOperator<decltype(::aclnnMatmulGetWorkspaceSize)> matmul;
  AclnnOperator<decltype(::aclnnAddGetWorkspaceSize)> add;
  AclnnOperator<decltype(::aclnnSubGetWorkspaceSize)> subtract;
  AclnnOperator<decltype(::aclnnMulGetWorkspaceSize)> multiply;
  AclnnOperator<decltype(::aclnnMulsGetWorkspaceSize)> scale;
  AclnnOperator<decltype(::aclnnInplaceCopyGetWorkspaceSize)> copy;
  AclnnOperator<decltype(::aclnnReduceSumGetWorkspaceSize)> sum;
  AclnnOperator<decltype(::aclnnMeanGetWorkspaceSize)> mean;
  AclnnOperator<decltype(::aclnnClampMinGetWorkspaceSize)> clampMin;
  AclnnOperator<decltype(::aclnnRsqrtGetWorkspaceSize)> inverseRoot;
  AclnnOperator<decltype(::aclnnReluGetWorkspaceSize)> relu;
  AclnnOperator<decltype(::aclnnThresholdBackwardGetWorkspaceSize)> thresholdBackward;
  AclnnOperator<decltype(::aclnnConstantPadNdGetWorkspaceSize)> pad;
  AclnnOperator<decltype(::aclnnConvolutionGetWorkspaceSize)> convolution;
  AclnnOperator<decltype(::aclnnConvolutionBackwardGetWorkspaceSize)> convolutionBackward;
  AclnnOperator<decltype(::aclnnBatchNormGetWorkspaceSize)> batchNorm;
  AclnnOperator<decltype(::aclnnBatchNormBackwardGetWorkspaceSize)> batchNormBackward;
  AclnnOperator<decltype(::aclnnMaxPool2dWithIndicesGetWorkspaceSize)> maxPool;
  AclnnOperator<decltype(::aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize)> maxPoolBackward;
  AclnnOperator<decltype(::aclnnAvgPool2dGetWorkspaceSize)> avgPool;
  AclnnOperator<decltype(::aclnnAvgPool2dBackwardGetWorkspaceSize)> avgPoolBackward;
  AclnnOperator<decltype(::aclnnLogSoftmaxGetWorkspaceSize)> logSoftmax;
  AclnnOperator<decltype(::aclnnExpGetWorkspaceSize)> exponential;
  AclnnOperator<decltype(::aclnnOneHotGetWorkspaceSize)> oneHot;
  AclnnOperator<decltype(::aclnnArgMaxGetWorkspaceSize)> largest;
};

/// A failure where a library cannot be loaded; throws Error where it is too old.
const Result<AclnnLibrary>& findAclnn();

/// The same where it must be there; throws Error where it is not.
const AclnnLibrary& aclnnLibrary();

}  // namespace slipstream
