// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/algorithms.h"
#include "tests/boost/update_fixture.h"
#include "tests/boost/withheld_memory.h"
#include "tests/support/golden.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using nlohmann::json;

std::vector<float> flattened(const json& tensors) {
  std::vector<float> values;
  for (const json& tensor : tensors) {
    for (const double value : tensor.at("data")) values.push_back(static_cast<float>(value));
  }
  return values;
}

ParameterLayout layoutOf(const json& one) {
  std::vector<std::int64_t> lengths;
  for (const json& tensor : one.at("w0")) lengths.push_back(static_cast<std::int64_t>(tensor.at("data").size()));
  return test::layoutOf(lengths);
}

Experiment experimentOf(const json& one, AdasumExchange exchange) {
  Experiment experiment;
  experiment.optimizer.kind = OptimizerKind::momentum;
  experiment.optimizer.schedule.maximum = one.at("lr");
  experiment.optimizer.momentum = one.at("momentum");
  experiment.optimizer.weightDecay = one.at("weight_decay");
  ParameterGroupSpec spared;
  for (std::size_t t = 0; t < one.at("decay_flags").size(); ++t) {
    if (!one.at("decay_flags").at(t).get<bool>()) spared.match.push_back("t" + std::to_string(t));
  }
  spared.weightDecay = 0.0;
  experiment.optimizer.groups.push_back(spared);
  experiment.boost.edit<AdasumOptions>() = {AdasumMode::deltas, AdasumScope::servers, exchange};
  return experiment;
}

void expectWeights(std::span<const float> weights, const json& tensors, double tolerance, const std::string& what) {
  std::size_t position = 0;
  for (const json& tensor : tensors) {
    const auto expected = tensor.at("data").get<std::vector<double>>();
    double scale = 0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (const double value : expected) {
      ASSERT_NEAR(static_cast<double>(weights[position]), value, tolerance * scale) << what << " element " << position;
      ++position;
    }
  }
  EXPECT_EQ(position, weights.size());
}

void expectCase(const json& one, double tolerance, AdasumExchange exchange, bool shareMemory) {
  const auto layout = layoutOf(one);
  const auto experiment = experimentOf(one, exchange);
  const int perServer = one.at("device_number");
  std::vector<int> serverOfRank;
  for (int rank = 0; rank < one.at("servers").get<int>() * perServer; ++rank) serverOfRank.push_back(rank / perServer);
  test::spawnRanks(static_cast<int>(serverOfRank.size()), [&](Communicator& world) {
    test::WithheldMemory withheld(world);
    Communicator& communicator = shareMemory ? world : withheld;
    test::UpdateRank rank(communicator, layout, bucketsBySize(layout, 256), experiment, serverOfRank, makeAdasum);
    std::ranges::copy(flattened(one.at("w0")), rank.weights().begin());
    const json& gradients = one.at("grads[step][rank][param]");
    for (std::size_t step = 0; step < gradients.size(); ++step) {
      rank.step(flattened(gradients.at(step).at(static_cast<std::size_t>(world.rank()))));
      expectWeights(rank.weights(), one.at("weights_after_step").at(step), tolerance,
                    "rank " + std::to_string(world.rank()) + " step " + std::to_string(step));
    }
  });
}

TEST(TrainStepGolden, DeltasOverServers) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "adasum_train_step.json");
  const double tolerance = file.at("tol").at("f32_rtol");
  test::CaseCounter counter("adasum_train_step.json", file.at("cases").size());
  for (const json& one : file.at("cases")) {
    expectCase(one, tolerance, AdasumExchange::window, true);
    expectCase(one, tolerance, AdasumExchange::halving, false);
    expectCase(one, tolerance, AdasumExchange::gram, false);
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
