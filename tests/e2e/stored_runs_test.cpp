// SPDX-License-Identifier: GPL-3.0-or-later
// Runs are found by name, listed with what came of them, marked, put away and deleted.
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

nlohmann::json twoVariants() {
  nlohmann::json experiment = smallExperiment(20, 10);
  experiment["parallel"]["ranks"] = 1;
  experiment["variants"] = {{{"name", "slow"}, {"optimizer", {{"learning_rate", 0.01}}}},
                            {{"name", "fast"}, {"optimizer", {{"learning_rate", 0.1}}}}};
  return experiment;
}

std::string problemOf(const ProgramEnd& end) {
  EXPECT_EQ(end.exitCode, 2) << end.output;
  return end.errors;
}

TEST(KeepingRuns, OneVariantAloneRunsAndIsRepeatedAlone) {
  Sandbox sandbox;
  const std::string file = sandbox.write("two.json", twoVariants());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--variant", "fast", "--quiet"}).exitCode, 0);
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].variant, "fast");
  EXPECT_THAT(runs[0].commandText, HasSubstr("--variant fast"));
  EXPECT_THAT(problemOf(sandbox.slipstream({"run", file, "--variant", "fats"})), HasSubstr("did you mean fast?"));
  EXPECT_THAT(problemOf(sandbox.slipstream({"plan", file, "--variant", "x", "--variant", "slow"})),
              HasSubstr("name one of slow, fast"));
  EXPECT_EQ(sandbox.json({"plan", file, "--variant", "slow", "--json"})["plans"].size(), 1U);
  const std::string single = sandbox.write("one.json", smallExperiment(3, 0));
  EXPECT_THAT(problemOf(sandbox.slipstream({"run", single, "--variant", "fast"})), HasSubstr("has no variants"));
  EXPECT_EQ(sandbox.store()->runs().size(), 1U);
}

/// Two seeds of two variants.
class StoredRuns : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    sandbox = std::make_unique<Sandbox>();
    const std::string file = sandbox->write("two.json", twoVariants());
    for (const char* seed : {"1", "2"}) {
      ASSERT_EQ(sandbox->slipstream({"run", file, "--seed", seed, "--quiet"}).exitCode, 0);
    }
  }
  static void TearDownTestSuite() { sandbox.reset(); }

  static std::vector<std::string> ids(const std::vector<std::string>& words) {
    std::vector<std::string> command{"runs", "--json"};
    command.insert(command.end(), words.begin(), words.end());
    std::vector<std::string> found;
    for (const auto& run : sandbox->json(command)) found.push_back(run["run"]);
    return found;
  }

  static std::unique_ptr<Sandbox> sandbox;
};
std::unique_ptr<Sandbox> StoredRuns::sandbox;

TEST_F(StoredRuns, AreListedWithWhatCameOfThem) {
  const auto listed = sandbox->json({"runs", "--json"});
  ASSERT_EQ(listed.size(), 4U);
  const auto shown = sandbox->json({"show", listed[0]["run"].get<std::string>(), "--json"});
  EXPECT_EQ(listed[0]["accuracy"], shown["metrics"]["accuracy"]["last"]) << "a fraction in both";
  EXPECT_EQ(listed[0]["loss"], shown["stages"][0]["training_loss"]);
  EXPECT_EQ(listed[0]["test_loss"], shown["stages"][0]["loss"]);
  EXPECT_EQ(listed[0]["steps"], 20);
  EXPECT_GT(listed[0]["training_seconds"].get<double>(), 0);
  const std::string text = sandbox->slipstream({"runs"}).output;
  EXPECT_THAT(text, AllOf(HasSubstr("accuracy, %"), HasSubstr("training, s"), HasSubstr("small / slow")));
  const double percent = 100 * listed[0]["accuracy"].get<double>();
  EXPECT_THAT(text, HasSubstr(fmt::format(" {:.2f} ", percent)));
}

