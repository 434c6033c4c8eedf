// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "engine/base/random.h"
#include "engine/boost/vectors/kernels.h"

namespace slipstream {
namespace {

/// More than a chunk, and no multiple of one or of a vector's lanes.
constexpr std::size_t elements = 100'003;

std::vector<float> drawnVector(std::uint64_t number) {
  Random random(3, RandomStream::test, number);
  std::vector<float> values(elements);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

/// With so many threads.
class VectorsByThreads : public testing::TestWithParam<int> {
 protected:
  VectorsByThreads() { omp_set_num_threads(GetParam()); }
  ~VectorsByThreads() override { omp_set_num_threads(1); }

  const VectorKernels& kernels_ = cpuVectorKernels();
  const std::vector<float> a_ = drawnVector(1), b_ = drawnVector(2), c_ = drawnVector(3);
};

TEST_P(VectorsByThreads, SumsInTheOrderOfThePartsForEveryResult) {
  for (const bool add : {false, true}) {
    std::vector<float> first = a_, second = b_, third = c_;
    const std::array<float*, 3> all{first.data(), second.data(), third.data()};
    const std::array<const float*, 3> parts{first.data(), second.data(), third.data()};
    kernels_.sum(hostQueue(), parts, all, elements, 0.25F, add);
    std::vector<float> expected(elements);
    for (std::size_t i = 0; i < elements; ++i) {
      const float mean = ((a_[i] + b_[i]) + c_[i]) * 0.25F;
      expected[i] = add ? mean + a_[i] : mean;
    }
    EXPECT_EQ(first, expected);
    EXPECT_EQ(second, expected);
    EXPECT_EQ(third, expected);
  }
}

TEST_P(VectorsByThreads, EveryElementIsScaledSubtractedCopiedAndCleared) {
  std::vector<float> values = a_, result(elements);
  kernels_.scale(hostQueue(), values, 3.0F);
  EXPECT_TRUE(std::ranges::equal(values, a_, {}, {}, [](float value) { return value * 3.0F; }));
  kernels_.subtract(hostQueue(), values, b_);
  kernels_.difference(hostQueue(), values, c_, result);
  for (std::size_t i = 0; i < elements; ++i) {
    ASSERT_EQ(values[i], a_[i] * 3.0F - b_[i]) << i;
    ASSERT_EQ(result[i], values[i] - c_[i]) << i;
  }
  kernels_.copy(hostQueue(), b_, result);
  EXPECT_EQ(result, b_);
  kernels_.clear(hostQueue(), result);
  EXPECT_EQ(result, std::vector<float>(elements));
  kernels_.scale(hostQueue(), values, 1.0F);
  EXPECT_EQ(values[7], a_[7] * 3.0F - b_[7]);
}

INSTANTIATE_TEST_SUITE_P(Threads, VectorsByThreads, testing::Values(1, 2, 3, 8));

}  // namespace
}  // namespace slipstream
