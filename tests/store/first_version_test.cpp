// SPDX-License-Identifier: GPL-3.0-or-later
// A store that the first version of the tables holds: this program brings it forward and reads all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/database.h"
#include "engine/store/metric_table.h"
#include "engine/store/schema.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const DatabaseKind firstKind{.applicationId = 0x534C5053,
                             .what = "run store",
                             .scripts = std::span(storeMigrations).first(1),
                             .creationPragmas = "PRAGMA page_size = 16384",
                             .pragmas = "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON"};

/// Two ranks, two attempts, steps in chunks and in the tail.
void fillFirstVersion(const std::filesystem::path& folder) {
  const auto database = std::move(Database::open(folder / "store.db", StoreAccess::write, firstKind).value());
  database->execute(
      "INSERT INTO run (id, name, experiment_name, variant, run_group, experiment_text, plan_text, command_text,"
      " environment_text, source_revision, seed, ranks, device, colour_slot, state, why, attempt, stop_request,"
      " created_at, started_at, ended_at) VALUES ('5f2a9c01', 'old', 'experiment', 'adasum', 'group', '{\"a\": 1}', "
      "'{}', 'slipstream run a.json', '{}', 'abc', -1, 2, 'cpu', 3, 'failed', 'a rank died', 2, 0, 10, 20, 30)");
  database->execute("INSERT INTO attempt VALUES (1, 1, 0, 20), (1, 2, 1500, 25)");
  database->execute(
      "INSERT INTO event (run, wall, attempt, rank, level, code, text) VALUES "
      "(1, 26, 2, 1, 2, 'worker_failed', 'it died')");
  database->execute("INSERT INTO memory VALUES (1, 0, 'weights', 400), (1, 1, 'weights', 404)");
  database->execute("INSERT INTO checkpoint VALUES (1, 1500, 1, 1, 800, 800, 24)");
  MetricTable metrics(*database);
  for (int rank = 0; rank < 2; ++rank) {
    const auto value = [rank](std::int64_t step, std::size_t) { return static_cast<double>(step + 10'000 * rank); };
    metrics.append(1, 1, rank, 1, test::block(0, 1600, {"loss"}, value));
    metrics.append(1, 2, rank, 1, test::block(1500, 10, {"loss"}, value));
  }
}

class FirstVersion : public testing::Test {
 protected:
  FirstVersion() { fillFirstVersion(folder_.path()); }
  test::TemporaryFolder folder_;
};

TEST_F(FirstVersion, IsBroughtForwardAndReadWhole) {
  const auto store = test::openStore(folder_.path());
  ASSERT_EQ(store->runs().size(), 1U);
  const RunRecord run = store->find("5f").value();
  EXPECT_EQ(run.name, "old");
  EXPECT_EQ(run.variant, "adasum");
  EXPECT_EQ(run.group, "group");
  EXPECT_EQ(run.experimentText, "{\"a\": 1}");
  EXPECT_EQ(run.seed, ~std::uint64_t{0});
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.colourSlot, 3);
  EXPECT_EQ(run.state, RunState::failed);
  EXPECT_EQ(run.why, "a rank died");
  EXPECT_EQ(run.attempt, 2);
  EXPECT_EQ(run.endedAt, 30);
  EXPECT_EQ(store->heads().at(0).id, run.id);

  EXPECT_THAT(store->metricNames(run.id), ElementsAre("loss"));
  const Series own = store->rankSeries(run.id, "loss", 1);
  ASSERT_EQ(own.steps.size(), 1510U);
  for (std::size_t step = 0; step < own.steps.size(); ++step) {
    ASSERT_EQ(own.steps[step], step);
    ASSERT_EQ(own.values[step], static_cast<double>(step) + 10'000);
  }
  EXPECT_EQ(store->series(run.id, "loss").values.at(7), 5007) << "the mean over ranks";
  EXPECT_EQ(store->rankProgress(run.id).size(), 2U);
  EXPECT_EQ(store->events(run.id).at(0).text, "it died");
  EXPECT_EQ(store->memory(run.id).at(1).at("weights"), 404);
  EXPECT_EQ(store->checkpoints(run.id).at(0).step, 1500);
  EXPECT_TRUE(store->labels().empty());
  EXPECT_TRUE(store->verify().empty());
}

TEST_F(FirstVersion, IsWrittenOnAsAnyOther) {
  const auto store = test::openStore(folder_.path());
  const std::string id = store->runs().front().id;
  RunLabel label;
  label.note = "kept";
  store->setLabel(id, label);
  EXPECT_EQ(store->labels().at(id).note, "kept");
  const int attempt = store->startAttempt(id, 1505);
  EXPECT_EQ(attempt, 3);
  EXPECT_FALSE(store->appendMetrics(id, 2, 0, 1, test::block(1500, 10, {"loss"}, [](auto, auto) { return 0.0; })))
      << "what had come is known";
  EXPECT_TRUE(store->appendMetrics(id, attempt, 0, 1, test::block(1505, 1, {"loss"}, [](auto, auto) { return 7.0; })));
  EXPECT_EQ(store->rankSeries(id, "loss", 0).values.back(), 7);
  EXPECT_NE(store->createRun(test::sampleRun()), id);
  store->removeRun(id);
  EXPECT_EQ(store->runs().size(), 1U);
}

TEST_F(FirstVersion, KeepsACopyOfItselfAndIsRefusedToReaders) {
  const auto refused = RunStore::open(folder_.path(), StoreAccess::read);
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()), HasSubstr("has to be brought up to date"));
  test::openStore(folder_.path());
  const std::string copy = "store.db.before-version-" + std::to_string(storeMigrations.size());
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / copy));
  EXPECT_TRUE(RunStore::open(folder_.path(), StoreAccess::read));
}

}  // namespace
}  // namespace slipstream
