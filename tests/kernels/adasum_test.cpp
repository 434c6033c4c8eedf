// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>
#include <optional>
#include <thread>
#include <type_traits>

#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

constexpr std::array<std::size_t, 13> leafCounts{1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 33};
/// Behind a multiple of 16 bytes, as far as a tensor of a flat vector may begin.
constexpr std::array<std::size_t, 4> offsets{0, 1, 2, 3};

/// Leaves on the device, and their values.
template <class T>
struct Leaves {
  Leaves(Device& device, std::size_t count, std::size_t elements, std::size_t offset = 0) {
    for (std::size_t leaf = 0; leaf < count; ++leaf) {
      values.push_back(randomValues<T>(elements, leaf + 1));
      vectors.emplace_back(device, values.back(), offset);
      pointers.push_back(vectors.back().data());
    }
  }
  std::vector<std::vector<T>> values;
  std::vector<DeviceVector<T>> vectors;
  std::vector<const T*> pointers;
};

template <class T>
class AdasumChecks {
 public:
  /// `promise`: how far dot products may lie from the exact ones, as a share of the products' magnitudes.
  AdasumChecks(Device& device, const AdasumKernels<T>& kernels, double promise, bool nextTo)
      : device_(device), kernels_(kernels), promise_(promise), nextTo_(nextTo) {}

