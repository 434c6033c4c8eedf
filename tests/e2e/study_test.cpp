// SPDX-License-Identifier: GPL-3.0-or-later
// Studies as a person uses them: every cell once, whatever is killed, and never more cores than were declared.
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "engine/base/files.h"
#include "engine/base/random.h"
#include "engine/store/study_table.h"
#include "tests/e2e/program.h"
#include "tests/support/kills.h"

namespace slipstream::test {
namespace {

using ::testing::HasSubstr;

nlohmann::json studiedExperiment() {
  nlohmann::json experiment = smallExperiment(30, 10);
  experiment["variants"] = {{{"name", "slow"}}, {{"name", "fast"}, {"optimizer", {{"learning_rate", 0.2}}}}};
  return experiment;
}

class Studies : public ::testing::Test {
 protected:
  std::string write(nlohmann::json study) {
    sandbox.write("base.json", studiedExperiment());
    study["base"] = "base.json";
    return sandbox.write("question.json", study);
  }
  nlohmann::json status() { return sandbox.json({"study", "status", "question", "--json"}); }
  /// Every cell has one run of its own, which is done.
  void expectEveryCellOnce(std::size_t cells) {
    const auto found = status();
    EXPECT_EQ(found["state"], "done");
    ASSERT_EQ(found["cells"].size(), cells);
    std::set<std::string> runs;
    for (const auto& cell : found["cells"]) {
      EXPECT_EQ(cell["state"], "done") << cell.dump();
      runs.insert(cell["run"].get<std::string>());
    }
    EXPECT_EQ(runs.size(), cells);
    EXPECT_EQ(sandbox.store()->runs().size(), cells);
  }
  /// None while the store is not there yet.
  std::vector<RunRecord> runsSoFar() {
    const auto store = RunStore::open(sandbox.storeFolder(), StoreAccess::read);
    return store ? (*store)->runs() : std::vector<RunRecord>{};
  }
  /// By either command, into a folder that is not there, is there, and holds what somebody else wrote.
  void expectPaper() {
    const std::string folder = (sandbox.folder() / "paper/").string();
    EXPECT_EQ(sandbox.json({"report", "question", "-o", folder, "--json"})["report"], folder);
    for (const char* file : {"report.pdf", "table.tex", "method.txt", "figures/loss.tex", "data/runs.csv"}) {
      EXPECT_TRUE(std::filesystem::exists(folder + file)) << file;
    }
    const std::string environment = readFile(folder + "environment.json").value();
    for (const char* fact : {"Open MPI", "oneDNN", "g++", "Linux"}) EXPECT_THAT(environment, HasSubstr(fact));
    const ProgramEnd again =
        sandbox.slipstream({"study", "report", "question", "-o", folder, "--paper-size", "letter"});
    EXPECT_EQ(again.exitCode, 0) << again.errors;
    sandbox.write("paper/mine.json", "mine");
    const ProgramEnd refused = sandbox.slipstream({"report", "question", "-o", (sandbox.folder() / "paper").string()});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.errors, HasSubstr("mine.json"));
    EXPECT_EQ(sandbox.slipstream({"report", "question", "-o", "paper", "--paper-size", "a5"}).exitCode, 2);
    EXPECT_THAT(sandbox.slipstream({"report", "question", "-o", "no_such"}).errors, HasSubstr("or in / for a folder"));
  }
  /// What does not depend on time.
  static std::string claimsOf(const nlohmann::json& verdict) {
    std::string claims;
    for (const auto& one : verdict["comparisons"]) {
      claims += fmt::format("{} {} {}\n", one["variant"].dump(), one["effect"].dump(), one["text"].dump());
    }
    return claims;
  }

  Sandbox sandbox;
};

TEST_F(Studies, AreTrainedOnceAndJudged) {
  const std::string file = write({{"question", {{"measure", "final_loss"}}}});
  EXPECT_EQ(sandbox.json({"study", "check", file, "--json"})["cells"], 6);
  EXPECT_EQ(sandbox.slipstream({"study", "run", file}).exitCode, 0);
  expectEveryCellOnce(6);
  const auto verdict = sandbox.json({"study", "verdict", "question", "--json"});
  EXPECT_EQ(verdict["comparisons"][0]["pairs"], 3);
  EXPECT_EQ(sandbox.slipstream({"study", "run", "question"}).exitCode, 0);
  expectEveryCellOnce(6);
  EXPECT_EQ(
      sandbox.slipstream({"study", "report", "question", "-o", (sandbox.folder() / "study.html").string()}).exitCode,
      0);

  expectPaper();

  auto changed = studiedExperiment();
  changed["train"]["steps"] = 31;
  sandbox.write("base.json", changed);
  EXPECT_THAT(sandbox.slipstream({"study", "verdict", file}).errors,
              HasSubstr("has changed since the study was frozen"));
  write({{"question", {{"measure", "test_loss"}}}});
  const ProgramEnd refused = sandbox.slipstream({"study", "run", file});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("a changed question is a new study"));
}

