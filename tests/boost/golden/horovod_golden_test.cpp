// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/boost/adasum_ranks.h"
#include "tests/boost/adasum_reference.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using nlohmann::json;

/// The input rule of horovod/README.md.
struct Inputs {
  std::uint64_t seed;

  std::int64_t hash(std::uint64_t stream, std::uint64_t layer, std::uint64_t i) const {
    std::uint64_t z = (seed * 1000003 + stream * 8191 + layer * 131) * 0x2545F4914F6CDD1DULL + i;
    z += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return static_cast<std::int64_t>((z >> 33) % 255) - 127;
  }

  std::int64_t value(const std::string& kind, std::int64_t q, std::uint64_t rank, std::uint64_t layer,
                     std::uint64_t i) const {
    if (kind == "zero" || (kind == "zero_odd" && rank % 2 == 1)) return 0;
    if (kind == "onehot") return i % 16 == rank ? 4 * hash(rank + 1, layer, i) : 0;
    if (kind == "anti") return (rank % 2 == 0 ? 4 : -4) * hash(0, layer, i);
    if (kind != "mix" && kind != "zero_odd") throw std::runtime_error("unknown kind of layer: " + kind);
    return q * hash(0, layer, i) + (4 - q) * hash(rank + 1, layer, i);
  }

  double sign(std::uint64_t layer, std::uint64_t i) const { return hash(777, layer, i) >= 0 ? 1 : -1; }
};

struct Bars {
  double horovod;  ///< relative L2 a layer, against Horovod's own result
  double tree;     ///< relative L2 a case, against the tree in extended precision
};

Bars barsOf(const std::string& type, double horovodsError) {
  if (type == "f64") return {1e-13, std::max(2 * horovodsError, 1e-15)};
  if (type == "f32") return {5e-7, 2 * horovodsError + 1e-9};
  return {2e-3, 2 * horovodsError + 1e-5};
}

template <class T>
void expectLayer(const json& expected, const T* values, const Inputs& inputs, std::uint64_t layer, double bar,
                 const std::string& what) {
  const auto count = expected.at("n").get<std::size_t>();
  const double length = expected.at("l2");
  double square = 0;
  double sum = 0;
  double signedSum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(values[i]);
    square += value * value;
    sum += value;
    signedSum += value * inputs.sign(layer, i);
  }
  const double allowed = bar * (length > 0 ? length : 1);
  EXPECT_LE(std::abs(std::sqrt(square) - length), allowed) << what;
  const double allowedSum = allowed * std::sqrt(static_cast<double>(count));
  EXPECT_LE(std::abs(sum - expected.at("sum").get<double>()), allowedSum) << what;
  EXPECT_LE(std::abs(signedSum - expected.at("signed_sum").get<double>()), allowedSum) << what;
  if (expected.contains("values")) {
    const auto all = expected.at("values").get<std::vector<double>>();
    ASSERT_EQ(all.size(), count) << what;
    EXPECT_LE(test::relativeError(values, all), bar) << what;
  } else {
    for (const auto& sample : expected.at("samples").items()) {
      const double value = sample.value();
      EXPECT_LE(std::abs(static_cast<double>(values[std::stoul(sample.key())]) - value), allowed) << what;
    }
  }
}

template <class T>
void expectCase(const json& one, AdasumExchange exchange) {
  const Inputs rule{one.at("seed")};
  const auto ranks = one.at("ranks").get<std::size_t>();
  std::vector<std::vector<T>> inputs(ranks);
  std::vector<std::int64_t> offsets{0};
  for (std::size_t layer = 0; layer < one.at("layers").size(); ++layer) {
    const json& shape = one.at("layers").at(layer);
    const auto count = shape.at(0).get<std::size_t>();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto x = static_cast<double>(rule.value(shape.at(1), shape.at(2), rank, layer, i));
        inputs[rank].push_back(static_cast<T>(static_cast<float>(std::ldexp(x / 512, shape.at(3).get<int>()))));
      }
    }
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(count));
  }
  ASSERT_EQ(offsets.back(), one.at("total").get<std::int64_t>());

  const std::string what = one.at("id").get<std::string>() + " form " + std::to_string(static_cast<int>(exchange));
  const Bars bars = barsOf(one.at("dtype"), one.at("horovod_rel_l2_error_vs_fp64_tree"));
  const auto result = test::runAdasum<T>(inputs, offsets, exchange).values;
  std::vector<double> tree;
  for (std::size_t layer = 0; layer + 1 < offsets.size(); ++layer) {
    expectLayer(one.at("result").at(layer), result.data() + offsets[layer], rule, layer, bars.horovod,
                what + " layer " + std::to_string(layer));
    std::vector<std::vector<double>> vectors;
    for (const auto& input : inputs)
      vectors.emplace_back(input.begin() + offsets[layer], input.begin() + offsets[layer + 1]);
    const auto combined = test::referenceAdasum(vectors);
    tree.insert(tree.end(), combined.begin(), combined.end());
  }
  EXPECT_LE(test::relativeError(result.data(), tree), bars.tree) << what;
}

TEST(HorovodGolden, Cases) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "horovod/adasum-cases.json");
  test::CaseCounter counter("horovod/adasum-cases.json", file.at("cases").size());
  for (const json& one : file.at("cases")) {
    const std::string type = one.at("dtype");
    for (const auto exchange : test::everyExchange) {
      if (type == "f64") {
        expectCase<double>(one, exchange);
      } else if (type == "f32") {
        expectCase<float>(one, exchange);
      } else {
        ASSERT_EQ(type, "f16");
        expectCase<_Float16>(one, exchange);
      }
    }
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
