// SPDX-License-Identifier: GPL-3.0-or-later
// The example in C through the whole product.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/random.h"
#include "engine/hosts/run_folder.h"
#include "tests/program/own_program.h"
#include "tests/support/environment_variable.h"
#include "tests/support/kills.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

class SoftmaxInC : public ::testing::Test {
 protected:
  SoftmaxInC() { sandbox.bring(SLIPSTREAM_OWN_SOFTMAX, "softmax"); }
  std::string write(const std::string& changes = "{}") {
    nlohmann::json experiment = softmaxExperiment();
    experiment.merge_patch(nlohmann::json::parse(changes));
    return sandbox.write("softmax.json", experiment);
  }

  ProgramSandbox sandbox;
};

TEST_F(SoftmaxInC, IsOnePage) {
  const auto text = readFile(SLIPSTREAM_SOURCE "/experiments/own_network/softmax.c");
  ASSERT_TRUE(text);
  EXPECT_LE(std::ranges::count(*text, '\n'), 80);
}

TEST_F(SoftmaxInC, IsPlannedAsTheEnginesOwnNetworks) {
  const ProgramEnd shown = sandbox.slipstream({"plan", write(R"({"boost": {"level": "O1"}})")});
  ASSERT_EQ(shown.exitCode, 0) << shown.errors;
  for (const char* part : {"network.program", "2 tensors in 1 layer", "starts from: what the program writes",
                           "the program owns the network, and nothing else rewrites it", "optimizer_state    31.40 kB",
                           "a rank sends a step", "--program"}) {
    EXPECT_THAT(shown.output, HasSubstr(part));
  }
}

// 7,850 weights: 4 bytes each of weights, gradients and momentum.
TEST_F(SoftmaxInC, TakesTheMemoryThatWasForecast) {
  const std::string file = write();
  const RunRecord run = sandbox.run(file);
  ASSERT_EQ(run.state, RunState::done) << run.why;
  const auto measured = sandbox.store()->memory(run.id).at(0);
  for (const auto& [category, bytes] : measured) {
    if (category == "weights" || category == "gradients" || category == "optimizer_state") {
      EXPECT_EQ(bytes, 7850 * 4) << category;
    }
  }
}

TEST_F(SoftmaxInC, LearnsAndIsRecorded) {
  const RunRecord run = sandbox.run(write());
  ASSERT_EQ(run.state, RunState::done) << run.why;
  const auto losses = sandbox.losses(run.id);
  ASSERT_EQ(losses.size(), 40U);
  EXPECT_NEAR(losses.front(), std::log(10.0), 1e-6);  // of weights that are all zero
  EXPECT_LT(losses.back(), 0.7 * losses.front());
  EXPECT_THAT(sandbox.newestState(run.id), HasSubstr("softmax.weight"));
  EXPECT_THAT(sandbox.newestState(run.id), HasSubstr("program/state"));
  const ProgramEnd exported =
      sandbox.slipstream({"checkpoint", "export", "last", (sandbox.folder() / "w.safetensors").string()});
  EXPECT_EQ(exported.exitCode, 0) << exported.errors;
}

TEST_F(SoftmaxInC, PrintsItsLossAsOften) {
  sandbox.run(write(R"({"train": {"log_every_steps": 15}})"));
  const std::string logs = sandbox.slipstream({"logs", "last"}).output;
  for (const char* line : {"epoch: 1 step: 15, loss is", "epoch: 1 step: 30, loss is", "epoch: 2 step: 8, loss is"}) {
    EXPECT_THAT(logs, HasSubstr(line));
  }
}

TEST_F(SoftmaxInC, IsVerifiedAndNotEvaluatedByOthers) {
  const RunRecord run = sandbox.run(write());
  const ProgramEnd verified = sandbox.slipstream({"verify", run.id});
  EXPECT_EQ(verified.exitCode, 0) << verified.errors << verified.output;
  EXPECT_THAT(verified.output, HasSubstr("equal, "));
  const ProgramEnd evaluated = sandbox.slipstream({"evaluate", run.id});
  EXPECT_EQ(evaluated.exitCode, 2);
  EXPECT_THAT(evaluated.errors, HasSubstr("evaluate in the program"));
}

