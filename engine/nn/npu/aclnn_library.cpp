// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/aclnn_library.h"

#include <string>

#include "engine/base/error.h"
#include "engine/base/shared_library.h"
#include "engine/npu/acl_library.h"

namespace slipstream {
namespace {

constexpr const char* purpose = "networks on an NPU";

void findDescriptors(const SharedLibrary& file, AclnnLibrary& library) {
  file.find(library.createTensor, "aclCreateTensor");
  file.find(library.destroyTensor, "aclDestroyTensor");
  file.find(library.createScalar, "aclCreateScalar");
  file.find(library.destroyScalar, "aclDestroyScalar");
  file.find(library.createIntArray, "aclCreateIntArray");
  file.find(library.destroyIntArray, "aclDestroyIntArray");
  file.find(library.createBoolArray, "aclCreateBoolArray");
  file.find(library.destroyBoolArray, "aclDestroyBoolArray");
}

template <class Prepare>
void find(const SharedLibrary& file, AclnnOperator<Prepare>& found, const char* name) {
  found.name = name;
  file.find(found.prepare, (std::string(name) + "GetWorkspaceSize").c_str());
  file.find(found.run, name);
}

void findArithmetic(const SharedLibrary& file, AclnnLibrary& library) {
  find(file, library.matmul, "aclnnMatmul");
  find(file, library.add, "aclnnAdd");
  find(file, library.subtract, "aclnnSub");
  find(file, library.multiply, "aclnnMul");
  find(file, library.scale, "aclnnMuls");
  find(file, library.copy, "aclnnInplaceCopy");
  find(file, library.sum, "aclnnReduceSum");
  find(file, library.mean, "aclnnMean");
  find(file, library.clampMin, "aclnnClampMin");
  find(file, library.inverseRoot, "aclnnRsqrt");
  find(file, library.relu, "aclnnRelu");
  find(file, library.thresholdBackward, "aclnnThresholdBackward");
  find(file, library.pad, "aclnnConstantPadNd");
}

void findLayers(const SharedLibrary& file, AclnnLibrary& library) {
  find(file, library.convolution, "aclnnConvolution");
  find(file, library.convolutionBackward, "aclnnConvolutionBackward");
  find(file, library.batchNorm, "aclnnBatchNorm");
  find(file, library.batchNormBackward, "aclnnBatchNormBackward");
  find(file, library.maxPool, "aclnnMaxPool2dWithIndices");
  find(file, library.maxPoolBackward, "aclnnMaxPool2dWithIndicesBackward");
  find(file, library.avgPool, "aclnnAvgPool2d");
  find(file, library.avgPoolBackward, "aclnnAvgPool2dBackward");
  find(file, library.logSoftmax, "aclnnLogSoftmax");
  find(file, library.exponential, "aclnnExp");
  find(file, library.oneHot, "aclnnOneHot");
  find(file, library.largest, "aclnnArgMax");
}

Result<AclnnLibrary> loadAclnn() {
  const auto descriptors = SharedLibrary::open("libnnopbase.so", "", "");
  if (!descriptors) return cannIsMissing("libnnopbase.so", purpose);
  const auto operators = SharedLibrary::open("libopapi.so", "", "");
  if (!operators) return cannIsMissing("libopapi.so", purpose);
  AclnnLibrary library;
  findDescriptors(*descriptors, library);
  findArithmetic(*operators, library);
  findLayers(*operators, library);
  return library;
}

}  // namespace

const Result<AclnnLibrary>& findAclnn() {
  static const Result<AclnnLibrary> library = loadAclnn();
  return library;
}

const AclnnLibrary& aclnnLibrary() {
  const auto& library = findAclnn();
  if (!library) throw Error(toText(library.error()));
  return *library;
}

}  // namespace slipstream
