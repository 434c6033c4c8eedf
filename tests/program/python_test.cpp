// SPDX-License-Identifier: GPL-3.0-or-later
// Python's side of own programs, as far as it needs no PyTorch: where parameters belong, and which libraries fit.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/program/own_program.h"
#include "tests/support/environment_variable.h"
#include "tests/support/npu_stand_ins.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

class PythonRank : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::string(SLIPSTREAM_SANITIZED).empty())
      GTEST_SKIP() << "Python has not the runtime of " SLIPSTREAM_SANITIZED;
  }
  /// An experiment on that device of a program that says where its parameters belong.
  std::string on(const std::string& device) {
    sandbox.bring(SLIPSTREAM_SOURCE "/tests/program/device.py", "device.py");
    return sandbox.write(
        "device.json",
        {{"name", "device"},
         {"device", device},
         {"network", {{"program", {python(), "device.py"}}}},
         {"dataset", {{"name", "program"}, {"batch_size", 1}, {"train_samples", 16}, {"evaluation_samples", 1}}},
         {"optimizer", {{"name", "sgd"}, {"learning_rate", 0.1}}},
         {"parallel", {{"ranks", 2}}},
         {"train", {{"steps", 8}}}});
  }
  /// What rank 1 of a run on that device says.
  std::string saidOn(const std::string& device) {
    const ProgramEnd end = sandbox.slipstream({"run", on(device), "--quiet"});
    EXPECT_EQ(end.exitCode, 1) << end.errors;
    return sandbox.newest().why;
  }

  ProgramSandbox sandbox;
};

// `plan` starts the program where there may be no such device, and says beside its plan what keeps `run` from it.
TEST_F(PythonRank, IsAskedForItsTensorsOnTheCpu) {
  for (const char* device : {"cpu", "cuda", "cuda:1", "npu", "npu-twin"}) {
    const ProgramEnd end = sandbox.slipstream({"plan", on(device)});
    EXPECT_THAT(end.output, HasSubstr("1 tensor in 1 layer, as it described them")) << device << end.errors;
  }
}

TEST_F(PythonRank, HasItsParametersWhereTheEngineHasItsWeights) {
  EXPECT_THAT(saidOn("cpu"), HasSubstr("its parameters belong to cpu."));
  EXPECT_THAT(saidOn("npu-twin"), HasSubstr("its parameters belong to cpu."));
  const NpuStandIns standIns;
  EXPECT_THAT(saidOn("npu"), HasSubstr("its parameters belong to npu:1."));
}

TEST_F(PythonRank, RefusesALibraryThatLacksAFunction) {
  const EnvironmentVariable package("PYTHONPATH", SLIPSTREAM_SOURCE "/app/python");
  const EnvironmentVariable library("SLIPSTREAM_LIBRARY", SLIPSTREAM_OLDER_LIBRARY);
  const std::string errors = (sandbox.folder() / "errors").string();
  const std::string command = python() + " -c 'import slipstream; slipstream.join()' 2>" + errors;
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(readFile(errors).value(),
              HasSubstr("SlipstreamError: " SLIPSTREAM_OLDER_LIBRARY " is older than this package (it has no "
                        "slipstream_join): install both from one build"));
}

}  // namespace
}  // namespace slipstream
