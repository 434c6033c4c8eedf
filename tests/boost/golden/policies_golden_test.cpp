// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/grad_centralization/grad_centralization.h"
#include "engine/boost/grad_freeze/freeze_schedule.h"
#include "engine/boost/loss_scale/loss_scale.h"
#include "tests/boost/update_fixture.h"
#include "tests/nn/host.h"
#include "tests/nn/shapes.h"
#include "tests/support/golden.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using nlohmann::json;

std::vector<float> floatsOf(const json& tensor) {
  return tensor.at("data").get<std::vector<float>>();
}

void expectNear(std::span<const float> actual, const json& tensor, double relative, double absolute = 0) {
  const auto expected = tensor.at("data").get<std::vector<double>>();
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], relative * largest + absolute) << "element " << i;
  }
}

GradFreezeOptions freezeOptions(const json& one, int type) {
  GradFreezeOptions options;
  options.freezeType = type;
  options.freezeP = one.at("freeze_p");
  options.totalSteps = one.at("total_steps");
  return options;
}

void expectSequence(FreezeSchedule schedule, const json& one) {
  const auto sequence = one.at("sequence").get<std::vector<int>>();
  EXPECT_EQ(schedule.length(), one.at("length").get<std::int64_t>());
  for (std::size_t step = 0; step < 2 * sequence.size(); ++step) {
    ASSERT_EQ(schedule.groupAt(static_cast<std::int64_t>(step)), sequence[step % sequence.size()]) << "step " << step;
  }
}

TEST(FreezeGolden, SchedulesAreExactAndStartOver) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "grad_freeze.json");
  test::CaseCounter counter("grad_freeze.json type0 and type1", file["type0"].size() + file["type1"].size());
  for (const json& one : file["type0"]) {
    SCOPED_TRACE(one["groups"].dump());
    expectSequence({freezeOptions(one, 0), one["groups"], [] { return 0.0; }}, one);
    counter.used();
  }
  for (const json& one : file["type1"]) {
    SCOPED_TRACE(one["groups"].dump());
    const auto draws = one["uniform_draws"].get<std::vector<double>>();
    std::size_t drawn = 0;
    expectSequence({freezeOptions(one, 1), one["groups"], [&] { return draws.at(drawn++); }}, one);
    EXPECT_EQ(drawn, draws.size());
    counter.used();
  }
  counter.finish();
}

/// One step of the trace, in double: a tensor from `group` on moves its one momentum buffer, the others keep theirs.
struct OneBufferEach {
  std::vector<std::vector<double>> weights;
  std::vector<std::vector<double>> velocity;
  void step(const json& gradients, std::size_t group, double rate, double momentum) {
    for (std::size_t tensor = group; tensor < weights.size(); ++tensor) {
      const auto gradient = gradients.at(tensor).at("data").get<std::vector<double>>();
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        velocity[tensor][i] = momentum * velocity[tensor][i] + gradient[i];
        weights[tensor][i] -= rate * velocity[tensor][i];
      }
    }
  }
};

