// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/nn/parameter_layout.h"
#include "tests/nn/shapes.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

/// Sizes in forward order; buckets are in backward order.
std::vector<int> groupSizes(const std::vector<Bucket>& buckets) {
  std::vector<int> sizes;
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    sizes.push_back(bucket->endTensor - bucket->firstTensor);
  }
  return sizes;
}

TEST(FusionGolden, GroupSizesOfBothWaysToSplit) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "parallel_config.json");
  test::CaseCounter counter("parallel_config.json fusion", golden.at("fusion").size());
  for (const auto& entry : golden.at("fusion")) {
    const ParameterLayout layout(test::unitTensors(entry.at("params")));
    const std::vector<int> split = entry.at("split");
    std::vector<int> beforeSplit;
    for (const int first : split) beforeSplit.push_back(first - 1);
    EXPECT_EQ(groupSizes(bucketsByIndex(layout, split)),
              entry.at("all_reduce_fusion_group_sizes").get<std::vector<int>>());
    // MindSpore halves where nothing is asked for; here nobody splits then.
    if (!split.empty()) {
      EXPECT_EQ(groupSizes(bucketsByIndex(layout, beforeSplit)),
                entry.at("boost_gradient_split_group_sizes").get<std::vector<int>>());
    }
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
