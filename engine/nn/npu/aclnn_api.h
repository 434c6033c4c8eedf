// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/npu/acl_api.h"

// What is used of Ascend's library of operators for networks, in declarations of our own (as acl_api.h). Each operator
// has two phases: the first, on the host, says how much workspace it takes and makes an executor, the second gives the
// work to a stream and uses the executor up. Descriptors live until then.
extern "C" {

struct aclTensor;
struct aclScalar;
struct aclIntArray;
struct aclBoolArray;
struct aclOpExecutor;
using aclnnStatus = int;
using AclnnRun = aclnnStatus(void* workspace, std::uint64_t bytes, aclOpExecutor* executor, aclrtStream stream);

aclTensor* aclCreateTensor(const std::int64_t* sizes, std::uint64_t dimensions, int type, const std::int64_t* strides,
                           std::int64_t offset, int format, const std::int64_t* storage,
                           std::uint64_t storageDimensions, void* data);
aclnnStatus aclDestroyTensor(const aclTensor* tensor);
aclScalar* aclCreateScalar(void* value, int type);
aclnnStatus aclDestroyScalar(const aclScalar* scalar);
aclIntArray* aclCreateIntArray(const std::int64_t* values, std::uint64_t count);
aclnnStatus aclDestroyIntArray(const aclIntArray* array);
aclBoolArray* aclCreateBoolArray(const bool* values, std::uint64_t count);
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array);

aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* a, const aclTensor* b, aclTensor* out, std::int8_t cubeMath,
                                        std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnMatmul;
aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* a, const aclTensor* b, const aclScalar* factor, aclTensor* out,
                                     std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnAdd;
aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor* a, const aclTensor* b, const aclScalar* factor, aclTensor* out,
                                     std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnSub;
aclnnStatus aclnnMulGetWorkspaceSize(const aclTensor* a, const aclTensor* b, aclTensor* out, std::uint64_t* bytes,
                                     aclOpExecutor** executor);
AclnnRun aclnnMul;
aclnnStatus aclnnMulsGetWorkspaceSize(const aclTensor* a, const aclScalar* factor, aclTensor* out, std::uint64_t* bytes,
                                      aclOpExecutor** executor);
AclnnRun aclnnMuls;
aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* to, const aclTensor* from, std::uint64_t* bytes,
                                             aclOpExecutor** executor);
AclnnRun aclnnInplaceCopy;
aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor* a, const aclIntArray* over, bool keeps, int type,
                                           aclTensor* out, std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnReduceSum;
aclnnStatus aclnnMeanGetWorkspaceSize(const aclTensor* a, const aclIntArray* over, bool keeps, int type, aclTensor* out,
                                      std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnMean;
aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor* a, const aclScalar* least, aclTensor* out,
                                          std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnClampMin;
aclnnStatus aclnnRsqrtGetWorkspaceSize(const aclTensor* a, aclTensor* out, std::uint64_t* bytes,
                                       aclOpExecutor** executor);
AclnnRun aclnnRsqrt;
aclnnStatus aclnnReluGetWorkspaceSize(const aclTensor* a, aclTensor* out, std::uint64_t* bytes,
                                      aclOpExecutor** executor);
AclnnRun aclnnRelu;
aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* a,
                                                   const aclScalar* threshold, aclTensor* out, std::uint64_t* bytes,
                                                   aclOpExecutor** executor);
AclnnRun aclnnThresholdBackward;
aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor* a, const aclIntArray* padding, const aclScalar* value,
                                               aclTensor* out, std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnConstantPadNd;

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
                                             const aclIntArray* stride, const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, std::int64_t groups, aclTensor* output,
                                             std::int8_t cubeMath, std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnConvolution;
aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradient, const aclTensor* input, const aclTensor* weight, const aclIntArray* biasSizes,
    const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation, bool transposed,
    const aclIntArray* outputPadding, int groups, const aclBoolArray* wanted, std::int8_t cubeMath,
    aclTensor* inputGradient, aclTensor* weightGradient, aclTensor* biasGradient, std::uint64_t* bytes,
    aclOpExecutor** executor);