TEST_F(StoredRuns, AreNamedInOneWayEverywhere) {
  EXPECT_EQ(ids({"fast"}).size(), 2U);
  EXPECT_EQ(ids({"last:3"}).size(), 3U);
  EXPECT_EQ(ids({"--filter", "accuracy>0"}).size(), 4U);
  EXPECT_THAT(problemOf(sandbox->slipstream({"runs", "--filter", "accuracy>90"})), HasSubstr("accuracy>90%"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"slow", "fast"}, {"small"}, {"variant:slow", "variant:fast"}, {"last:4"}}) {
    std::vector<std::string> command{"compare", "--json"};
    command.insert(command.end(), words.begin(), words.end());
    const auto compared = sandbox->json(command);
    ASSERT_EQ(compared["variants"].size(), 2U) << join(words, " ");
    EXPECT_EQ(compared["variants"][0]["runs"].size(), 2U) << join(words, " ");
  }
  EXPECT_EQ(sandbox->json({"compare", "--filter", "seed:2", "--json"})["variants"][0]["runs"].size(), 1U);
  EXPECT_THAT(problemOf(sandbox->slipstream({"compare"})), HasSubstr("RUNS: are missing"));
  const std::string html = (sandbox->folder() / "r.html").string();
  EXPECT_EQ(sandbox->json({"report", "fast", "-o", html, "--json"})["report"], html);
  EXPECT_TRUE(std::filesystem::exists(html));
  for (const char* command : {"show", "metrics", "logs", "checkpoints", "verify"}) {
    EXPECT_THAT(problemOf(sandbox->slipstream({command, "slow"})), HasSubstr("names 2 runs, and one is wanted"))
        << command;
  }
  EXPECT_EQ(sandbox->slipstream({"show", "variant:slow seed:2"}).exitCode, 0);
  EXPECT_EQ(sandbox->slipstream({"evaluate", "last@10"}).exitCode, 0);
  EXPECT_THAT(problemOf(sandbox->slipstream({"show", "fats"})), HasSubstr("did you mean fast?"));
}

TEST_F(StoredRuns, AreTaggedAndArchived) {
  const auto all = ids({});
  EXPECT_THAT(sandbox->slipstream({"tag", "paper", "fast"}).output, HasSubstr("was put on 2 runs"));
  EXPECT_THAT(sandbox->slipstream({"tag", "paper", "fast"}).output, HasSubstr("was put on 0 runs"));
  EXPECT_EQ(ids({"--tag", "paper"}), ids({"fast"}));
  EXPECT_EQ(ids({"paper"}), ids({"fast"}));
  EXPECT_THAT(sandbox->slipstream({"runs"}).output, HasSubstr("small / fast #paper"));
  EXPECT_EQ(sandbox->json({"untag", "paper", "last", "--json"})["changed"].size(), 1U);
  EXPECT_EQ(ids({"--tag", "paper"}).size(), 1U);
  EXPECT_THAT(problemOf(sandbox->slipstream({"tag", " ", "last"})), HasSubstr("TAG: is empty"));
  EXPECT_THAT(problemOf(sandbox->slipstream({"tag", "12345678", "last"})),
              AllOf(HasSubstr("reads as the id of a run"), HasSubstr("for example n12345678")));

  ASSERT_EQ(sandbox->slipstream({"archive", "seed:1"}).exitCode, 0);
  EXPECT_EQ(ids({}).size(), 2U);
  EXPECT_EQ(ids({"--archived"}), all);
  EXPECT_EQ(ids({"is:archived"}).size(), 2U);
  EXPECT_EQ(ids({"slow"}).size(), 1U) << "names pass over archived runs";
  EXPECT_THAT(sandbox->slipstream({"runs", "--archived"}).output, HasSubstr("(archived)"));
  ASSERT_EQ(sandbox->slipstream({"unarchive", "is:archived"}).exitCode, 0);
  EXPECT_EQ(ids({}), all);
}

