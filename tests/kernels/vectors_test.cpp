// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <numeric>

#include "engine/base/error.h"
#include "engine/boost/vectors/kernels.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

class VectorsOn : public Kernels {
 protected:
  const VectorKernels& kernels() const { return tableOf(cpuVectorKernels, cudaVectorKernels, npuVectorKernels); }
};
SLIPSTREAM_ON_ALL_DEVICES(VectorsOn);

using Values = std::vector<float>;

Values eachOf(const Values& left, const Values& right, const std::function<float(float, float)>& operation) {
  Values result;
  for (std::size_t i = 0; i < left.size(); ++i) result.push_back(operation(left[i], right[i]));
  return result;
}

TEST_P(VectorsOn, SumsInTheOrderOfTheParts) {
  for (const std::size_t size : oddSizes) {
    for (const std::size_t count : {1U, 2U, 3U, 9U}) {
      for (const bool add : {false, true}) {
        const std::size_t offset = count % 2;
        std::vector<DeviceVector<float>> parts;
        std::vector<const float*> pointers;
        Values expected;
        for (std::size_t part = 0; part < count; ++part) {
          const Values values = size > 100 ? awkwardValues(size, part) : randomValues(size, part);
          expected = part == 0 ? values : eachOf(expected, values, std::plus());
          parts.emplace_back(device(), values, offset);
          pointers.push_back(parts.back().data());
        }
        const Values held = randomValues(size, 99);
        DeviceVector<float> first(device(), held, offset);
        DeviceVector<float> second(device(), held, 3);
        for (float& value : expected) value *= 0.3F;
        if (add) expected = eachOf(expected, held, std::plus());
        const std::array<float*, 2> results{first.data(), second.data()};
        kernels().sum(queue(), pointers, results, size, 0.3F, add);
        const std::string of = std::to_string(count) + " parts of " + std::to_string(size);
        expectSameBits(first.read(), expected, of);
        expectSameBits(second.read(), expected, of);
      }
    }
  }
}

TEST_P(VectorsOn, ASumMayReplaceItsParts) {
  const Values a = randomValues(1027, 1);
  const Values b = randomValues(1027, 2);
  DeviceVector<float> left(device(), a);
  DeviceVector<float> right(device(), b);
  const std::array<const float*, 2> parts{left.data(), right.data()};
  const std::array<float*, 2> results{left.data(), right.data()};
  kernels().sum(queue(), parts, results, a.size(), 1.0F, false);
  expectSameBits(left.read(), eachOf(a, b, std::plus()), "sum");
  expectSameBits(right.read(), eachOf(a, b, std::plus()), "sum");
}

TEST_P(VectorsOn, TheRestIsElementByElement) {
  for (const std::size_t size : oddSizes) {
    for (const std::size_t offset : {0U, 1U, 2U}) {
      const Values a = size > 100 ? awkwardValues(size, 1) : randomValues(size, 1);
      const Values b = randomValues(size, 2);
      const std::string of = std::to_string(size) + " at " + std::to_string(offset);
      DeviceVector<float> left(device(), a, offset);
      DeviceVector<float> right(device(), b, offset);
      DeviceVector<float> result(device(), Values(size, 5), offset);

      kernels().difference(queue(), left.span(), right.span(), result.span());
      expectSameBits(result.read(), eachOf(a, b, std::minus()), "difference of " + of);
      kernels().difference(queue(), left.span(), right.span(), right.span());
      expectSameBits(right.read(), eachOf(a, b, std::minus()), "difference in place of " + of);
      kernels().scale(queue(), result.span(), 0.7F);
      Values scaled = eachOf(a, b, std::minus());
      for (float& value : scaled) value *= 0.7F;
      expectSameBits(result.read(), scaled, "scale of " + of);
      kernels().subtract(queue(), result.span(), left.span());
      expectSameBits(result.read(), eachOf(scaled, a, std::minus()), "subtract of " + of);
      kernels().copy(queue(), left.span(), result.span());
      expectSameBits(result.read(), a, "copy of " + of);
      kernels().clear(queue(), result.span());
      expectSameBits(result.read(), Values(size, 0), "clear of " + of);
      expectSameBits(left.read(), a, "what was only read");
    }
  }
}

TEST_P(VectorsOn, NothingIsDoneToNothing) {
  DeviceVector<float> left(device(), {1, 2});
  DeviceVector<float> right(device(), {3, 4});
  const std::array<const float*, 1> parts{left.data()};
  const std::array<float*, 1> results{right.data()};
  kernels().sum(queue(), parts, results, 0, 2.0F, false);
  kernels().scale(queue(), right.span().first(0), 2.0F);
  kernels().subtract(queue(), right.span().first(0), left.span().first(0));
  kernels().copy(queue(), left.span().first(0), right.span().first(0));
  kernels().clear(queue(), right.span().first(0));
  EXPECT_EQ(right.read(), (Values{3, 4}));
}

TEST(VectorsOnAGpu, MoreThan64PartsAreRefused) {
  const std::vector<const float*> parts(65);
  const std::vector<float*> results(1);
  EXPECT_THROW(cudaVectorKernels().sum(hostQueue(), parts, results, 1, 1.0F, false), Error);
}

}  // namespace
}  // namespace slipstream