/// MindSpore keeps a momentum buffer for each group that a tensor is in; ours is the tensor's. So the trace is ours
/// where a tensor has one group only (the first), and for all others until they are trained by a second group.
TEST(FreezeGolden, TrainTraceWithOneMomentumBufferATensor) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "grad_freeze.json");
  const json trace = file["freeze_step"];
  const auto strategy = trace["strategy"].get<std::vector<int>>();
  const auto rates = trace["lr"].get<std::vector<double>>();
  const std::size_t count = trace["w0"].size();
  OneBufferEach reference;
  std::vector<std::int64_t> lengths;
  std::vector<float> start;
  for (std::size_t i = 0; i < count; ++i) {
    reference.weights.push_back(trace["w0"][i]["data"]);
    reference.velocity.emplace_back(reference.weights.back().size());
    const auto values = floatsOf(trace["w0"][count - 1 - i]);
    lengths.push_back(std::ssize(values));
    start.insert(start.end(), values.begin(), values.end());
  }
  const ParameterLayout layout = test::layoutOf(lengths);
  Experiment experiment = test::plainExperiment();
  experiment.optimizer.kind = OptimizerKind::momentum;
  experiment.optimizer.momentum = trace["momentum"];
  const double length = rates[0] / (rates[0] - rates[1]);  // of the line that the rates lie on
  experiment.optimizer.schedule = {.mode = ScheduleMode::linear, .maximum = rates[0], .totalEpochs = length / 10.0};
  test::CaseCounter counter("grad_freeze.json freeze_step", strategy.size());
  test::spawnRanks(1, [&](Communicator& communicator) {
    test::UpdateRank rank(communicator, layout, bucketsBySize(layout, 64), experiment, {0}, makeAveraged);
    std::ranges::copy(start, rank.weights().begin());
    bool secondGroup = false;
    for (std::size_t step = 0; step < strategy.size(); ++step) {
      std::vector<float> gradient;
      for (std::size_t i = count; i-- > 0;) {
        const auto values = floatsOf(trace["grads"][step][i]);
        gradient.insert(gradient.end(), values.begin(), values.end());
      }
      rank.step(gradient, false, {.firstTrainedLayer = strategy[step]});
      reference.step(trace["grads"][step], static_cast<std::size_t>(strategy[step]), rates[step], trace["momentum"]);
      secondGroup |= strategy[step] > 0;
      for (std::size_t i = 0; i < count; ++i) {
        const FlatTensor& tensor = layout.tensor("t" + std::to_string(count - 1 - i));
        const auto weights = rank.weights().subspan(static_cast<std::size_t>(tensor.range.begin),
                                                    static_cast<std::size_t>(tensor.range.size()));
        for (std::size_t at = 0; at < weights.size(); ++at) ASSERT_NEAR(weights[at], reference.weights[i][at], 1e-6);
        if (i == 0 || !secondGroup) expectNear(weights, trace["weights_after_step"][step][i], 2e-6);
      }
      counter.used();
    }
  });
  counter.finish();
}

/// What one step of `scale` does to gradients that overflow where told; returns the scale that backward used.
struct ScaledStep {
  double used = 0;
  bool updated = false;
  std::vector<double> after;
};

ScaledStep scaledStep(LossScale& scale, const ParameterLayout& layout, std::int64_t step,
                      const std::vector<bool>& overflow) {
  StepPlan plan;
  scale.plan(step, plan);
  StepOutcome outcome;
  for (std::size_t tensor = 0; tensor < layout.tensors().size(); ++tensor) {
    const FlatTensor& flat = layout.tensors()[tensor];
    std::vector<float> gradient(static_cast<std::size_t>(flat.range.size()), static_cast<float>(plan.lossScale));
    if (overflow[tensor]) gradient.back() = std::numeric_limits<float>::infinity();
    scale.apply(plan, std::span(&flat, 1), gradient);
    if (!scale.overflowFlags().empty() && !overflow[tensor]) {
      EXPECT_NEAR(gradient.front(), 1.0, 1e-6);
    }
  }
  for (const double flag : scale.overflowFlags()) outcome.overflow |= flag > 0;
  outcome.updated = !outcome.overflow;
  scale.afterStep(plan, outcome);
  const auto state = scale.state();
  return {plan.lossScale, outcome.updated, {state.begin() + 3, state.end()}};
}

TEST(LossScaleGolden, DynamicScalesFollowTheHost) {
  const test::Host host;
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json cases = test::readGolden(folder, "loss_scale.json")["dynamic"];
  test::CaseCounter counter("loss_scale.json dynamic", cases.size());
  const ParameterLayout layout(test::unitTensors(1));
  for (const json& one : cases) {
    LossScaleSpec spec{LossScaleKind::dynamic, one["init"], one["scale_factor"], one["scale_window"]};
    const auto scale = makeLossScale(spec, {}, layout, cpuLossScaleKernels(), *host.device);
    for (std::size_t step = 0; step < one["overflow"].size(); ++step) {
      const auto done = scaledStep(*scale, layout, static_cast<std::int64_t>(step), {one["overflow"][step]});
      EXPECT_EQ(done.used, one["host"][step][0].get<double>()) << step;
      EXPECT_EQ(done.after[0], one["host"][step][1].get<double>()) << step;
      EXPECT_EQ(done.updated, one["host"][step][2].get<bool>()) << step;
    }
    EXPECT_EQ(one["agree"].get<bool>(), one["host"] == one["device"]);
    counter.used();
  }
  counter.finish();
}

