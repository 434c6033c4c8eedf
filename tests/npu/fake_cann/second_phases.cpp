// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libopapi: the second phase of every operator.
#include "tests/npu/fake_cann/operator_call.h"

using slipstream::fake::runOperator;

extern "C" {

aclnnStatus aclnnMatmul(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnMatmul", workspace, bytes, executor, stream);
}
aclnnStatus aclnnAdd(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnAdd", workspace, bytes, executor, stream);
}
aclnnStatus aclnnSub(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnSub", workspace, bytes, executor, stream);
}
aclnnStatus aclnnMul(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnMul", workspace, bytes, executor, stream);
}
aclnnStatus aclnnMuls(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnMuls", workspace, bytes, executor, stream);
}
aclnnStatus aclnnInplaceCopy(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnInplaceCopy", workspace, bytes, executor, stream);
}
aclnnStatus aclnnReduceSum(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnReduceSum", workspace, bytes, executor, stream);
}
aclnnStatus aclnnMean(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnMean", workspace, bytes, executor, stream);
}
aclnnStatus aclnnClampMin(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnClampMin", workspace, bytes, executor, stream);
}
aclnnStatus aclnnRsqrt(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnRsqrt", workspace, bytes, executor, stream);
}
aclnnStatus aclnnRelu(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnRelu", workspace, bytes, executor, stream);
}
aclnnStatus aclnnThresholdBackward(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnThresholdBackward", workspace, bytes, executor, stream);
}
aclnnStatus aclnnConstantPadNd(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnConstantPadNd", workspace, bytes, executor, stream);
}
aclnnStatus aclnnConvolution(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnConvolution", workspace, bytes, executor, stream);
}
aclnnStatus aclnnConvolutionBackward(void* workspace, std::uint64_t bytes, aclOpExecutor* executor,
                                     aclrtStream stream) {
  return runOperator("aclnnConvolutionBackward", workspace, bytes, executor, stream);
}
aclnnStatus aclnnBatchNorm(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnBatchNorm", workspace, bytes, executor, stream);
}
aclnnStatus aclnnBatchNormBackward(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnBatchNormBackward", workspace, bytes, executor, stream);
}
aclnnStatus aclnnMaxPool2dWithIndices(void* workspace, std::uint64_t bytes, aclOpExecutor* executor,
                                      aclrtStream stream) {
  return runOperator("aclnnMaxPool2dWithIndices", workspace, bytes, executor, stream);
}
aclnnStatus aclnnMaxPool2dWithIndicesBackward(void* workspace, std::uint64_t bytes, aclOpExecutor* executor,
                                              aclrtStream stream) {
  return runOperator("aclnnMaxPool2dWithIndicesBackward", workspace, bytes, executor, stream);
}
aclnnStatus aclnnAvgPool2d(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnAvgPool2d", workspace, bytes, executor, stream);
}
aclnnStatus aclnnAvgPool2dBackward(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnAvgPool2dBackward", workspace, bytes, executor, stream);
}
aclnnStatus aclnnLogSoftmax(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnLogSoftmax", workspace, bytes, executor, stream);
}
aclnnStatus aclnnExp(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnExp", workspace, bytes, executor, stream);
}
aclnnStatus aclnnOneHot(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnOneHot", workspace, bytes, executor, stream);
}
aclnnStatus aclnnArgMax(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream) {
  return runOperator("aclnnArgMax", workspace, bytes, executor, stream);
}

}  // extern "C"
