// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that go wrong end as failed runs with place and remedy, and what was done before is kept.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/own_program.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

nlohmann::json faultyExperiment(const std::string& fault) {
  return {{"name", "faulty"},
          {"network", {{"program", {"./faulty", fault}}}},
          {"dataset", {{"name", "program"}, {"batch_size", 1}, {"train_samples", 16}, {"evaluation_samples", 1}}},
          {"optimizer", {{"name", "sgd"}, {"learning_rate", 0.1}}},
          {"parallel", {{"ranks", 2}}},
          {"train", {{"steps", 8}, {"checkpoint", {{"save_checkpoint_steps", 2}}}}}};
}

struct Fault {
  const char* name;
  const char* place;
  const char* remedy;
  bool trains = true;  ///< four steps before
};

class FaultyPrograms : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultyPrograms, EndAsFailedRunsThatLoseNothing) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  const std::string file = sandbox.write("faulty.json", faultyExperiment(GetParam().name));
  const ProgramEnd end = sandbox.slipstream({"run", file, "--quiet"});
  EXPECT_EQ(end.exitCode, 1) << end.errors;
  const RunRecord run = sandbox.newest();
  EXPECT_EQ(run.state, RunState::failed);
  EXPECT_THAT(run.why, HasSubstr(GetParam().place));
  EXPECT_THAT(run.why, HasSubstr(GetParam().remedy));
  EXPECT_EQ(sandbox.json({"runs", "--json"}).size(), 1U);
  if (!GetParam().trains) return;
  EXPECT_GE(sandbox.losses(run.id).size(), 4U) << run.why;
  EXPECT_THAT(sandbox.newestState(run.id), HasSubstr("step 4"));
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultyPrograms,
    ::testing::Values(
        Fault{"dies", "rank 1", "signal 11"}, Fault{"exits", "rank 1", "slipstream_leave"},
        Fault{"exits_with_3", "rank 1", "slipstream_leave"}, Fault{"prints_garbage", "rank 1", "slipstream_leave"},
        Fault{"describes_twice", "rank 1", "described once"}, Fault{"gives_up", "rank 1", "put it back"},
        Fault{"leaves_early", "after step 4 of 8", "until it is told to stop"},
        Fault{"begins_twice", "a step has begun", "finish it before the next begins"},
        Fault{"says_ready_twice", "two.bias", "say so once"},
        Fault{"forgets_ready", "one.weight", "say ready of each tensor"},
        Fault{"asks_first", "rank 1", "slipstream_leave"}, Fault{"recovers", "rank 1", "slipstream_leave"},
        Fault{"fails_without_a_rank", "rank 1", "no rank is left"},
        Fault{"readies_no_tensor", "there is no tensor 4294967296", "counted from 0"},
        Fault{"records_percent", "accuracy 97.3 is above 1", "divide percent by 100"},
        Fault{"records_nonsense", "a metric?", "letters, digits"}, Fault{"loses_its_loss", "step: 5.", "Invalid loss"},
        Fault{"changes_its_tensors", "one.weight [8, 5]", "start a new run", false},
        Fault{"joins_twice", "joined before", "one rank of one run", false}),
    [](const auto& fault) { return std::string(fault.param.name); });

TEST(FaultyProgram, ThatHangsIsNamed) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  const std::string file = sandbox.write("faulty.json", faultyExperiment("hangs"));
  EXPECT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 1);
  EXPECT_THAT(sandbox.newest().why, HasSubstr("rank 1 hangs"));
  EXPECT_THAT(sandbox.newestState(sandbox.newest().id), HasSubstr("step 4"));
}

// A child that a library forked is no rank, and its exit is not the run's end.
TEST(OwnProgram, MayForkChildrenThatExit) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  const RunRecord run = sandbox.run(sandbox.write("faulty.json", faultyExperiment("forks")));
  EXPECT_EQ(run.state, RunState::done) << run.why;
  EXPECT_EQ(sandbox.losses(run.id).size(), 8U);
}

// The numbers of a rank table are of no use to a program whose weights are in the host's memory.
TEST(OwnProgram, IsToldNoDeviceOfTheCpu) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  sandbox.write("table.json",
                {{"version", "1.0"},
                 {"server_count", "1"},
                 {"server_list",
                  {{{"server_id", "localhost"},
                    {"device", {{{"device_id", "2"}, {"rank_id", "0"}}, {{"device_id", "3"}, {"rank_id", "1"}}}}}}},
                 {"status", "completed"}});
  nlohmann::json experiment = faultyExperiment("asks_for_its_device");
  experiment["parallel"] = {{"rank_table", "table.json"}};
  const RunRecord run = sandbox.run(sandbox.write("faulty.json", experiment));
  EXPECT_EQ(run.state, RunState::done) << run.why;
}