TEST_F(StoredRuns, AreRenamedAndCalledSoEverywhere) {
  const auto last = ids({"last"});
  EXPECT_THAT(sandbox->slipstream({"rename", "last", "warm-up, lr=0.1"}).output,
              HasSubstr("is called warm-up, lr=0.1"));
  EXPECT_EQ(ids({"warm-up, lr=0.1"}), last);
  EXPECT_EQ(ids({"name:warm-up"}), last);
  EXPECT_THAT(sandbox->slipstream({"runs"}).output, HasSubstr("warm-up, lr=0.1"));
  EXPECT_THAT(sandbox->slipstream({"show", "last"}).output, HasSubstr("warm-up, lr=0.1  (small / "));
  EXPECT_EQ(sandbox->json({"runs", "last", "--json"})[0]["title"], "warm-up, lr=0.1");
  for (const char* name : {"12345678", "last", "last:2"}) {
    EXPECT_THAT(problemOf(sandbox->slipstream({"rename", "last", name})), HasSubstr("NAME: reads as")) << name;
  }
  EXPECT_THAT(problemOf(sandbox->slipstream({"rename", "last", " x"})), HasSubstr("begins or ends with a blank"));
  EXPECT_THAT(problemOf(sandbox->slipstream({"rename", "small", "x"})), HasSubstr("names 4 runs"));
  EXPECT_EQ(sandbox->json({"rename", "last", "", "--json"})["changed"], true);
  EXPECT_EQ(sandbox->json({"runs", "last", "--json"})[0]["title"], "");
}

TEST_F(StoredRuns, AreTakenBackByTheNameThatTheyWereArchivedBy) {
  const auto all = ids({});
  ASSERT_EQ(sandbox->slipstream({"archive", "fast"}).exitCode, 0);
  EXPECT_THAT(problemOf(sandbox->slipstream({"show", "fast"})), HasSubstr("slipstream unarchive fast"));
  EXPECT_EQ(sandbox->json({"unarchive", "fast", "--json"})["changed"].size(), 2U);
  EXPECT_EQ(ids({}), all);

  ASSERT_EQ(sandbox->slipstream({"archive", "small"}).exitCode, 0);
  EXPECT_THAT(ids({}), testing::IsEmpty());
  EXPECT_THAT(problemOf(sandbox->slipstream({"show", "last"})),
              AllOf(HasSubstr("all runs are archived"), HasSubstr("slipstream unarchive last")));
  EXPECT_EQ(ids({"--archived", "last"}), std::vector{all.back()});
  ASSERT_EQ(sandbox->slipstream({"unarchive", "last"}).exitCode, 0);
  EXPECT_EQ(ids({}), std::vector{all.back()});
  EXPECT_EQ(sandbox->slipstream({"show", "last"}).exitCode, 0);
  ASSERT_EQ(sandbox->slipstream({"unarchive", "small"}).exitCode, 0);
  EXPECT_EQ(ids({}), all);
}

TEST_F(StoredRuns, AFilterMayMatchNoneAndANameMustExist) {
  EXPECT_THAT(ids({"seed=9"}), testing::IsEmpty());
  EXPECT_THAT(ids({"--filter", "seed=9"}), testing::IsEmpty());
  EXPECT_THAT(problemOf(sandbox->slipstream({"runs", "nobody"})), HasSubstr("no run has this id"));
  EXPECT_THAT(problemOf(sandbox->slipstream({"runs", "--filter", "accuracy>>14"})),
              HasSubstr("'>>' at character 9 is no operator"));
  EXPECT_THAT(problemOf(sandbox->slipstream({"compare", "seed=9"})), HasSubstr("no run matches"));
}