TEST_F(SoftmaxInC, StopsAndGoesOnWithTheSameBits) {
  const std::string file = write();
  const std::string expected = sandbox.newestState(sandbox.run(file).id);
  sandbox.start({"run", file, "--quiet"});
  const Stopwatch watch;
  const auto begun = [&] {
    const auto runs = sandbox.store()->runs();
    return runs.size() == 2 && !sandbox.losses(runs.back().id).empty();
  };
  while (!begun() && !sandbox.hasEnded() && watch.seconds() < 300)
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  ::kill(sandbox.process(), SIGINT);
  sandbox.end();
  if (sandbox.newest().state != RunState::done) {
    EXPECT_EQ(sandbox.newest().state, RunState::stopped) << sandbox.newest().why;
    EXPECT_EQ(sandbox.slipstream({"resume", "last", "--quiet"}).exitCode, 0);
  }
  EXPECT_EQ(sandbox.newestState(sandbox.newest().id), expected);
}

TEST_F(SoftmaxInC, KilledItGoesOnWithTheSameBits) {
  const std::string file = write(R"({"train": {"steps": 400, "checkpoint": {"save_checkpoint_steps": 20}}})");
  const std::string expected = sandbox.newestState(sandbox.run(file).id);
  const int kills = killsToSurvive(3);
  Random random{5, RandomStream::test};
  int killed = 0;
  for (int attempt = 0; killed < kills && attempt < 10 * kills; ++attempt) {
    const auto before = sandbox.store()->runs().size();
    sandbox.start({"run", file, "--quiet"});
    while (sandbox.store()->runs().size() == before && !sandbox.hasEnded())
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    const std::string id = sandbox.newest().id;
    while (sandbox.losses(id).size() < 30 && !sandbox.hasEnded())
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
    std::this_thread::sleep_for(std::chrono::milliseconds{random.below(300)});
    for (const pid_t process : processesOfRun(id)) {
      std::ifstream name("/proc/" + std::to_string(process) + "/comm");
      std::string text;
      std::getline(name, text);
      if (text == "softmax" && ::kill(process, SIGKILL) == 0) {
        ++killed;
        break;
      }
    }
    sandbox.end();
    if (sandbox.newest().state != RunState::done) {
      const ProgramEnd resumed = sandbox.slipstream({"resume", "last", "--quiet"});
      EXPECT_EQ(resumed.exitCode, 0) << resumed.errors;
    }
    ASSERT_EQ(sandbox.newestState(id), expected) << "after " << killed << " kills";
    EXPECT_EQ(sandbox.losses(id).size(), 400U);
  }
  EXPECT_GE(killed, kills);
}

// A program of today on the library of a later version.
TEST_F(SoftmaxInC, RunsWithALibraryWhoseStructsHaveGrown) {
  const std::string file = write();
  const std::string expected = sandbox.newestState(sandbox.run(file).id);
  const EnvironmentVariable grown("LD_LIBRARY_PATH", SLIPSTREAM_GROWN_FOLDER);
  const RunRecord run = sandbox.run(file);
  ASSERT_EQ(run.state, RunState::done) << run.why;
  EXPECT_EQ(sandbox.newestState(run.id), expected);
}

// What acts on the engine's networks acts on a program's.
TEST_F(SoftmaxInC, TakesPartInEveryAlgorithmButLessBatchNorm) {
  for (
      const char* changes :
      {R"({"parallel": {"ranks": 3, "optimizer_parallel": {"level": "level3", "threshold": 0}}, "train": {"micro_size": 2}})",
       R"({"precision": {"loss_scale": {"kind": "dynamic", "window": 9}}, "train": {"micro_size": 2}})",
       R"({"boost": {"level": "O0", "dictionary": {"boost": {"mode": "manual", "adasum": true, "grad_accumulation": true},
          "grad_accumulation": {"grad_accumulation_step": 2}}}})"}) {
    const RunRecord run = sandbox.run(write(changes));
    ASSERT_EQ(run.state, RunState::done) << run.why << changes;
    EXPECT_LT(sandbox.losses(run.id).back(), sandbox.losses(run.id).front()) << changes;
  }
}

}  // namespace
}  // namespace slipstream