TEST(LossScaleGolden, FixedScalesDropOverflowsOrNeverLook) {
  const test::Host host;
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json cases = test::readGolden(folder, "loss_scale.json")["fixed"];
  test::CaseCounter counter("loss_scale.json fixed", cases.size());
  const ParameterLayout layout(test::unitTensors(1));
  for (const json& one : cases) {
    LossScaleSpec spec{LossScaleKind::fixed, one["loss_scale"]};
    counter.used();
    if (one.contains("expect")) {
      EXPECT_THROW(makeLossScale(spec, {}, layout, cpuLossScaleKernels(), *host.device), Error);
      continue;
    }
    spec.dropOverflowUpdate = one["drop_overflow_update"];
    const auto scale = makeLossScale(spec, {}, layout, cpuLossScaleKernels(), *host.device);
    for (std::size_t step = 0; step < one["overflow"].size(); ++step) {
      const auto done = scaledStep(*scale, layout, static_cast<std::int64_t>(step), {one["overflow"][step]});
      EXPECT_EQ(done.used, one["scale"][step].get<double>());
      EXPECT_EQ(done.updated, one["optimizer_ran"][step].get<bool>());
    }
  }
  counter.finish();
}

TEST(LossScaleGolden, GroupsShrinkByTheirOwnOverflows) {
  const test::Host host;
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json cases = test::readGolden(folder, "loss_scale.json")["group"];
  test::CaseCounter counter("loss_scale.json group", cases.size());
  for (const json& one : cases) {
    const int groups = one["groups"];
    const ParameterLayout layout(test::unitTensors(groups));
    OptimizerSpec optimizer;
    for (int group = 0; group + 1 < groups; ++group)
      optimizer.groups.push_back({.match = {"t" + std::to_string(group)}});
    const auto scale =
        makeLossScale({LossScaleKind::group, one["init"]}, optimizer, layout, cpuLossScaleKernels(), *host.device);
    std::int64_t number = 0;
    for (const json& step : one["steps"]) {
      auto overflow = step["overflow"].get<std::vector<bool>>();
      std::reverse(overflow.begin(), overflow.end());  // tensors stand in backward order
      const auto done = scaledStep(*scale, layout, number++, overflow);
      EXPECT_EQ(done.updated, step["optimizer_ran"].get<bool>());
      ASSERT_EQ(done.after.size(), static_cast<std::size_t>(groups));
      for (std::size_t group = 0; group < done.after.size(); ++group) {
        const double expected = step["scale_after"][group];
        EXPECT_NEAR(done.after[group], expected, 1e-11 * expected) << "step " << number << " group " << group;
      }
    }
    counter.used();
  }
  counter.finish();
}

TEST(LossScaleGolden, InvalidSettingsAreRefused) {
  const test::Host host;
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json cases = test::readGolden(folder, "loss_scale.json")["invalid"];
  test::CaseCounter counter("loss_scale.json invalid", cases.size());
  const ParameterLayout layout(test::unitTensors(1));
  for (const json& one : cases) {
    const LossScaleSpec spec{LossScaleKind::dynamic, one.value("init_loss_scale", 1024.0),
                             one.value("scale_factor", 2.0), one.value("scale_window", std::int64_t{2000})};
    EXPECT_THROW(makeLossScale(spec, {}, layout, cpuLossScaleKernels(), *host.device), Error) << one.dump();
    counter.used();
  }
  counter.finish();
}

/// acc += g / N on every micro-step, one update on the N-th: here one step of N batches, so that nothing is pending
/// between steps. MindSpore drops what is pending at the end of the run; ours would be a last step of fewer batches.
TEST(AccumulationGolden, StepFormIsOneUpdateForTheMean) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "grad_accumulation.json");
  test::CaseCounter counter("grad_accumulation.json boost", file["boost"].size());
  for (const json& one : file["boost"]) {
    const int parts = one["max_accumulation_step"];
    SCOPED_TRACE(parts);
    Experiment experiment = test::plainExperiment();
    experiment.optimizer.kind = OptimizerKind::momentum;
    experiment.optimizer.momentum = one["opt"]["momentum"];
    experiment.optimizer.weightDecay = one["opt"]["weight_decay"];
    experiment.optimizer.schedule.maximum = one["opt"]["lr"];
    const auto start = floatsOf(one["w0"]);
    const ParameterLayout layout = test::layoutOf({std::ssize(start)});
    test::spawnRanks(1, [&](Communicator& communicator) {
      test::UpdateRank rank(communicator, layout, bucketsBySize(layout, 64), experiment, {0}, makeAveraged);
      std::ranges::copy(start, rank.weights().begin());
      std::vector<float> sum(start.size());
      int held = 0;
      for (std::size_t micro = 0; micro < one["trace"].size(); ++micro) {
        const auto gradient = floatsOf(one["grads"][micro]);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gradient[i] / static_cast<float>(parts);
        const json& row = one["trace"][micro];
        EXPECT_EQ(row["updated"].get<bool>(), ++held == parts);
        if (held == parts) {
          rank.step(sum);
          std::ranges::fill(sum, 0.0F);
          held = 0;
        }
        expectNear(rank.weights(), row["w"], file["tol"]["f32_rtol"]);
        expectNear(sum, row["acc"], file["tol"]["f32_rtol"]);
      }
      EXPECT_EQ(held, one["pending_micro_steps_at_end"].get<int>());
    });
    counter.used();
  }
  counter.finish();
}