TEST(DeletedRuns, GoOnlyWhereItWasSaidTwice) {
  Sandbox sandbox;
  const std::string file = sandbox.write("two.json", twoVariants());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto runs = sandbox.store()->runs();
  const auto weights = sandbox.storeFolder() / "checkpoints" / (runs[1].id + ".db");
  ASSERT_TRUE(std::filesystem::exists(weights));

  EXPECT_THAT(problemOf(sandbox.slipstream({"delete", "fast"})),
              HasSubstr("--yes: is missing, so nothing was deleted"));
  const ProgramEnd dry = sandbox.slipstream({"delete", "fast", "--dry-run"});
  EXPECT_EQ(dry.exitCode, 0);
  EXPECT_THAT(dry.output, AllOf(HasSubstr(runs[1].id), HasSubstr("would be deleted"), Not(HasSubstr(runs[0].id))));
  EXPECT_EQ(sandbox.slipstream({"delete", "fast", "--dry-run", "--yes"}).exitCode, 2);
  EXPECT_EQ(sandbox.store()->runs().size(), 2U);

  EXPECT_THAT(problemOf(sandbox.slipstream({"prune"})), HasSubstr("add --failed, --checkpoints N or both"));
  EXPECT_THAT(problemOf(sandbox.slipstream({"prune", "--checkpoints", "0"})), HasSubstr("whole number from 1"));
  EXPECT_THAT(sandbox.slipstream({"prune", "--failed", "--yes"}).output, HasSubstr("nothing to delete"));
  const auto pruned = sandbox.json({"prune", "--checkpoints", "1", "--yes", "--json"});
  EXPECT_EQ(pruned["deleted"], true);
  EXPECT_EQ(pruned["runs"].size(), 2U);
  EXPECT_EQ(sandbox.json({"checkpoints", "fast", "--json"}).size(), 1U);
  EXPECT_EQ(sandbox.slipstream({"evaluate", "fast"}).exitCode, 0) << "the newest is left";
  EXPECT_EQ(sandbox.slipstream({"store", "verify"}).exitCode, 0);

  EXPECT_THAT(sandbox.slipstream({"delete", "fast", "--yes"}).output, HasSubstr("deleted: "));
  ASSERT_EQ(sandbox.store()->runs().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(weights));
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder() / "logs" / runs[1].id));
  EXPECT_EQ(sandbox.slipstream({"store", "verify"}).exitCode, 0);
}

TEST(DeletedRuns, OfWhichSomeCannotGoAreToldApart) {
  Sandbox sandbox;
  const std::string file = sandbox.write("two.json", twoVariants());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto runs = sandbox.store()->runs();
  const auto broken = sandbox.storeFolder() / "checkpoints" / (runs[0].id + ".db");
  std::ofstream(broken) << "no database";
  const ProgramEnd end = sandbox.slipstream({"prune", "--checkpoints", "1", "--yes", "--json"});
  EXPECT_NE(end.exitCode, 0);
  const auto json = nlohmann::json::parse(end.output);
  EXPECT_EQ(json["deleted"], false) << "not all of it";
  ASSERT_EQ(json["runs"].size(), 2U);
  EXPECT_EQ(json["runs"][0]["deleted"], false);
  EXPECT_NE(json["runs"][0]["why"], "");
  EXPECT_EQ(json["runs"][1]["deleted"], true);
  EXPECT_EQ(json["runs"][1]["why"], "");
  EXPECT_EQ(json["bytes"], json["runs"][1]["bytes"]);
  EXPECT_FALSE(end.errors.empty());
  EXPECT_EQ(sandbox.slipstream({"prune", "--checkpoints", "1", "--yes"}).exitCode, end.exitCode) << "as without --json";
}

TEST(DoneRuns, ThatKeptNoFullCheckpointAreSentBackToTheirExperiment) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(20, 10);
  experiment["train"]["checkpoint"]["weights_only"] = true;
  ASSERT_EQ(sandbox.slipstream({"run", sandbox.write("weights.json", experiment), "--quiet"}).exitCode, 0);
  const std::string again = "run its experiment again: " + sandbox.store()->runs().at(0).commandText;
  EXPECT_THAT(problemOf(sandbox.slipstream({"resume", "last"})), HasSubstr(again));
  EXPECT_THAT(problemOf(sandbox.slipstream({"resume", "last", "--from", "10"})), HasSubstr(again));
}