TEST_F(Studies, AreTunedFirstAndTakeNoMoreCoresThanDeclared) {
  const std::string file =
      write({{"question", {{"measure", "final_loss"}}},
             {"tuning", {{"rule", "external"}, {"trials", 2}, {"space", {{"optimizer.learning_rate", {0.01, 0.1}}}}}},
             {"variants", {{{"name", "as it is"}}, {{"name", "more ranks"}, {"parallel", {{"ranks", 3}}}}}},
             {"budget", {{"cores", 1}}}});
  sandbox.start({"study", "run", file});
  int sampled = 0;
  while (!sandbox.hasEnded()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::set<std::size_t> used;
    for (const RunRecord& run : runsSoFar()) {
      if (isTerminal(run.state) || run.supervisor.pid == 0) continue;
      cpu_set_t allowed;
      if (::sched_getaffinity(static_cast<pid_t>(run.supervisor.pid), sizeof allowed, &allowed) != 0) continue;
      for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed)) used.insert(core);
      }
      ++sampled;
    }
    EXPECT_LE(used.size(), 1U);
  }
  EXPECT_EQ(sandbox.end().exitCode, 0);
  EXPECT_GT(sampled, 10);
  expectEveryCellOnce(4 + 6);
  const auto verdict = sandbox.json({"study", "verdict", "question", "--json"});
  EXPECT_EQ(verdict["comparisons"][0]["trials"], 2);
  ASSERT_TRUE(verdict["tuning"][0]["chosen"].is_number());
  // The runs of its trials may go: what was chosen is written down.
  for (const auto& cell : status()["cells"]) {
    if (cell["trial"] == 0) continue;
    EXPECT_EQ(sandbox.slipstream({"delete", cell["run"].get<std::string>(), "--yes"}).exitCode, 0);
  }
  EXPECT_EQ(sandbox.json({"study", "verdict", "question", "--json"})["tuning"], verdict["tuning"]);
}

/// Kills the queue, or the queue and its cells' supervisors, of a study with a seed for each kill. A kill whose queue
/// has ended by itself before hits nothing.
TEST_F(Studies, SurviveKillsWithEveryCellOnce) {
  const int kills = killsToSurvive(3);
  const nlohmann::json study{{"seeds", {{"least", kills}, {"most", kills}}}, {"question", {{"measure", "final_loss"}}}};
  const std::string file = write(study);
  Random random(11, RandomStream::test);
  int hits = 0;
  for (int kill = 0; kill < kills; ++kill) {
    sandbox.start({"study", "run", kill == 0 ? file : "question"});
    std::this_thread::sleep_for(std::chrono::milliseconds(300 + random.below(2500)));
    const bool cellsToo = random.below(2) == 0;
    if (!sandbox.hasEnded()) ::kill(sandbox.process(), SIGKILL);
    if (sandbox.end().exitCode == 128 + SIGKILL) ++hits;
    if (!cellsToo) continue;
    for (const RunRecord& run : runsSoFar()) {
      if (!isTerminal(run.state) && run.supervisor.pid > 0) ::kill(static_cast<pid_t>(run.supervisor.pid), SIGKILL);
    }
  }
  EXPECT_GT(hits, 0);
  EXPECT_EQ(sandbox.slipstream({"study", "run", "question"}).exitCode, 0);
  expectEveryCellOnce(2 * static_cast<std::size_t>(kills));
  const std::string killed = claimsOf(sandbox.json({"study", "verdict", "question", "--json"}));

  Sandbox quiet;
  quiet.write("base.json", studiedExperiment());
  nlohmann::json again = study;
  again["base"] = "base.json";
  EXPECT_EQ(quiet.slipstream({"study", "run", quiet.write("question.json", again)}).exitCode, 0);
  EXPECT_EQ(claimsOf(quiet.json({"study", "verdict", "question", "--json"})), killed);
}

TEST_F(Studies, ArePausedAndGoOn) {
  const std::string file = write({{"question", {{"measure", "final_loss"}}}});
  sandbox.start({"study", "run", file});
  while (runsSoFar().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(std::system((std::string(SLIPSTREAM_BUILD "/bin/slipstream study pause question --store ") +
                         sandbox.storeFolder().string() + " > /dev/null")
                            .c_str()),
            0);
  EXPECT_EQ(sandbox.end(120).exitCode, 0);
  const auto paused = status();
  EXPECT_EQ(paused["state"], "paused");
  EXPECT_GT(paused["open"].get<int>(), 0);
  EXPECT_EQ(sandbox.slipstream({"study", "run", "question"}).exitCode, 0);
  expectEveryCellOnce(6);
}

TEST_F(Studies, ADetachedQueueIsRefusedWhereItWasAskedFor) {
  const std::string file = write({{"question", {{"measure", "final_loss"}}}});
  EXPECT_EQ(sandbox.slipstream({"study", "run", "--detach", file}).output, "question\n");
  // Its name begins with a dash, which is no option behind two of them.
  const std::string other = sandbox.write(
      "other.json", {{"name", "-other"}, {"base", "base.json"}, {"question", {{"measure", "final_loss"}}}});
  const ProgramEnd refused = sandbox.slipstream({"study", "run", "--detach", "--", other});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("is being carried on by process"));
  while (status()["state"] != "done") std::this_thread::sleep_for(std::chrono::milliseconds(100));
  expectEveryCellOnce(6);
  EXPECT_EQ(sandbox.json({"study", "pause", "--json", "--", "-other"})["state"], "paused");
}

TEST_F(Studies, AnExperimentWithSeedsIsRunWithEach) {
  auto experiment = studiedExperiment();
  experiment.erase("seed");
  experiment["seeds"] = {4, 5};
  const auto runs = sandbox.json({"run", sandbox.write("seeds.json", experiment), "--json"});
  EXPECT_EQ(runs["runs"].size(), 4U);
  std::string order;
  for (const RunRecord& run : sandbox.store()->runs()) order += fmt::format("{}{} ", run.variant, run.seed);
  EXPECT_EQ(order, "slow4 fast4 fast5 slow5 ");
}

}  // namespace
}  // namespace slipstream::test