/// `gradient`, of one tensor, as the pass leaves it.
std::vector<float> centralized(Communicator& communicator, const ParameterLayout& layout, const Experiment& experiment,
                               std::vector<float> gradient) {
  const test::Host host;
  GradCentralization centralization(
      {layout, bucketsBySize(layout, 64), experiment, {0}, 10.0, 100, communicator, *host.device, cpuKernelTables()});
  centralization.apply({0, layout.size()}, gradient, std::vector<float>(gradient.size()));
  return gradient;
}

/// MindSpore leaves tensors out whose second dimension is no multiple of 16; ours centralises them all.
TEST(CentralizationGolden, EveryTensorOfTwoDimensionsLosesItsRowMeans) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "optimizers.json");
  const json& tolerance = file["tol"];
  test::CaseCounter counter("optimizers.json grad_centralization", file["grad_centralization"].size());
  Experiment experiment = test::plainExperiment();
  experiment.optimizer.gradCentralization = true;
  for (const json& one : file["grad_centralization"]) {
    const ParameterLayout layout(test::shapeOf({{"t0", one["grad"]["shape"]}}));
    test::spawnRanks(1, [&](Communicator& communicator) {
      const auto gradient = centralized(communicator, layout, experiment, floatsOf(one["grad"]));
      expectNear(gradient, one["always_out"], tolerance["f32_rtol"], tolerance["f32_atol"]);
    });
    const bool applied = one["mindspore_applied"];
    expectNear(floatsOf(one["mindspore_out"]), applied ? one["always_out"] : one["grad"], 1e-6);
    counter.used();
  }
  counter.finish();
}

/// The traces are MindSpore's, so the tensors that it leaves out are left out here by a group of their own. Momentum's
/// weight decay is centralised with the gradient, SGD's is not.
TEST(CentralizationGolden, OptimizerTracesWithCentralisedGradients) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "optimizers.json");
  const json& tolerance = file["tol"];
  std::size_t expected = 0;
  for (const json& one : file["cases"]) expected += one.value("grad_centralization", false) ? 1U : 0U;
  test::CaseCounter counter("optimizers.json cases with centralisation", expected);
  for (const json& one : file["cases"]) {
    if (!one.value("grad_centralization", false)) continue;
    SCOPED_TRACE(one["opt"].get<std::string>() + " " + one["param"].get<std::string>());
    const auto shape = one["w0"]["shape"].get<std::vector<std::int64_t>>();
    const auto rates = one["lr"].get<std::vector<double>>();
    Experiment experiment = test::plainExperiment();
    OptimizerSpec& optimizer = experiment.optimizer;
    optimizer.kind = one["opt"] == "sgd" ? OptimizerKind::sgd : OptimizerKind::momentum;
    optimizer.momentum = one["momentum"];
    optimizer.dampening = one.value("dampening", 0.0);
    optimizer.weightDecay = one["weight_decay"];
    optimizer.lossScale = one["loss_scale"];
    optimizer.schedule = {
        .mode = ScheduleMode::linear, .maximum = rates[0], .totalEpochs = rates[0] / (rates[0] - rates[1]) / 10.0};
    optimizer.gradCentralization = true;
    if (shape.size() > 1 && shape[1] % 16 != 0) {
      optimizer.groups = {{.match = {"*"}, .gradCentralization = false}};
    }
    const ParameterLayout layout(test::shapeOf({{"t0", shape}}));
    test::spawnRanks(1, [&](Communicator& communicator) {
      test::UpdateRank rank(communicator, layout, bucketsBySize(layout, 64), experiment, {0}, makeAveraged);
      std::ranges::copy(floatsOf(one["w0"]), rank.weights().begin());
      for (std::size_t step = 0; step < rates.size(); ++step) {
        rank.step(floatsOf(one["scaled_grads"][step]));
        expectNear(rank.weights(), one["weights"][step], tolerance["f32_rtol"], tolerance["f32_atol"]);
      }
    });
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