TEST(DeletedRuns, ALivingOneStays) {
  Sandbox sandbox;
  const std::string file = sandbox.write("long.json", smallExperiment(100'000, 0));
  const std::string id = sandbox.json({"run", file, "--detach", "--json"})["run"];
  EXPECT_THAT(problemOf(sandbox.slipstream({"delete", id, "--yes"})), HasSubstr("slipstream stop " + id));
  EXPECT_EQ(sandbox.store()->runs().size(), 1U);
  EXPECT_EQ(sandbox.json({"stop", id, "--when", "now", "--json"})["stop"], "now");
}

/// As the tutorials' log_output/worker_N.log.
TEST(RankLogs, HoldTheLossLinesOfEachRank) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(50, 0));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string text = sandbox.slipstream({"logs", "last"}).output;
  EXPECT_THAT(text, ContainsRegex("== attempt 1, rank 0, stdout\nepoch: 1 step: 10, loss is [0-9.e-]+\n"));
  EXPECT_THAT(text, ContainsRegex("== attempt 1, rank 1, stdout\nepoch: 1 step: 10, loss is [0-9.e-]+\n"));
  EXPECT_THAT(text, HasSubstr("\nepoch: 3 step: 10, loss is ")) << "20 steps an epoch";
  const auto json = sandbox.json({"logs", "last", "--rank", "1", "--json"});
  for (const auto& log : json) EXPECT_EQ(log["rank"], 1);

  std::filesystem::remove_all(sandbox.storeFolder() / "logs" / sandbox.store()->runs().at(0).id);
  const ProgramEnd nothing = sandbox.slipstream({"logs", "last"});
  EXPECT_EQ(nothing.exitCode, 0);
  EXPECT_THAT(nothing.output,
              AllOf(HasSubstr("wrote nothing"), HasSubstr("train.log_every_steps"), HasSubstr("logs: /")));
}

TEST(ExportedWeights, OfAllCheckpointsSayTheirLayout) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(30, 10));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto folder = sandbox.folder() / "weights";
  const ProgramEnd exported = sandbox.slipstream({"checkpoint", "export", "last", "--all", folder.string()});
  EXPECT_EQ(exported.exitCode, 0) << exported.errors;
  EXPECT_THAT(exported.output, HasSubstr("convolutions OIHW"));
  for (const char* step : {"10", "20", "30"}) {
    const auto one = folder / "checkpoints" / fmt::format("step_000000{}.safetensors", step);
    ASSERT_TRUE(std::filesystem::exists(one)) << one;
    const auto evaluated = sandbox.json({"evaluate", one.string(), "--experiment", file, "--json"});
    const auto stored = sandbox.json({"evaluate", std::string("last@") + step, "--json"});
    EXPECT_EQ(evaluated["loss"], stored["loss"]) << step;
  }
  const auto listed =
      sandbox.json({"checkpoint", "export", "last", "--all", "--format", "ckpt", folder.string(), "--json"});
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[0]["format"], "ckpt");
  EXPECT_EQ(listed[0]["layout"], "OIHW");
  EXPECT_THAT(
      sandbox.slipstream({"checkpoint", "export", "last", "--channels", "last", (folder / "w.safetensors").string()})
          .output,
      HasSubstr("OHWI"));
  EXPECT_THAT(problemOf(sandbox.slipstream({"checkpoint", "export", "last@10", "--all", folder.string()})),
              HasSubstr("leave @STEP or --all out"));
  for (const char* name : {"w.xyz", "w"}) {
    EXPECT_THAT(problemOf(sandbox.slipstream({"checkpoint", "export", "last", (folder / name).string()})),
                HasSubstr("end it in .safetensors or .ckpt, or say which it is with --format"));
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
  EXPECT_EQ(
      sandbox.slipstream({"checkpoint", "export", "last", "--format", "ckpt", (folder / "w.xyz").string()}).exitCode,
      0);
}

}  // namespace
}  // namespace slipstream
