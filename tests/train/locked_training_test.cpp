// Training on a device whose memory ends the process that touches it: wherever the engine takes a GPU's memory for the
// host's, a test here dies. And what comes out is what the CPU makes of the same experiment, bit for bit.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/plan/plan_file.h"
#include "tests/plan/text_files.h"
#include "tests/train/locked_tools.h"
#include "tests/train/thread_run.h"

namespace slipstream {
namespace {

using nlohmann::json;
using test::MemoryStore;

struct Case {
  const char* name;
  const char* changes;  ///< a merge patch of the experiment below
};

const json plain = json::parse(R"({
  "name": "locked", "network": "small_resnet_bottleneck",
  "dataset": {"name": "digits", "batch_size": 4, "train_samples": 128, "evaluation_samples": 16},
  "optimizer": {"name": "momentum", "learning_rate": 0.01, "weight_decay": 0.001},
  "parallel": {"ranks": 3, "bucket_bytes": 20000},
  "train": {"steps": 4, "checkpoint": {"save_checkpoint_steps": 2}},
  "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})");

const std::vector<Case> cases{
    {"averaged", "{}"},
    {"plain_sgd", R"({"optimizer": {"name": "sgd", "momentum": 0}})"},
    {"without_overlap", R"({"parallel": {"overlap": false}})"},
    {"less_bn", R"({"boost": {"dictionary": {"boost": {"less_bn": true}}}})"},
    {"grad_freeze", R"({"boost": {"dictionary": {"boost": {"grad_freeze": true},
      "grad_freeze": {"param_groups": 3, "freeze_p": 0.5}}}})"},
    {"grad_centralization", R"({"optimizer": {"grad_centralization": true}})"},
    {"loss_scale", R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 1024}}})"},
    {"micro_batches", R"({"train": {"micro_size": 2}})"},
    {"level1", R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 1}}})"},
    {"level2", R"({"parallel": {"optimizer_parallel": {"level": "level2", "threshold": 1}}})"},
    {"level3", R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})"},
    {"adasum_of_gradients_gram",
     R"({"boost": {"dictionary": {"boost": {"adasum": true}, "adasum": {"mode": "gradients", "exchange": "gram"}}}})"},
    {"adasum_of_deltas_halving",
     R"({"boost": {"dictionary": {"boost": {"adasum": true}, "adasum": {"mode": "deltas", "exchange": "halving"}}}})"},
    {"adasum_of_servers", R"({"parallel": {"ranks": 4}, "boost": {"dictionary": {"boost": {"adasum": true},
      "common": {"device_number": 2}, "adasum": {"mode": "deltas", "scope": "servers"}}}})"},
    {"sharded_deltas_of_servers",
     R"({"parallel": {"ranks": 4, "optimizer_parallel": {"level": "level1", "threshold": 1}},
      "boost": {"dictionary": {"boost": {"adasum": true}, "common": {"device_number": 2},
      "adasum": {"mode": "deltas", "scope": "servers"}}}})"},
};

RunPlan planOf(const json& experiment) {
  test::TextFiles files;
  const auto planned = planFile(files.write("locked.json", experiment.dump()), {}, test::environmentOf());
  if (!planned) throw Error(toText(planned.error()));
  return planned->plans.front();
}

/// Trains on the locked device and on the CPU without shared memory, and on from step 2.
void expectTheBitsOfTheCpu(const RunPlan& plan) {
  MemoryStore cpu;
  cpu.withholdsMemory = true;
  test::trainRanks(cpu, plan);
  MemoryStore locked;
  test::trainLockedRanks(locked, plan);
  const auto expected = test::hashesAt(cpu, plan.totalSteps);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(test::hashesAt(locked, plan.totalSteps), expected);
  EXPECT_EQ(locked.meanOf("loss"), cpu.meanOf("loss"));
  EXPECT_EQ(locked.meanOf("evaluation_loss"), cpu.meanOf("evaluation_loss"));
  test::trainLockedRanks(locked, plan, 2);
  EXPECT_EQ(test::hashesAt(locked, plan.totalSteps), expected) << "resumed";
}

class LockedTraining : public testing::TestWithParam<Case> {};

TEST_P(LockedTraining, EndsWithTheBitsOfTheCpu) {
  json experiment = plain;
  experiment.merge_patch(json::parse(GetParam().changes));
  expectTheBitsOfTheCpu(planOf(experiment));
}

INSTANTIATE_TEST_SUITE_P(Algorithms, LockedTraining, testing::ValuesIn(cases),
                         [](const auto& parameter) { return parameter.param.name; });

/// Sums that travelled otherwise may have other bits.
TEST(LockedResume, OnAnotherRouteIsRefused) {
  const RunPlan plan = planOf(plain);
  MemoryStore store;
  store.withholdsMemory = true;
  test::trainLockedRanks(store, plan);
  EXPECT_THAT([&] { test::trainRanks(store, plan, 2); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("exchanged by `messages, staged`")));
}

/// Stages: snapshots are kept, their principal components become a projection on the device, statistics are refreshed.
class LockedStages : public testing::TestWithParam<const char*> {};

TEST_P(LockedStages, EndWithTheBitsOfTheCpu) {
  json experiment = plain;
  experiment["stages"] = json::parse(R"([
    {"name": "before", "train": {"snapshots": {"first_epoch": 0, "per_epoch": 10, "keep": 4}}},
    {"name": "refreshed", "start": "before", "train": {"steps": 0, "refresh_statistics": true}},
    {"name": "after", "start": "before"}])");
  json& after = experiment["stages"][2];
  after["boost"] = experiment["boost"];
  after["boost"]["dictionary"]["boost"]["dim_reduce"] = true;
  after["boost"]["dictionary"]["dim_reduce"] = {{"n_components", 2}, {"method", GetParam()}};
  expectTheBitsOfTheCpu(planOf(experiment));
}

INSTANTIATE_TEST_SUITE_P(Methods, LockedStages, testing::Values("bfgs", "sgd"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace slipstream
