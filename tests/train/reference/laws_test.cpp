// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of whole trainings, for every algorithm of the interplay table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/train/support/interplay_pairs.h"
#include "tests/train/reference/both_runs.h"

namespace slipstream::reference {
namespace {

using test::Algorithm;
using test::interplayAlgorithms;

class Laws : public testing::TestWithParam<Algorithm> {
 protected:
  static std::string algorithm() { return GetParam().name; }
  static Case with(Case both) {
    switchOn(both, algorithm());
    return both;
  }
};

/// Every rank reads the same samples: their mean is each of them, and so is Adasum of equal gradients.
TEST_P(Laws, RanksThatReadTheSameTrainAsOne) {
  const auto end = [](int ranks, const std::string& other) {
    Case both = with(plainCase(ranks));
    if (!other.empty()) switchOn(both, other);
    both.patch(R"({"dataset": {"shard": false}})");
    return trainedWeights(both);
  };
  for (const Algorithm& other : interplayAlgorithms()) {
    if (!test::isPair(GetParam(), other) || test::mayBeRefused(GetParam(), other)) continue;
    const Tensors alone = end(1, other.name);
    EXPECT_LE(relativeDistance(end(4, other.name), alone), 1e-6) << algorithm() << " with " << other.name;
  }
  EXPECT_LE(relativeDistance(end(8, ""), end(1, "")), 1e-6);
}

/// Settings that mean nothing change no bit; nor does a loss scale that is a power of two.
TEST_P(Laws, NeutralSettingsChangeNoBit) {
  struct Neutral {
    const char* excluded;
    const char* changes;
  };
  const std::vector<Neutral> neutral{
      {"micro-batches", R"({"train": {"micro_size": 1}})"},
      {"", R"({"parallel": {"gradients_mean": true}, "optimizer": {"nesterov": false}})"},
      {"loss_scale", R"({"precision": {"loss_scale": {"kind": "fixed", "scale": 1}}})"},
      {"loss_scale", R"({"precision": {"loss_scale": {"kind": "fixed", "scale": 4096}}})"},
      {"loss_scale", R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 65536, "window": 2}}})"},
  };
  for (const int ranks : {1, 3}) {
    const Tensors plain = trainedWeights(with(plainCase(ranks)));
    for (const Neutral& one : neutral) {
      if (*one.excluded != 0 && algorithm().starts_with(one.excluded)) continue;
      Case both = with(plainCase(ranks));
      both.patch(one.changes);
      EXPECT_EQ(relativeDistance(trainedWeights(both), plain), 0) << ranks << " ranks: " << one.changes;
    }
  }
}

/// Those that act on a perceptron, and do not cut batches themselves.
std::vector<Algorithm> algorithmsOfPerceptrons() {
  std::vector<Algorithm> some = interplayAlgorithms();
  std::erase_if(some, [](const Algorithm& one) {
    const std::string name = one.name;
    return name == "less_bn" || name == "loss_scale_group" || name == "micro-batches";
  });
  return some;
}

class LawsWithoutBatchNorm : public Laws {};

/// Parts of a batch are the batch.
TEST_P(LawsWithoutBatchNorm, MicroBatchesAreOneBatch) {
  const Tensors whole = trainedWeights(with(plainPerceptronCase(2)));
  for (const int parts : {2, 3, 4}) {
    Case both = with(plainPerceptronCase(2));
    both.experiment["train"]["micro_size"] = parts;
    EXPECT_LE(relativeDistance(trainedWeights(both), whole), 1e-6) << parts;
  }
}

std::string nameOfLaw(const testing::TestParamInfo<Algorithm>& parameter) {
  std::string name = parameter.param.name;
  std::ranges::replace_if(
      name, [](char letter) { return !std::isalnum(letter); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Laws, testing::ValuesIn(interplayAlgorithms()), nameOfLaw);
INSTANTIATE_TEST_SUITE_P(Algorithms, LawsWithoutBatchNorm, testing::ValuesIn(algorithmsOfPerceptrons()), nameOfLaw);

/// On one rank an algorithm that exchanges has nothing to exchange: the same bits as plain training.
TEST(LawsOfOneRank, NothingIsExchanged) {
  const Tensors plain = trainedWeights(plainCase(1));
  for (const char* name :
       {"adasum, gradients", "adasum, flat deltas", "adasum, deltas of servers", "optimizer_parallel"}) {
    Case both = plainCase(1);
    switchOn(both, name);
    EXPECT_EQ(relativeDistance(trainedWeights(both), plain), 0) << name;
  }
}

}  // namespace
}  // namespace slipstream::reference
