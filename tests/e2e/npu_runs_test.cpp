// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on NPUs without one: on the emulated device, and on the real device's way with libraries that stand in for
// CANN's.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/base/shared_library.h"
#include "tests/e2e/program.h"
#include "tests/support/environment_variable.h"
#include "tests/support/npu_stand_ins.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using testing::HasSubstr;
using testing::Not;

double lossOf(Sandbox& sandbox, const std::string& run) {
  return sandbox.json({"show", run, "--json"})["metrics"]["loss"]["last"].get<double>();
}

TEST(NpuTwinEndToEnd, SaysThatItIsEmulatedAndHasTheCpusLoss) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(20, 10));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--name", "here"}).exitCode, 0);
  const ProgramEnd planned = sandbox.slipstream({"plan", file, "--device", "npu-twin"});
  EXPECT_THAT(planned.output, HasSubstr("emulated"));
  const ProgramEnd ended = sandbox.slipstream({"run", file, "--device", "npu-twin", "--name", "there"});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  EXPECT_THAT(sandbox.slipstream({"show", "there"}).output, HasSubstr("npu-twin (emulated)"));
  EXPECT_NEAR(lossOf(sandbox, "there"), lossOf(sandbox, "here"), 1e-3);
  EXPECT_THAT(sandbox.slipstream({"compare", "here", "there"}).output, HasSubstr("no claim (emulated)"));
}

class NpuRunsOn : public testing::TestWithParam<const char*> {
 protected:
  NpuStandIns standIns_;
  Sandbox sandbox_;
};
INSTANTIATE_TEST_SUITE_P(Devices, NpuRunsOn, testing::Values("npu-twin", "npu"),
                         [](const auto& device) { return device.param == std::string("npu") ? "npu" : "twin"; });

TEST_P(NpuRunsOn, KilledAndResumedEndWithTheSameBits) {
  const std::string file = sandbox_.write("small.json", smallExperiment(400, 20));
  ASSERT_EQ(sandbox_.slipstream({"run", file, "--device", GetParam(), "--name", "whole"}).exitCode, 0);
  sandbox_.start({"run", file, "--device", GetParam(), "--name", "killed"});
  const Stopwatch watch;
  while (watch.seconds() < 300 && !sandbox_.hasEnded()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    const auto runs = sandbox_.store()->runs();
    if (runs.size() == 2 && sandbox_.newestState(runs.back().id) != "no checkpoint") break;
  }
  ASSERT_FALSE(sandbox_.hasEnded()) << "it was over before it could be killed";
  ::kill(sandbox_.process(), SIGKILL);
  sandbox_.end();
  const auto runs = sandbox_.store()->runs();
  ASSERT_EQ(runs.size(), 2U);
  const ProgramEnd resumed = sandbox_.slipstream({"resume", "killed"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  EXPECT_EQ(sandbox_.newestState(runs[1].id), sandbox_.newestState(runs[0].id));
}

/// What the tutorials set, small: each of these runs from a file and ends with the CPU's loss.
TEST_P(NpuRunsOn, EveryAlgorithmHasTheCpusLoss) {
  int number = 0;
  for (const char* changes :
       {R"({"parallel": {"ranks": 3, "optimizer_parallel": {"level": "level1", "threshold": 1}}})",
        R"({"parallel": {"ranks": 2, "optimizer_parallel": {"level": "level2", "threshold": 1}}})",
        R"({"parallel": {"ranks": 8, "optimizer_parallel": {"level": "level3", "threshold": 1}},
            "train": {"micro_size": 2}})",
        R"({"boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "adasum": true}}}})",
        R"({"parallel": {"ranks": 1}, "precision": {"loss_scale": {"kind": "dynamic", "scale": 1024}},
            "boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "grad_accumulation": true},
            "grad_accumulation": {"grad_accumulation_step": 2}}}})",
        R"({"train": {"steps": null}, "stages": [
            {"name": "before", "train": {"steps": 24, "snapshots": {"first_fraction": 0.3, "keep": 6}}},
            {"name": "after", "train": {"steps": 6}, "boost": {"level": "O1", "dictionary": {
              "boost": {"mode": "manual", "dim_reduce": true}, "dim_reduce": {"n_components": 4}}}}]})"}) {
    nlohmann::json experiment = smallExperiment(12, 6);
    experiment.merge_patch(nlohmann::json::parse(changes));
    const std::string file = sandbox_.write("small.json", experiment);
    const std::string here = "here" + std::to_string(++number);
    const std::string there = "there" + std::to_string(number);
    const ProgramEnd onCpu = sandbox_.slipstream({"run", file, "--name", here});
    ASSERT_EQ(onCpu.exitCode, 0) << onCpu.errors << changes;
    const ProgramEnd onNpu = sandbox_.slipstream({"run", file, "--device", GetParam(), "--name", there});
    ASSERT_EQ(onNpu.exitCode, 0) << onNpu.errors << changes;
    EXPECT_NEAR(lossOf(sandbox_, there), lossOf(sandbox_, here), 1e-4) << changes;
  }
}

