// SPDX-License-Identifier: GPL-3.0-or-later
// What the fake operators promise: every rule that is broken ends the process with a message that names the operator.
#include <gtest/gtest.h>

#include "engine/nn/npu/aclnn_api.h"
#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream {
namespace {

constexpr std::int64_t count = 16;

class FakeOperators : public testing::Test {
 protected:
  FakeOperators() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream_);
    aclrtMalloc(&memory_, count * sizeof(float), 0);
    aclrtMalloc(&workspace_, 4096, 0);
    tensor_ = vector(count);
  }
  ~FakeOperators() override {
    aclrtSynchronizeStream(stream_);
    aclDestroyTensor(tensor_);
    aclrtDestroyStream(stream_);
    aclrtFree(memory_);
    aclrtFree(workspace_);
  }

  aclTensor* vector(std::int64_t size, int type = aclnn::float32, std::int64_t stride = 1) {
    const std::int64_t storage = (size - 1) * stride + 1;
    return aclCreateTensor(&size, 1, type, &stride, 0, aclnn::formatNd, &storage, 1, memory_);
  }
  /// An executor of exp(values), which wants workspace.
  aclOpExecutor* prepared(std::uint64_t& bytes) {
    aclOpExecutor* executor = nullptr;
    aclnnReluGetWorkspaceSize(tensor_, tensor_, &bytes, &executor);
    return executor;
  }

  aclrtStream stream_ = nullptr;
  void* memory_ = nullptr;
  void* workspace_ = nullptr;
  aclTensor* tensor_ = nullptr;
};
using FakeOperatorsDeath = FakeOperators;

TEST_F(FakeOperatorsDeath, AnExecutorIsUsedOnceByItsOperator) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = prepared(bytes);
  ASSERT_EQ(bytes, 0U) << "of this operator";
  EXPECT_DEATH(aclnnExp(workspace_, bytes, executor, stream_), "aclnnExp: the executor is one of aclnnRelu");
  EXPECT_EQ(aclnnRelu(nullptr, bytes, executor, stream_), 0);
  EXPECT_DEATH(aclnnRelu(nullptr, bytes, executor, stream_),
               "aclnnRelu: there is no such executor, or it was used before");
}

TEST_F(FakeOperatorsDeath, WorkspaceIsAsLargeAsWasAsked) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  aclnnExpGetWorkspaceSize(tensor_, tensor_, &bytes, &executor);
  ASSERT_GT(bytes, 0U);
  EXPECT_DEATH(aclnnExp(workspace_, bytes - 1, executor, stream_), "aclnnExp: is given another size of workspace");
  EXPECT_DEATH(aclnnExp(nullptr, bytes, executor, stream_), "aclnnExp: an address is not of a device");
  EXPECT_DEATH(aclnnExp(memory_, bytes, executor, stream_), "aclnnExp: reaches .* bytes beyond the end");
  EXPECT_EQ(aclnnExp(workspace_, bytes, executor, stream_), 0);
  EXPECT_DEATH(aclrtFree(workspace_), "aclrtFree: work of aclnnExp that has not run is going to use the memory");
}

TEST_F(FakeOperatorsDeath, DescriptorsLiveUntilTheSecondPhaseAndGoOnce) {
  aclTensor* other = vector(count);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  aclnnReluGetWorkspaceSize(other, tensor_, &bytes, &executor);
  aclDestroyTensor(other);
  EXPECT_DEATH(aclDestroyTensor(other), "aclDestroyTensor: there is no such descriptor, or it was destroyed before");
  EXPECT_DEATH(aclnnRelu(nullptr, bytes, executor, stream_), "aclnnRelu: uses a descriptor that is not there");
  EXPECT_DEATH(aclnnReluGetWorkspaceSize(other, tensor_, &bytes, &executor), "aclnnRelu: uses a descriptor");
}

TEST_F(FakeOperatorsDeath, TensorsLieInTheirMemory) {
  EXPECT_DEATH(vector(count + 1), "aclCreateTensor: reaches 4 bytes beyond the end");
  EXPECT_DEATH(vector(count, aclnn::float32, 2), "aclCreateTensor: reaches 60 bytes beyond the end");
  EXPECT_DEATH(vector(0), "aclCreateTensor: a size below 1");
  EXPECT_DEATH(vector(count, 99), "aclCreateTensor: an unknown type of values");
  const std::int64_t size = 4, stride = 2, storage = 6;
  EXPECT_DEATH(aclCreateTensor(&size, 1, aclnn::float32, &stride, 0, aclnn::formatNd, &storage, 1, memory_),
               "aclCreateTensor: the view reaches beyond what is stored");
}

TEST_F(FakeOperatorsDeath, OperandsFit) {
  aclTensor* half = vector(count, aclnn::float16);
  aclTensor* few = vector(3);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_DEATH(aclnnMulGetWorkspaceSize(tensor_, half, half, &bytes, &executor),
               "aclnnMulGetWorkspaceSize: operands of different types");
  EXPECT_DEATH(aclnnReluGetWorkspaceSize(tensor_, few, &bytes, &executor),
               "aclnnReluGetWorkspaceSize: operands of different types or sizes");
  EXPECT_DEATH(aclnnMatmulGetWorkspaceSize(tensor_, tensor_, tensor_, 0, &bytes, &executor),
               "aclnnMatmulGetWorkspaceSize: matrices that do not fit");
  EXPECT_DEATH(aclnnReluGetWorkspaceSize(nullptr, few, &bytes, &executor), "a tensor is missing");
  aclDestroyTensor(half);
  aclDestroyTensor(few);
}

TEST_F(FakeOperatorsDeath, MemoryOfAnOperatorIsNotFreedBeforeItRan) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = prepared(bytes);
  aclnnRelu(nullptr, bytes, executor, stream_);
  EXPECT_DEATH(aclrtFree(memory_), "work of aclnnRelu that has not run is going to use the memory");
}

}  // namespace
}  // namespace slipstream
