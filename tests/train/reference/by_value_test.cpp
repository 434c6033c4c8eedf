// SPDX-License-Identifier: GPL-3.0-or-later
// Every pair of algorithms that is allowed, and every algorithm under other conditions, against a float64 reference of
// the whole training by value.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/train/support/interplay_pairs.h"
#include "tests/train/reference/both_runs.h"

namespace slipstream::reference {
namespace {

using test::Algorithm;
using test::interplayAlgorithms;

class ByValue : public testing::TestWithParam<std::tuple<Algorithm, int>> {
 protected:
  static std::string algorithm() { return std::get<0>(GetParam()).name; }
  static int ranks() { return std::get<1>(GetParam()); }
};

/// Weights are compared at 1e-6 of their norm: float32 rounds them by at most 6e-8 of it a step, and errors of the
/// gradients come in by the rate. The trainings change them by at least a twentieth, hence the bound on the change.
void expectAgreement(const Case& both, const std::string& what, double changeBound = 2e-5) {
  SCOPED_TRACE(what);
  const Distance distance = distanceOf(both);
  EXPECT_LE(distance.weights, 1e-6);
  EXPECT_LE(distance.change, changeBound);
  EXPECT_LE(distance.losses, 1e-6);
  EXPECT_LE(distance.statistics, 1e-6);
}

Case caseOf(const std::string& algorithm, int ranks) {
  Case both = plainCase(ranks);
  switchOn(both, algorithm);
  return both;
}

/// In shared memory, and with an odd number of ranks by messages too.
void expectAgreementOfBothWays(Case both, const std::string& what) {
  expectAgreement(both, what);
  both.byMessages = true;
  if (both.settings.ranks() == 3) expectAgreement(both, what + ", by messages");
}

TEST_P(ByValue, WithEveryOther) {
  bool before = true;
  for (const Algorithm& other : interplayAlgorithms()) {
    if (other.name == algorithm()) before = false;
    if (before || !test::isPair(std::get<0>(GetParam()), other)) continue;
    if (test::mayBeRefused(std::get<0>(GetParam()), other)) continue;
    Case both = caseOf(algorithm(), ranks());
    switchOn(both, other.name);
    expectAgreementOfBothWays(both, fmt::format("{} with {} on {}", algorithm(), other.name, ranks()));
  }
}

TEST_P(ByValue, UnderEveryCondition) {
  for (const Condition& condition : conditions()) {
    if (std::ranges::find(condition.excluded, algorithm()) != condition.excluded.end()) continue;
    Case both = caseOf(algorithm(), ranks());
    condition.apply(both);
    expectAgreement(both, fmt::format("{} with {} on {}", algorithm(), condition.name, ranks()));
  }
}

/// Orthonormal rows over all weights, drawn at random.
Eigen::MatrixXd randomProjection(const Network& network, int components) {
  Eigen::Index weights = 0;
  for (const Tensor& tensor : network.tensors()) weights += std::ssize(tensor.values);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd columns = Eigen::MatrixXd::NullaryExpr(weights, components, [&] { return normal(random); });
  const Eigen::MatrixXd orthonormal =
      Eigen::HouseholderQR<Eigen::MatrixXd>(columns).householderQ() * Eigen::MatrixXd::Identity(weights, components);
  return orthonormal.transpose();
}

class GivenProjection : public testing::TestWithParam<int> {};

/// The columns of the file are MindSpore's: tensors in forward order, convolutions with their inputs first. Three
/// random directions change the weights by a hundredth of their norm, which bounds the change as it does above.
TEST_P(GivenProjection, IsUsedAsItIsByBothMethods) {
  for (const char* method : {"bfgs", "sgd"}) {
    Case both = plainCase(GetParam());
    both.patch(R"({"boost": {"dictionary": {"boost": {"dim_reduce": true},
                   "dim_reduce": {"n_components": 3, "weight_decay": 0.01}}}})");
    both.experiment["boost"]["dictionary"]["dim_reduce"]["method"] = method;
    both.projection = randomProjection(networkOf(both), 3);
    both.settings.update = Update::subspace;
    both.settings.subspace = {.sgd = method == std::string("sgd"), .components = 3, .decay = 0.01};
    both.settings.subspace.rate = both.settings.optimizer.rate;
    both.settings.subspace.momentum = both.settings.optimizer.momentum;
    expectAgreement(both, fmt::format("{} on {}", method, GetParam()), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, GivenProjection, testing::Values(1, 2, 3, 4, 8));

INSTANTIATE_TEST_SUITE_P(Algorithms, ByValue,
                         testing::Combine(testing::ValuesIn(interplayAlgorithms()), testing::Values(1, 2, 3, 4, 8)),
                         [](const auto& parameter) {
                           std::string name = std::get<0>(parameter.param).name;
                           std::ranges::replace_if(
                               name, [](char letter) { return !std::isalnum(letter); }, '_');
                           return fmt::format("{}_on_{}", name, std::get<1>(parameter.param));
                         });

}  // namespace
}  // namespace slipstream::reference
