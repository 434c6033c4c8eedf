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

namespace slipstream {
namespace {

using namespace slipstream::test;
using testing::HasSubstr;

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

TEST(NpuTwinEndToEnd, KilledAndResumedItEndsWithTheSameBits) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(400, 20));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--device", "npu-twin", "--name", "whole"}).exitCode, 0);
  sandbox.start({"run", file, "--device", "npu-twin", "--name", "killed"});
  const Stopwatch watch;
  while (watch.seconds() < 60 && !sandbox.hasEnded()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    const auto runs = sandbox.store()->runs();
    if (runs.size() == 2 && sandbox.newestState(runs.back().id) != "no checkpoint") break;
  }
  ASSERT_FALSE(sandbox.hasEnded()) << "it was over before it could be killed";
  ::kill(sandbox.process(), SIGKILL);
  sandbox.end();
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), 2U);
  const ProgramEnd resumed = sandbox.slipstream({"resume", "killed"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  EXPECT_EQ(sandbox.newestState(runs[1].id), sandbox.newestState(runs[0].id));
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
  const EnvironmentVariable libraries("LD_LIBRARY_PATH", SLIPSTREAM_FAKE_CANN);
  const EnvironmentVariable kernels("SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_KERNELS_ON_HOST);
  const ProgramEnd ended = sandbox.slipstream({"run", file, "--device", "npu", "--name", "there"});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors << ended.output;
  EXPECT_NEAR(lossOf(sandbox, "there"), lossOf(sandbox, "here"), 1e-3);
}

/// The devices of each kind are asked for by themselves.
TEST(NpuEndToEnd, AVariantOnAnotherKindOfDeviceIsCheckedToo) {
  Sandbox sandbox;
  if (sandbox.slipstream({"devices", "--device", "cuda"}).exitCode == 0) GTEST_SKIP() << "here is a GPU";
  nlohmann::json experiment = smallExperiment(20, 10);
  experiment["variants"] = {{{"name", "one"}, {"device", "npu"}}, {{"name", "other"}, {"device", "cuda"}}};
  const EnvironmentVariable libraries("LD_LIBRARY_PATH", SLIPSTREAM_FAKE_CANN);
  const EnvironmentVariable kernels("SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_KERNELS_ON_HOST);
  const ProgramEnd refused = sandbox.slipstream({"run", sandbox.write("both.json", experiment)});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("cuda"));
}

}  // namespace
}  // namespace slipstream