// Ctrl-C ends the program that is asked, all that it started, and its folder.
TEST(OwnProgram, ThatIsAskedEndsWithPlan) {
  ProgramSandbox sandbox;
  const auto temporary = sandbox.folder() / "temporary";
  std::filesystem::create_directories(temporary);
  const EnvironmentVariable folder("TMPDIR", temporary.string());
  nlohmann::json experiment = faultyExperiment("");
  experiment["network"]["program"] = {"sh", "-c", "sleep 300 & echo $! > child; mv child started; wait"};
  sandbox.start({"plan", sandbox.write("slow.json", experiment)});
  const auto started = sandbox.folder() / "started";
  while (!std::filesystem::exists(started) && !sandbox.hasEnded()) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  pid_t child = 0;
  std::ifstream(started) >> child;
  ASSERT_GT(child, 0);
  ::kill(sandbox.process(), SIGINT);
  EXPECT_NE(sandbox.end(60).exitCode, 0);
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
  const auto alive = [&] { return std::filesystem::exists(fmt::format("/proc/{}/cwd", child)); };  // a zombie has none
  for (int i = 0; i < 1000 && alive(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_FALSE(alive());
}

struct Refusal {
  const char* name;
  std::vector<std::string> program;
  const char* problem;
};

class RefusedPrograms : public ::testing::TestWithParam<Refusal> {};

// Before a run begins: `plan` and `run` refuse it, with exit code 2.
TEST_P(RefusedPrograms, AreRefusedWithARemedy) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  nlohmann::json experiment = faultyExperiment("");
  experiment["network"]["program"] = GetParam().program;
  const std::string file = sandbox.write("faulty.json", experiment);
  for (const char* command : {"plan", "run"}) {
    const ProgramEnd end = sandbox.slipstream({command, file});
    EXPECT_EQ(end.exitCode, 2) << command;
    EXPECT_THAT(end.errors, HasSubstr("network.program"));
    EXPECT_THAT(end.errors, HasSubstr(GetParam().problem));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedPrograms,
    ::testing::Values(Refusal{"none", {}, "names no program"},
                      Refusal{"unknown", {"./no-such-program"}, "cannot be started"},
                      Refusal{"never_joins", {"./faulty", "never_joins"}, "ended with exit code 5"},
                      Refusal{"of_another_interface", {"./faulty", "of_another_interface"}, "build it anew"},
                      Refusal{"text_for_a_shell", {"sh -c true"}, "cannot be started"}),
    [](const auto& refusal) { return std::string(refusal.param.name); });

TEST(FaultyProgram, ByItselfSaysHowItIsStarted) {
  ProgramSandbox sandbox;
  const std::string command = std::string(SLIPSTREAM_OWN_FAULTY) + " none 2>" + (sandbox.folder() / "errors").string();
  EXPECT_NE(std::system(command.c_str()), 0);
  std::ifstream file(sandbox.folder() / "errors");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("slipstream run"));
}

// Samples of a program belong to no network of the engine.
TEST(FaultyProgram, DataOfAProgramNeedAProgram) {
  ProgramSandbox sandbox;
  nlohmann::json experiment = faultyExperiment("");
  experiment["network"] = "lenet5";
  const ProgramEnd end = sandbox.slipstream({"check", sandbox.write("faulty.json", experiment)});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors + end.output, HasSubstr("network.program names none"));
}

nlohmann::json startsAndSaysSo() {
  nlohmann::json experiment = faultyExperiment("");
  experiment["network"]["program"] = {"sh", "-c", "echo started > started"};
  return experiment;
}

// Who checks a file, or asks what it is, may not trust it yet.
TEST(UntrustedProgram, IsNotStartedByCheckAndEvaluate) {
  ProgramSandbox sandbox;
  const std::string file = sandbox.write("unknown.json", startsAndSaysSo());
  const ProgramEnd checked = sandbox.slipstream({"check", file});
  EXPECT_EQ(checked.exitCode, 0) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("was not started"));
  EXPECT_THAT(checked.output, HasSubstr("slipstream plan FILE"));
  const ProgramEnd evaluated = sandbox.slipstream({"evaluate", "weights.ckpt", "--experiment", file});
  EXPECT_EQ(evaluated.exitCode, 2);
  EXPECT_THAT(evaluated.errors, HasSubstr("evaluate in the program"));
  EXPECT_FALSE(std::filesystem::exists(sandbox.folder() / "started"));
  sandbox.slipstream({"plan", file});
  EXPECT_TRUE(std::filesystem::exists(sandbox.folder() / "started")) << "plan asks it";
}

TEST(OwnProgram, RefusesWhatOnlyTheEnginesPassesDo) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  nlohmann::json experiment = faultyExperiment("none");
  experiment["train"]["refresh_statistics"] = true;
  experiment["train"]["average_decay"] = 0.9;
  const std::string file = sandbox.write("faulty.json", experiment);
  for (const char* command : {"check", "plan", "run"}) {
    const ProgramEnd end = sandbox.slipstream({command, file});
    EXPECT_EQ(end.exitCode, 2) << command;
    for (const char* part : {"train.refresh_statistics", "refresh the statistics of batch norms in the program",
                             "train.average_decay", "average the weights in the program"}) {
      EXPECT_THAT(end.errors + end.output, HasSubstr(part)) << command;
    }
  }
}

TEST(OwnProgram, IsToldWhichKeysHaveNoEffect) {
  ProgramSandbox sandbox;
  sandbox.bring(SLIPSTREAM_OWN_FAULTY, "faulty");
  nlohmann::json experiment = faultyExperiment("none");
  experiment["loss"] = {{"name", "cross_entropy_smooth"}, {"smooth_factor", 0.1}};
  experiment["train"]["evaluate_every_steps"] = 3;
  experiment["dataset"]["shuffle"] = false;
  const ProgramEnd shown = sandbox.slipstream({"plan", sandbox.write("faulty.json", experiment)});
  ASSERT_EQ(shown.exitCode, 0) << shown.errors;
  for (const char* part : {"loss.name", "loss.smooth_factor", "train.evaluate_every_steps", "dataset.shuffle",
                           "no effect: the program computes the loss"}) {
    EXPECT_THAT(shown.output, HasSubstr(part));
  }
  const ProgramEnd usual = sandbox.slipstream({"plan", sandbox.write("usual.json", faultyExperiment("none"))});
  EXPECT_THAT(usual.output, testing::Not(HasSubstr("no effect: the program")));
}

}  // namespace
}  // namespace slipstream