TEST(NpuEndToEnd, WithoutCannARunSaysWhatIsMissing) {
  if (SharedLibrary::open("libascendcl.so", "", "")) GTEST_SKIP() << "CANN is installed here";
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(20, 10));
  const ProgramEnd ended = sandbox.slipstream({"run", file, "--device", "npu"});
  EXPECT_EQ(ended.exitCode, 2);
  EXPECT_THAT(ended.errors, HasSubstr("libascendcl.so"));
}

/// Device, exchange and layers of an NPU, as far as libraries of ours can stand in for CANN's.
TEST(NpuEndToEnd, ThroughCannsStandInsItHasTheCpusLoss) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(20, 10));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--name", "here"}).exitCode, 0);
  const NpuStandIns standIns;
  const ProgramEnd ended = sandbox.slipstream({"run", file, "--device", "npu", "--name", "there"});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors << ended.output;
  EXPECT_NEAR(lossOf(sandbox, "there"), lossOf(sandbox, "here"), 1e-3);
}

/// HCCL is there and one of the ranks cannot join it: all of them exchange through the host, and the record says so.
TEST(NpuEndToEnd, WhereARankCannotJoinTheOthersGoThroughTheHostWithIt) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(20, 10);
  experiment["parallel"]["ranks"] = 2;
  const std::string file = sandbox.write("small.json", experiment);
  const NpuStandIns standIns;
  ASSERT_EQ(sandbox.slipstream({"run", file, "--device", "npu", "--name", "joined"}).exitCode, 0);
  EXPECT_THAT(sandbox.slipstream({"show", "joined"}).output, Not(HasSubstr("did not begin")));
  const EnvironmentVariable without("FAKE_HCCL_WITHOUT_RANK", "1");
  const ProgramEnd ended = sandbox.slipstream({"run", file, "--device", "npu", "--name", "apart"});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors << ended.output;
  EXPECT_THAT(sandbox.slipstream({"show", "apart"}).output, HasSubstr("HCCL did not begin"));
  EXPECT_NEAR(lossOf(sandbox, "apart"), lossOf(sandbox, "joined"), 1e-4);
}

/// The devices of each kind are asked for by themselves.
TEST(NpuEndToEnd, AVariantOnAnotherKindOfDeviceIsCheckedToo) {
  Sandbox sandbox;
  if (sandbox.slipstream({"devices", "--device", "cuda"}).exitCode == 0) GTEST_SKIP() << "here is a GPU";
  nlohmann::json experiment = smallExperiment(20, 10);
  experiment["variants"] = {{{"name", "one"}, {"device", "npu"}}, {{"name", "other"}, {"device", "cuda"}}};
  const NpuStandIns standIns;
  const ProgramEnd refused = sandbox.slipstream({"run", sandbox.write("both.json", experiment)});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("cuda"));
}

}  // namespace
}  // namespace slipstream