  void dotsAreThoseOfAReference() {
    for (const std::size_t count : leafCounts) {
      for (const std::size_t size : {1UL, 5UL, 1027UL, 16'385UL}) {
        const Leaves<T> leaves(device_, count, size, count % 4);
        expectDots(leaves, {0, size, 0}, dotsOf(leaves.pointers, size).data());
      }
    }
  }

  void partsHaveTheSumsThatTheyHaveAlone() {
    const std::vector<TensorSegment> parts{{7, 150, 4}, {157, 0, 2}, {157, 1, 0}, {160, 40'003, 3}};
    const auto plan = kernels_.plan(device_.queue(), parts);
    for (const std::size_t count : leafCounts) {
      const Leaves<T> leaves(device_, count, 40'200, count % 4);
      const std::size_t pairs = gramSize(count);
      std::vector<double> sums(6 * pairs, -7777);
      kernels_.dotsOfSegments(device_.queue(), *plan, leaves.pointers.data(), count, sums.data());
      for (const TensorSegment& part : parts) {
        expectDots(leaves, part, sums.data() + part.tensor * pairs);
        std::vector<const T*> from;
        for (const T* leaf : leaves.pointers) from.push_back(leaf + part.start);
        std::vector<double> alone(pairs);
        kernels_.dots(device_.queue(), from.data(), count, part.elements, alone.data());
        for (std::size_t k = 0; k < pairs; ++k) EXPECT_EQ(alone[k], sums[part.tensor * pairs + k]);
      }
      for (const std::size_t untouched : {1U, 5U}) {
        for (std::size_t k = 0; k < pairs; ++k) EXPECT_EQ(sums[untouched * pairs + k], -7777);
      }
    }
  }

  void bitsDoNotDependOnAddresses() {
    for (const std::size_t count : {2U, 4U, 8U, 9U, 11U, 12U, 16U, 17U}) {
      for (const std::size_t size : {3UL, 1030UL, 16'391UL}) {
        std::vector<double> first;
        std::vector<Leaves<T>> all;
        for (const std::size_t offset : offsets) {
          const Leaves<T>& leaves = all.emplace_back(device_, count, size, offset);
          const auto sums = dotsOf(leaves.pointers, size);
          if (first.empty()) first = sums;
          EXPECT_EQ(sums, first) << count << " leaves of " << size << ", offset " << offset;
        }
        std::vector<const T*> apart;
        for (std::size_t leaf = 0; leaf < count; ++leaf) apart.push_back(all[leaf % 4].pointers[leaf]);
        EXPECT_EQ(dotsOf(apart, size), first) << count << " leaves of " << size << " that begin apart";
      }
    }
  }

  void aBadLeafSpoilsItsOwnPairsOnly() {
    constexpr std::size_t count = 9;
    constexpr std::size_t size = 1027;
    Leaves<T> leaves(device_, count, size);
    auto bad = leaves.values[3];
    bad[size - 1] = std::numeric_limits<T>::quiet_NaN();
    DeviceVector<T> spoiled(device_, bad);
    leaves.pointers[3] = spoiled.data();
    std::vector<double> sums(gramSize(count));
    kernels_.dots(device_.queue(), leaves.pointers.data(), count, size, sums.data());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i; j < count; ++j) {
        EXPECT_EQ(std::isnan(sums[gramIndex(i, j, count)]), i == 3 || j == 3) << i << ", " << j;
      }
    }
  }

  /// Leaves of huge, tiny and denormal values, whose products no float holds, and infinities.
  void extremeValuesHaveTheirDots() {
    using Limits = std::numeric_limits<T>;
    constexpr std::size_t size = 3003;
    std::vector<std::vector<T>> values;
    for (const T scale : {Limits::max(), static_cast<T>(1), Limits::min() * 4, Limits::denorm_min() * 1000}) {
      values.push_back(randomValues<T>(size, values.size()));
      for (T& value : values.back()) value *= scale;
    }
    values.push_back(randomValues<T>(size, 9));
    values.back()[size / 2] = Limits::infinity();
    values.push_back(std::vector<T>(size, 0));
    std::vector<DeviceVector<T>> vectors;
    std::vector<const T*> pointers;
    for (const auto& of : values) pointers.push_back(vectors.emplace_back(device_, of, 1).data());
    const auto sums = dotsOf(pointers, size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i; j < values.size(); ++j) {
        long double expected = 0;
        long double magnitude = 0;
        for (std::size_t k = 0; k < size; ++k) {
          expected += static_cast<long double>(values[i][k]) * values[j][k];
          magnitude += std::abs(static_cast<long double>(values[i][k]) * values[j][k]);
        }
        const double found = sums[gramIndex(i, j, values.size())];
        if (!std::isfinite(static_cast<double>(magnitude))) {
          EXPECT_FALSE(std::isfinite(found)) << i << ", " << j << ": " << found;
          EXPECT_EQ(std::isnan(found), std::isnan(expected)) << i << ", " << j;
          continue;
        }
        EXPECT_NEAR(found, static_cast<double>(expected), static_cast<double>(magnitude) * promise_) << i << ", " << j;
      }
    }
  }

  void exactDotsKeepWhatCancels() {
    for (const std::size_t size : {2UL, 1026UL, 33'000UL}) {
      // Every second product takes back the one before, and leaves a little.
      std::vector<T> a(size);
      std::vector<T> b(size, 1);
      for (std::size_t i = 0; i < size; i += 2) {
        a[i] = static_cast<T>(1 << 20);
        a[i + 1] = static_cast<T>(-(1 << 20)) + static_cast<T>(0.125);
      }
      DeviceVector<T> left(device_, a, 1);
      DeviceVector<T> right(device_, b);
      const std::array<const T*, 2> leaves{left.data(), right.data()};
      std::array<double, 6> sums{};
      kernels_.exactDots(device_.queue(), leaves.data(), 2, size, sums.data());
      EXPECT_EQ(sums[2] + sums[3], 0.125 * static_cast<double>(size / 2));
      EXPECT_EQ(sums[4] + sums[5], static_cast<double>(size));
    }
    exactDotsKeepWhatProductsRoundAway();
    std::array<double, 2> nothing{5, 5};
    const T* none = nullptr;
    kernels_.exactDots(device_.queue(), &none, 1, 0, nothing.data());
    EXPECT_EQ(nothing, (std::array<double, 2>{0, 0}));
  }

  /// Every second product takes back the one before as a T rounds it.
  void exactDotsKeepWhatProductsRoundAway() {
    constexpr std::size_t size = 5000;
    constexpr T little = std::is_same_v<T, float> ? static_cast<T>(0x1p-13) : static_cast<T>(0x1p-30);
    std::vector<T> a(size, 1 + little);
    std::vector<T> b(size, 1 + little);
    for (std::size_t i = 1; i < size; i += 2) {
      a[i] = -(1 + 2 * little);
      b[i] = 1;
    }
    DeviceVector<T> left(device_, a);
    DeviceVector<T> right(device_, b, 3);
    const std::array<const T*, 2> leaves{left.data(), right.data()};
    std::array<double, 6> sums{};
    kernels_.exactDots(device_.queue(), leaves.data(), 2, size, sums.data());
    const auto rounded = static_cast<double>(little) * static_cast<double>(little);
    EXPECT_EQ(sums[2] + sums[3], rounded * static_cast<double>(size / 2));
  }

  void combinationsHaveTheBitsOfASumInOrder() {
    for (const std::size_t count : leafCounts) {
      for (const std::size_t offset : offsets) combinationHasTheBits(count, offset);
    }
  }

  void aCombinationOfAnInfinityIsOne() {
    using Limits = std::numeric_limits<T>;
    const std::vector<T> values{1, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -2};
    DeviceVector<T> leaf(device_, values);
    DeviceVector<T> output(device_, std::vector<T>(values.size()));
    const T* leaves = leaf.data();
    T* outputs = output.data();
    const std::array<double, 2> half{0.5, 0x1p-60};
    const std::vector<T> expected{static_cast<T>(0.5), values[1], values[2], values[3], -1};
    kernels_.combine(device_.queue(), &leaves, half.data(), 1, values.size(), &outputs, 1);
    expectSameBits(output.read(), expected, "a combination");
    kernels_.exactCombine(device_.queue(), &leaves, half.data(), 1, values.size(), &outputs, 1);
    expectSameBits(output.read(), expected, "an exact combination");
  }

  void aCombinationMayReplaceItsLeaves() {
    const std::vector<TensorSegment> parts{{3, 150, 1}, {160, 20'003, 0}};
    const auto plan = kernels_.plan(device_.queue(), parts);
    for (const std::size_t count : {2U, 5U, 8U, 9U, 16U}) {
      Leaves<T> leaves(device_, count, 20'200, count % 4);
      const auto coefficients = randomValues<double>(2 * count, 5);
      std::vector<T*> outputs;
      for (auto& vector : leaves.vectors) outputs.push_back(vector.data());
      kernels_.combineSegments(device_.queue(), *plan, leaves.pointers.data(), coefficients.data(), count,
                               outputs.data(), count);
      for (std::size_t leaf = 0; leaf < count; ++leaf) {
        auto expected = leaves.values[leaf];
        for (const TensorSegment& part : parts) {
          const auto made = combined(leaves.values, coefficients.data() + part.tensor * count, part);
          std::copy(made.begin(), made.end(), expected.begin() + static_cast<std::ptrdiff_t>(part.start));
        }
        expectCombined(leaves.vectors[leaf].read(), expected, count, "leaf " + std::to_string(leaf));
      }
    }
  }

 private:
  /// All dot products; fails the test where something was written beside them.
  std::vector<double> dotsOf(const std::vector<const T*>& leaves, std::size_t size) {
    const auto pairs = static_cast<std::ptrdiff_t>(gramSize(leaves.size()));
    std::vector<double> sums(gramSize(leaves.size()) + 2, -7777);
    kernels_.dots(device_.queue(), leaves.data(), leaves.size(), size, sums.data() + 1);
    EXPECT_EQ(sums.front(), -7777);
    EXPECT_EQ(sums.back(), -7777);
    return {sums.begin() + 1, sums.begin() + 1 + pairs};
  }

  /// Into an output that is read in quads where the leaves are, and then into one more that does not.
  void combinationHasTheBits(std::size_t count, std::size_t offset) {
    constexpr std::size_t size = 1027;
    auto coefficients = randomValues<double>(2 * count, 77);
    for (std::size_t i = count; i < 2 * count; ++i) coefficients[i] *= 0x1p-54;  // what rounding took from the others
    const Leaves<T> leaves(device_, count, size, offset);
    DeviceVector<T> one(device_, std::vector<T>(size, 5), offset);
    DeviceVector<T> other(device_, std::vector<T>(size, 5), (offset + 1) % 4);
    const std::array<T*, 2> outputs{one.data(), other.data()};
    const auto expected = combined(leaves.values, coefficients.data(), {0, size, 0});
    kernels_.combine(device_.queue(), leaves.pointers.data(), coefficients.data(), count, size, outputs.data(), 1);
    expectCombined(one.read(), expected, count, "a combination of " + std::to_string(count));
    expectSameBits(other.read(), std::vector<T>(size, 5), "an output that was not asked for");
    kernels_.combine(device_.queue(), leaves.pointers.data(), coefficients.data(), count, size, outputs.data(), 2);
    expectCombined(one.read(), expected, count, "the same into two");
    expectCombined(other.read(), expected, count, "a second output");
    kernels_.exactCombine(device_.queue(), leaves.pointers.data(), coefficients.data(), count, size, outputs.data(), 2);
    const auto exact = exactlyCombined(leaves.values, coefficients);
    const auto found = one.read();
    for (std::size_t i = 0; i < size; ++i) {
      const double ofReference = static_cast<double>(count) * 0x1p-62;  // which has 64 bits itself
      ASSERT_NEAR(found[i], exact[i], std::abs(exact[i]) * std::numeric_limits<T>::epsilon() + ofReference) << i;
    }
  }

  void expectDots(const Leaves<T>& leaves, const TensorSegment& part, const double* sums) const {
    const std::size_t count = leaves.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i; j < count; ++j) {
        long double expected = 0;
        long double size = 0;
        for (std::size_t k = part.start; k < part.start + part.elements; ++k) {
          const auto product = static_cast<long double>(leaves.values[i][k]) * leaves.values[j][k];
          expected += product;
          size += std::abs(product);
        }
        ASSERT_NEAR(sums[gramIndex(i, j, count)], static_cast<double>(expected), static_cast<double>(size) * promise_)
            << "leaves " << i << ", " << j << " of " << count << ", " << part.elements << " elements";
      }
    }
  }

  static std::vector<T> combined(const std::vector<std::vector<T>>& leaves, const double* coefficients,
                                 const TensorSegment& part) {
    std::vector<T> result;
    for (std::size_t k = part.start; k < part.start + part.elements; ++k) {
      double sum = 0;
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        sum += coefficients[leaf] * static_cast<double>(leaves[leaf][k]);
      }
      result.push_back(static_cast<T>(sum));
    }
    return result;
  }

  static std::vector<double> exactlyCombined(const std::vector<std::vector<T>>& leaves,
                                             const std::vector<double>& coefficients) {
    std::vector<double> result;
    for (std::size_t k = 0; k < leaves.front().size(); ++k) {
      long double sum = 0;
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const long double value = leaves[leaf][k];
        sum += value * coefficients[leaf] + value * coefficients[leaves.size() + leaf];
      }
      result.push_back(static_cast<double>(sum));
    }
    return result;
  }

  void expectCombined(const std::vector<T>& found, const std::vector<T>& expected, std::size_t count,
                      const std::string& of) const {
    if constexpr (std::is_same_v<T, float>) {
      if (nextTo_) return expectNextTo(found, expected, count, of);
    }
    expectSameBits(found, expected, of);
  }

  Device& device_;
  const AdasumKernels<T>& kernels_;
  double promise_;
  bool nextTo_;  ///< combinations have the exact one's bits or those of a float next to it
};

class AdasumOn : public Kernels {
 protected:
  const AdasumKernels<float>& kernels() const {
    return tableOf(cpuAdasumKernels<float>, cudaAdasumKernels<float>, npuAdasumKernels);
  }
  /// Runs a check on floats and, where the device computes with them, on doubles.
  void check(void (AdasumChecks<float>::*ofFloats)(), void (AdasumChecks<double>::*ofDoubles)()) {
    AdasumChecks<float> floats(device(), kernels(), promised(1e-14), onNpu());
    (floats.*ofFloats)();
    if (onNpu()) return;
    AdasumChecks<double> doubles(
        device(), &device().kind() == &cudaKind() ? cudaAdasumKernels<double>() : cpuAdasumKernels<double>(),
        promised(1e-14), false);
    (doubles.*ofDoubles)();
  }
};
SLIPSTREAM_ON_ALL_DEVICES(AdasumOn);

TEST_P(AdasumOn, DotsAreThoseOfAReference) {
  check(&AdasumChecks<float>::dotsAreThoseOfAReference, &AdasumChecks<double>::dotsAreThoseOfAReference);
}
TEST_P(AdasumOn, PartsHaveTheSumsThatTheyHaveAlone) {
  check(&AdasumChecks<float>::partsHaveTheSumsThatTheyHaveAlone,
        &AdasumChecks<double>::partsHaveTheSumsThatTheyHaveAlone);
}
TEST_P(AdasumOn, BitsDoNotDependOnAddresses) {
  check(&AdasumChecks<float>::bitsDoNotDependOnAddresses, &AdasumChecks<double>::bitsDoNotDependOnAddresses);
}
TEST_P(AdasumOn, ABadLeafSpoilsItsOwnPairsOnly) {
  check(&AdasumChecks<float>::aBadLeafSpoilsItsOwnPairsOnly, &AdasumChecks<double>::aBadLeafSpoilsItsOwnPairsOnly);
}
TEST_P(AdasumOn, DotsOfExtremeValues) {
  AdasumChecks<float>(device(), kernels(), promised(1e-14), onNpu()).extremeValuesHaveTheirDots();
}
TEST_P(AdasumOn, ExactDotsKeepWhatCancels) {
  check(&AdasumChecks<float>::exactDotsKeepWhatCancels, &AdasumChecks<double>::exactDotsKeepWhatCancels);
}
TEST_P(AdasumOn, CombinationsHaveTheBitsOfASumInOrder) {
  check(&AdasumChecks<float>::combinationsHaveTheBitsOfASumInOrder,
        &AdasumChecks<double>::combinationsHaveTheBitsOfASumInOrder);
}
TEST_P(AdasumOn, ACombinationOfAnInfinityIsOne) {
  check(&AdasumChecks<float>::aCombinationOfAnInfinityIsOne, &AdasumChecks<double>::aCombinationOfAnInfinityIsOne);
}
TEST_P(AdasumOn, ACombinationMayReplaceItsLeaves) {
  check(&AdasumChecks<float>::aCombinationMayReplaceItsLeaves, &AdasumChecks<double>::aCombinationMayReplaceItsLeaves);
}

/// Ranks that are threads of one process, each with a device that it opened, do not meet in what kernels keep between
/// calls.
TEST_P(AdasumOn, ThreadsDoNotMeet) {
  constexpr std::size_t threadCount = 4;
  const auto dotsOf = [&](const Leaves<float>& leaves, DeviceQueue& own) {
    std::vector<double> sums(gramSize(3));
    kernels().dots(own, leaves.pointers.data(), 3, leaves.values.front().size(), sums.data());
    return sums;
  };
  std::vector<std::unique_ptr<Leaves<float>>> leaves;
  std::vector<std::vector<double>> alone;
  for (std::size_t t = 0; t < threadCount; ++t) {
    leaves.push_back(std::make_unique<Leaves<float>>(device(), 3, 10'000 * (t + 1)));
    alone.push_back(dotsOf(*leaves.back(), queue()));
  }
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < threadCount; ++t) {
    threads.emplace_back([&, t] {
      MemoryMeter meter;
      const auto own = openDevice(device().kind(), 0, meter);
      ASSERT_TRUE(own) << toText(own.error());
      for (int turn = 0; turn < 20; ++turn) EXPECT_EQ(dotsOf(*leaves[t], (*own)->queue()), alone[t]);
    });
  }
}

TEST(AdasumOnAGpu, MoreThan64LeavesAreRefused) {
  const std::vector<const float*> leaves(65);
  std::vector<double> sums(gramSize(65));
  EXPECT_THROW(cudaAdasumKernels<float>().dots(hostQueue(), leaves.data(), 65, 0, sums.data()), Error);
}

}  // namespace
}  // namespace slipstream
