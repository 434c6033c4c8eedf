// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/parameter_layout.h"

#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/nn/parameter_store.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"
#include "tests/nn/shapes.h"

namespace slipstream {
namespace {

ParameterLayout leNetLayout() {
  return ParameterLayout(networkShape(test::leNet5(), {28, 28, 1}).value());
}

/// Buckets cover the space once, in order, with whole tensors.
void expectPartition(const ParameterLayout& layout, const std::vector<Bucket>& buckets) {
  std::int64_t position = 0;
  int tensor = 0;
  for (const auto& bucket : buckets) {
    EXPECT_EQ(bucket.range.begin, position);
    EXPECT_EQ(bucket.firstTensor, tensor);
    EXPECT_GT(bucket.endTensor, bucket.firstTensor);
    EXPECT_EQ(bucket.range.end, layout.tensors()[static_cast<std::size_t>(bucket.endTensor - 1)].range.end);
    position = bucket.range.end;
    tensor = bucket.endTensor;
  }
  EXPECT_EQ(position, layout.size());
  EXPECT_EQ(tensor, static_cast<int>(layout.tensors().size()));
}

TEST(ParameterLayout, LastLayerComesFirstWithoutGaps) {
  const auto layout = leNetLayout();
  EXPECT_EQ(layout.size(), 61706);
  EXPECT_EQ(layout.tensors().front().spec.name, "fc3.bias");
  EXPECT_EQ(layout.tensors().back().spec.name, "conv1.weight");
  std::int64_t position = 0;
  for (const auto& tensor : layout.tensors()) {
    EXPECT_EQ(tensor.range.begin, position);
    EXPECT_EQ(tensor.range.size(), tensor.spec.elements());
    position = tensor.range.end;
  }
}

TEST(ParameterLayout, FindsTensorsByNamePositionAndLayer) {
  const auto layout = leNetLayout();
  EXPECT_EQ(layout.tensor("fc3.bias").range, (Range{0, 10}));
  EXPECT_THROW(layout.tensor("fc4.bias"), Error);
  EXPECT_EQ(layout.tensorAt(0), 0);
  EXPECT_EQ(layout.tensorAt(9), 0);
  EXPECT_EQ(layout.tensorAt(10), 1);
  EXPECT_EQ(layout.tensorAt(layout.size() - 1), 9);
  EXPECT_THROW(layout.tensorAt(layout.size()), Error);
  EXPECT_EQ(layout.rangeOfLayer(11), (Range{0, 10 + 840}));
  EXPECT_EQ(layout.rangeOfLayer(1).size(), 0);
}

TEST(Buckets, BySizeHoldAtMostThatManyBytesOrOneTensor) {
  const auto layout = leNetLayout();
  for (const std::int64_t bytes : {1, 4000, 50'000, 200'000, 1'000'000}) {
    const auto buckets = bucketsBySize(layout, bytes);
    expectPartition(layout, buckets);
    for (const auto& bucket : buckets) {
      EXPECT_TRUE(bucket.range.size() * 4 <= bytes || bucket.endTensor - bucket.firstTensor == 1);
    }
  }
  EXPECT_EQ(bucketsBySize(layout, 1).size(), layout.tensors().size());
  EXPECT_EQ(bucketsBySize(layout, 1'000'000).size(), 1U);
}

TEST(Buckets, ByIndexArePartitionsToo) {
  const auto layout = leNetLayout();
  for (const std::vector<int>& indices : {std::vector<int>{}, {0}, {3, 6}, {9}, {4, 12}}) {
    expectPartition(layout, bucketsByIndex(layout, indices));
  }
  EXPECT_THROW(bucketsByIndex(layout, {6, 3}), Error);
  expectPartition(layout, bucketsByIndex(layout, {1, std::numeric_limits<int>::max()}));
}

TEST(Buckets, InclusiveIndexCountsFromTheFront) {
  const auto layout = leNetLayout();
  const auto buckets = bucketsByIndex(layout, {3});
  ASSERT_EQ(buckets.size(), 2U);
  // conv1 and conv2, weight and bias each, are the first four tensors and stand last.
  EXPECT_EQ(buckets[1].range.size(), 6 * 25 + 6 + 16 * 25 * 6 + 16);
}

TEST(WholeParameterStore, HandsOutPartsOfOneMemory) {
  test::Host host;
  WholeParameterStore store(*host.device, 10, MemoryCategory::weights);
  EXPECT_EQ(host.meter.peak()[static_cast<std::size_t>(MemoryCategory::weights)], 40);
  store.acquire({2, 4})[1] = 5.0F;
  EXPECT_EQ(store.acquire({0, 10})[3], 5.0F);
  EXPECT_THROW(store.acquire({5, 11}), Error);
  EXPECT_THROW(store.acquire({-1, 3}), Error);
}

}  // namespace
}  // namespace slipstream
