// SPDX-License-Identifier: GPL-3.0-or-later
// The reader in Python gives what the store gives, bit for bit, of series in every stored form.
#include <bit>
#include <cstdlib>
#include <limits>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/random.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

/// Each sample as "RUN METRIC RANK STEP WALL BITS", one a line; rank -1: of the run.
std::string dumpOf(RunStore& store, const std::vector<std::string>& runs, int ranks) {
  std::string dump;
  for (const std::string& run : runs) {
    for (const std::string& metric : store.metricNames(run)) {
      for (int rank = -1; rank < ranks; ++rank) {
        const Series series = rank < 0 ? store.series(run, metric) : store.rankSeries(run, metric, rank);
        for (std::size_t i = 0; i < series.steps.size(); ++i) {
          dump += fmt::format("{} {} {} {} {} {:016x}\n", run, metric, rank, series.steps[i], series.wallNanoseconds[i],
                              std::bit_cast<std::uint64_t>(series.values[i]));
        }
      }
    }
  }
  return dump;
}

class PythonReader : public testing::Test {
 protected:
  PythonReader() : store(test::openStore(root())) {}
  std::filesystem::path root() const { return folder.path() / "store"; }

  /// What tests/python/dump_series.py prints of the store; fails the test where it fails.
  std::string dumped(int ranks) const {
    const auto output = folder.path() / "dump";
    const std::string line =
        fmt::format("PYTHONPATH='{0}/app/python' '{1}' -B '{0}/tests/python/dump_series.py' '{2}' {3} > '{4}' 2>&1",
                    SLIPSTREAM_SOURCE, SLIPSTREAM_PYTHON, root().string(), ranks, output.string());
    const int status = std::system(line.c_str());
    const std::string text = readFile(output).value_or("");
    EXPECT_EQ(status, 0) << text.substr(0, 2000);
    return text;
  }
  std::string newRun() {
    NewRun asked = test::sampleRun();
    asked.ranks = 3;
    runs.push_back(store->createRun(asked));
    return runs.back();
  }
  void expectTheSame(int ranks = 3) {
    const std::string own = dumpOf(*store, runs, ranks), python = dumped(ranks);
    EXPECT_GT(own.size(), 1000U);
    // Of texts of megabytes the place says more than both.
    const auto at = std::mismatch(own.begin(), own.end(), python.begin(), python.end()).first - own.begin();
    EXPECT_EQ(own.size(), python.size());
    EXPECT_TRUE(own == python) << "differs at "
                               << own.substr(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, at - 80)), 160);
  }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store;
  std::vector<std::string> runs;
};

TEST_F(PythonReader, OfEveryStoredForm) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  Random random(3, RandomStream::test);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto value = [&](std::int64_t step, std::size_t column) {
    switch (column) {
      case 0:
        return static_cast<double>(static_cast<float>(random.uniform()));  // exact in single precision
      case 1:
        return random.uniform() - 0.5;
      case 2:
        return step % 7 == 0 ? std::nan("") : step % 5 == 0 ? infinity : -infinity;
      default:
        return step % 2 == 0 ? -0.0 : std::bit_cast<double>(0x7FF8000000ABCDEFULL);
    }
  };
  for (int rank = 0; rank < 3; ++rank) {
    MetricBlock block = test::block(0, 3000, {"single", "loss", "odd", "payload"}, value);
    if (rank == 1) {  // times and steps with gaps of two, four and eight bytes
      for (std::size_t i = 0; i < block.steps.size(); ++i) {
        block.steps[i] = static_cast<std::int64_t>(i) * 3 + (i > 2000 ? std::int64_t{1} << 40 : 0);
        block.wallNanoseconds[i] += i % 3 == 0 ? 70'000 : i > 1500 ? 5'000'000'000 : 0;
      }
    }
    store->appendMetrics(id, attempt, rank, 1, block);
    store->appendMetrics(id, attempt, rank, 2, test::block(9000, 40, {"loss", "rare"}, value));
  }
  expectTheSame();
  store->setState(id, RunState::done, "");
  store->compact(id);
  expectTheSame();
}

TEST_F(PythonReader, OfAttemptsThatReplaceEachOther) {
  const std::string id = newRun();
  const auto value = [](std::int64_t step, std::size_t) { return 1.0 / static_cast<double>(step + 3); };
  for (const auto& [from, steps] : {std::pair<int, int>{0, 1300}, {900, 300}, {1000, 0}, {1100, 500}}) {
    const int attempt = store->startAttempt(id, from);
    for (int rank = 0; rank < 3 && steps > 0; ++rank) {
      store->appendMetrics(id, attempt, rank, 1, test::block(from, steps, {"loss", "b"}, value));
      if (rank == 0) store->appendMetrics(id, attempt, rank, 2, test::block(from + 10, 1, {"accuracy"}, value));
    }
  }
  expectTheSame();
}

TEST_F(PythonReader, OfARunWhoseRanksAreNotEquallyFar) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  store->setState(id, RunState::running, "");
  const auto value = [](std::int64_t step, std::size_t) { return static_cast<double>(step) / 7; };
  store->appendMetrics(id, attempt, 0, 1, test::block(0, 2100, {"loss"}, value));
  store->appendMetrics(id, attempt, 1, 1, test::block(0, 50, {"loss"}, value));
  EXPECT_EQ(store->series(id, "loss").steps.size(), 0U) << "one rank has said nothing yet";
  expectTheSame();
  store->appendMetrics(id, attempt, 2, 1, test::block(0, 70, {"loss"}, value));
  store->appendMetrics(id, attempt, 0, 2, test::block(60, 1, {"accuracy"}, value));
  EXPECT_EQ(store->series(id, "loss").steps.size(), 50U);
  expectTheSame();
}

TEST_F(PythonReader, DamageIsSaid) {
  const std::string id = newRun();
  const int attempt = store->startAttempt(id, 0);
  store->appendMetrics(id, attempt, 0, 1, test::block(0, 1500, {"loss"}, [](auto, auto) { return 1.0; }));
  {
    SQLite::Database raw((root() / "store.db").string(), SQLite::OPEN_READWRITE);
    raw.exec("UPDATE chunk SET data = zeroblob(length(data))");
  }
  const auto output = folder.path() / "dump";
  const std::string line =
      fmt::format("PYTHONPATH='{0}/app/python' '{1}' -B '{0}/tests/python/dump_series.py' '{2}' 3 > '{3}' 2>&1",
                  SLIPSTREAM_SOURCE, SLIPSTREAM_PYTHON, root().string(), output.string());
  EXPECT_NE(std::system(line.c_str()), 0);
  EXPECT_THAT(readFile(output).value(),
              testing::AllOf(testing::HasSubstr("run " + id), testing::HasSubstr("checksum is wrong")));
}

}  // namespace
}  // namespace slipstream