AclnnRun aclnnConvolutionBackward;
aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
                                           aclTensor* runningMean, aclTensor* runningVariance, bool training,
                                           double momentum, double epsilon, aclTensor* output, aclTensor* savedMean,
                                           aclTensor* savedInverseDeviation, std::uint64_t* bytes,
                                           aclOpExecutor** executor);
AclnnRun aclnnBatchNorm;
aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* input,
                                                   const aclTensor* weight, const aclTensor* runningMean,
                                                   const aclTensor* runningVariance, const aclTensor* savedMean,
                                                   const aclTensor* savedInverseDeviation, bool training,
                                                   double epsilon, const aclBoolArray* wanted, aclTensor* inputGradient,
                                                   aclTensor* weightGradient, aclTensor* biasGradient,
                                                   std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnBatchNormBackward;
aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(const aclTensor* input, const aclIntArray* kernel,
                                                      const aclIntArray* stride, const aclIntArray* padding,
                                                      const aclIntArray* dilation, bool ceils, aclTensor* output,
                                                      aclTensor* places, std::uint64_t* bytes,
                                                      aclOpExecutor** executor);
AclnnRun aclnnMaxPool2dWithIndices;
aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* input,
                                                              const aclTensor* places, const aclIntArray* kernel,
                                                              const aclIntArray* stride, const aclIntArray* padding,
                                                              const aclIntArray* dilation, bool ceils,
                                                              aclTensor* inputGradient, std::uint64_t* bytes,
                                                              aclOpExecutor** executor);
AclnnRun aclnnMaxPool2dWithIndicesBackward;
aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor* input, const aclIntArray* kernel, const aclIntArray* stride,
                                           const aclIntArray* padding, bool ceils, bool countsPadding,
                                           std::int64_t divisor, std::int8_t cubeMath, aclTensor* output,
                                           std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnAvgPool2d;
aclnnStatus aclnnAvgPool2dBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* input,
                                                   const aclIntArray* kernel, const aclIntArray* stride,
                                                   const aclIntArray* padding, bool ceils, bool countsPadding,
                                                   std::int64_t divisor, std::int8_t cubeMath, aclTensor* inputGradient,
                                                   std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnAvgPool2dBackward;

aclnnStatus aclnnLogSoftmaxGetWorkspaceSize(const aclTensor* a, std::int64_t over, aclTensor* out, std::uint64_t* bytes,
                                            aclOpExecutor** executor);
AclnnRun aclnnLogSoftmax;
aclnnStatus aclnnExpGetWorkspaceSize(const aclTensor* a, aclTensor* out, std::uint64_t* bytes,
                                     aclOpExecutor** executor);
AclnnRun aclnnExp;
aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* labels, int classes, const aclTensor* on, const aclTensor* off,
                                        std::int64_t axis, aclTensor* out, std::uint64_t* bytes,
                                        aclOpExecutor** executor);
AclnnRun aclnnOneHot;
aclnnStatus aclnnArgMaxGetWorkspaceSize(const aclTensor* a, std::int64_t over, bool keeps, aclTensor* out,
                                        std::uint64_t* bytes, aclOpExecutor** executor);
AclnnRun aclnnArgMax;

}  // extern "C"

namespace slipstream::aclnn {

inline constexpr int float32 = 0;  ///< aclDataType
inline constexpr int float16 = 1;
inline constexpr int int32 = 3;
inline constexpr int uint8 = 4;
inline constexpr int bfloat16 = 27;

inline constexpr int formatNchw = 0;  ///< aclFormat
inline constexpr int formatNd = 2;

inline constexpr std::int8_t keepsType = 0;  ///< cubeMath: products of the type of their operands

}  // namespace slipstream::aclnn
