// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs as values and as a model, and the line that filters it.
#include "ui/runs/run_table.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "ui/runs/filter_line.h"
#include "ui/runs/parallel_view.h"
#include "ui/runs/run_table_model.h"

namespace slipstream::ui {
namespace {

std::size_t columnOf(const char* key) {
  return *findRunColumn(key);
}

/// Runs that are made of values alone, a few columns each.
class RunTableTest : public testing::Test {
 protected:
  void add(const std::string& id, const std::string& group, double lr, std::optional<double> accuracy) {
    RunRow row;
    row.run.id = id;
    row.run.group = group;
    row.run.name = "name " + id;
    row.run.experimentName = "sweep";
    row.run.state = RunState::done;
    row.run.seed = 1;
    row.run.createdAt = static_cast<std::int64_t>(snapshot_->runs.size() + 1) * 1'000'000'000;
    RunValues values = valuesOfHead(row.run, row.label);
    values.columns[columnOf("lr")].number = lr;
    values.columns[columnOf("accuracy")].number = accuracy;
    values.columns[columnOf("algorithms")].text = lr > 0.1 ? "adasum" : "averaged";
    snapshot_->runs.push_back(row);
    values_.push_back(std::make_shared<RunValues>(values));
  }
  RunValues& valuesOf(std::size_t run) { return const_cast<RunValues&>(*values_[run]); }

  ArrangedRunsPointer arranged(const TableRequest& request) {
    std::vector<KnownRun> runs;
    for (std::size_t i = 0; i < values_.size(); ++i) runs.push_back({&snapshot_->runs[i], values_[i]});
    auto table = std::make_shared<ArrangedRuns>();
    table->snapshot = snapshot_;
    table->listed = static_cast<int>(runs.size());
    arrange(runs, request, RunNames(*snapshot_), *table);
    return table;
  }
  /// "[sweep] a b [other]"
  static std::string words(const ArrangedRuns& table) {
    std::string text;
    for (const TableRow& row : table.rows) {
      text += row.run == nullptr ? "[" + std::to_string(row.runs) + "] " : row.run->run.id + " ";
    }
    return text;
  }

  std::shared_ptr<StoreSnapshot> snapshot_ = std::make_shared<StoreSnapshot>();
  std::vector<RunValuesPointer> values_;
};

TEST_F(RunTableTest, SortsByNumbersWithWhatIsMissingLastEitherWay) {
  add("a", "", 0.2, 0.91);
  add("b", "", 0.1, std::nullopt);
  add("c", "", 0.3, 0.95);
  add("d", "", 0.3, std::numeric_limits<double>::quiet_NaN());
  const std::size_t accuracy = columnOf("accuracy");
  EXPECT_EQ(words(*arranged({})), "d c b a ") << "the newest first";
  EXPECT_EQ(words(*arranged({{}, {{accuracy, false}}, {}, {}})), "a c d b ");
  EXPECT_EQ(words(*arranged({{}, {{accuracy, true}}, {}, {}})), "d c a b ");
  EXPECT_EQ(words(*arranged({{}, {{columnOf("lr"), true}, {accuracy, false}}, {}, {}})), "c d a b ");
  valuesOf(1).columns[accuracy].never = true;
  EXPECT_EQ(words(*arranged({{}, {{accuracy, false}}, {}, {}})), "a c d b ") << "never is behind every number";
}

TEST_F(RunTableTest, GroupsCarryTheirCountTheirBestAndStayClosed) {
  add("a", "one", 0.2, 0.91);
  add("b", "one", 0.1, 0.93);
  add("c", "two", 0.3, 0.95);
  const TableRequest byLaunch{{}, {{columnOf("accuracy"), true}}, columnOf("group"), {}};
  const ArrangedRunsPointer table = arranged(byLaunch);
  EXPECT_EQ(words(*table), "[1] c [2] b a ") << "the launch of the best first";
  EXPECT_EQ(table->rows[2].best.number, 0.93);
  EXPECT_TRUE(table->rows[3].isBest);
  EXPECT_FALSE(table->rows[4].isBest);
  EXPECT_FALSE(table->rows[1].isBest) << "one alone is not the best of anything";
  TableRequest closed = byLaunch;
  closed.closed = {table->rows[2].key};
  EXPECT_EQ(words(*arranged(closed)), "[1] c [2] ");
  EXPECT_EQ(arranged(closed)->runs.size(), 3u) << "runs of closed groups are shown all the same";
  EXPECT_EQ(words(*arranged({{}, {}, columnOf("lr"), {}})), "[1] b [1] a [1] c ") << "by value";
}

/// Sorted by accuracy, the best run of all is in the first row of runs, however old its launch is.
TEST_F(RunTableTest, GroupsComeInTheOrderOfTheirFirstRunsWhereBetterHasAMeaning) {
  add("a", "one", 0.2, 0.96);
  add("b", "one", 0.1, 0.80);
  add("c", "two", 0.3, 0.90);
  add("d", "three", 0.3, std::nullopt);
  const std::size_t accuracy = columnOf("accuracy"), launch = columnOf("group");
  EXPECT_EQ(words(*arranged({{}, {{accuracy, true}}, launch, {}})), "[2] a b [1] c [1] d ");
  EXPECT_EQ(words(*arranged({{}, {{accuracy, false}}, launch, {}})), "[2] b a [1] c [1] d ");
  EXPECT_EQ(words(*arranged({{}, {{columnOf("lr"), true}}, launch, {}})), "[1] d [1] c [2] a b ") << "by age";
}

TEST_F(RunTableTest, SaysInWhichColumnsRunsDiffer) {
  add("a", "", 0.2, 0.91);
  add("b", "", 0.3, 0.91);
  const std::vector<bool> differs =
      differencesOf({{&snapshot_->runs[0], values_[0]}, {&snapshot_->runs[1], values_[1]}});
  EXPECT_TRUE(differs[columnOf("lr")]);
  EXPECT_FALSE(differs[columnOf("algorithms")]);
  EXPECT_FALSE(differs[columnOf("network")]) << "missing in both";
  EXPECT_FALSE(differs[columnOf("id")]) << "no setting";
}

TEST_F(RunTableTest, TheModelKeepsTicksThroughWhateverIsAsked) {
  RunTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  add("aaaaaaaa", "one", 0.2, 0.91);
  add("bbbbbbbb", "one", 0.1, 0.93);
  add("cccccccc", "two", 0.3, 0.95);
  model.setColumns({columnOf("lr"), columnOf("accuracy")});
  model.take(arranged({{}, {}, columnOf("group"), {}}));
  EXPECT_EQ(model.rowCount(), 5);
  EXPECT_EQ(model.index(1, 2).data().toString(), QStringLiteral("95.00"));
  EXPECT_EQ(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Accuracy, %"));
  QSignalSpy ticked(&model, &RunTableModel::tickedChanged);
  EXPECT_TRUE(model.setData(model.index(2, 0), Qt::Checked, Qt::CheckStateRole)) << "a group ticks its runs";
  EXPECT_EQ(model.ticked(), (std::set<std::string>{"aaaaaaaa", "bbbbbbbb"}));
  EXPECT_EQ(ticked.count(), 1);
  model.take(arranged({{}, {{columnOf("lr"), false}}, {}, {}}));
  EXPECT_EQ(model.index(model.rowOf("aaaaaaaa"), 0).data(Qt::CheckStateRole).toInt(), Qt::Checked);
  EXPECT_EQ(model.index(model.rowOf("cccccccc"), 0).data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
  EXPECT_TRUE(model.differs(model.rowOf("aaaaaaaa"), 1)) << "ticked runs have two learning rates";
  EXPECT_FALSE(model.differs(model.rowOf("cccccccc"), 1)) << "it is not ticked";
  EXPECT_FALSE(model.differs(model.rowOf("aaaaaaaa"), 2)) << "a result is no setting";
  model.setTicked({});
  snapshot_->runs[2].label.pinned = true;
  model.take(arranged({}));
  EXPECT_TRUE(model.differs(model.rowOf("aaaaaaaa"), 1)) << "unlike the baseline";
  EXPECT_FALSE(model.differs(model.rowOf("cccccccc"), 1));
  model.take(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(RunTableTest, UnsortedSeedsOfAVariantFollowEachOtherAndTheNewestLaunchIsFirst) {
  const std::size_t variant = columnOf("variant");
  int run = 0;
  for (const char* id : {"mean1", "adasum1", "mean2", "adasum2"}) {
    add(id, "sweep", 0.1, 0.9);
    valuesOf(static_cast<std::size_t>(run)).columns[variant].text = run % 2 == 0 ? "mean" : "adasum";
    ++run;
  }
  add("later", "", 0.1, 0.9);
  EXPECT_EQ(words(*arranged({})), "later mean1 mean2 adasum1 adasum2 ");
}

TEST_F(RunTableTest, CopiesAsCsvThatSaysItsUnits) {
  add("aaaaaaaa", "one", 0.2, 0.9175);
  add("bbbbbbbb", "one", 0.1, std::nullopt);
  snapshot_->runs[0].label.title = "plain, \"quoted\"";
  const ArrangedRunsPointer table = arranged({});
  const std::vector<std::size_t> columns{columnOf("lr"), columnOf("accuracy")};
  EXPECT_EQ(csvOf(*table, columns, {}).text.toStdString(),
            "run,Run,LR,\"Accuracy, %\"\r\naaaaaaaa,\"plain, \"\"quoted\"\"\",0.2,91.75\r\n"
            "bbbbbbbb,name bbbbbbbb,0.1,\r\n");
  EXPECT_EQ(csvOf(*table, columns, {"bbbbbbbb"}).text.toStdString(),
            "run,Run,LR,\"Accuracy, %\"\r\nbbbbbbbb,name bbbbbbbb,0.1,\r\n");
}

TEST_F(RunTableTest, ProposalsAreColumnsThenComparisonsThenValues) {
  add("a", "one", 0.05, 0.881);
  add("b", "one", 0.2, 0.9897);
  std::vector<KnownRun> runs;
  for (std::size_t i = 0; i < values_.size(); ++i) runs.push_back({&snapshot_->runs[i], values_[i]});
  const std::vector<ColumnExtent> extents = extentsOf(runs);
  const auto texts = [&](const QString& line) {
    QStringList all;
    for (const FilterProposal& one : proposalsFor(line, static_cast<int>(line.size()), extents)) all << one.text;
    return all.join(QLatin1Char(' ')).toStdString();
  };
  EXPECT_EQ(texts(QStringLiteral("acc")), "accuracy best_accuracy target");
  EXPECT_NE(texts(QStringLiteral("time")).find("training_seconds"), std::string::npos) << "by its title";
  const auto accuracy = proposalsFor(QStringLiteral("seed:1 acc"), 10, extents);
  EXPECT_EQ(accuracy.front().remark, QStringLiteral("88.10 … 98.97 %"));
  EXPECT_EQ(accuracy.front().line, QStringLiteral("seed:1 accuracy"));
  EXPECT_EQ(texts(QStringLiteral("lr")), "lr>= lr<= lr> lr< lr:");
  EXPECT_EQ(texts(QStringLiteral("-algorithms:")), "adasum averaged");
  EXPECT_EQ(texts(QStringLiteral("algorithms:ave")), "averaged");
  EXPECT_EQ(texts(QStringLiteral("lr>=")), "0.05 0.2");
  EXPECT_EQ(texts(QStringLiteral("lr>")), "0.05") << "nothing is above the highest";
  EXPECT_EQ(texts(QStringLiteral("accuracy<=")), "88.10% 98.97%") << "with their unit";
  EXPECT_EQ(texts(QStringLiteral("is:p")), "pinned");
  EXPECT_EQ(texts(QString()), "");
}

TEST_F(RunTableTest, ProposedValuesMatchRuns) {
  add("a", "one", 0.05, 0.881234);
  add("b", "one", 0.2, 0.9897);
  valuesOf(0).acting = {"adasum", "less_bn"};
  valuesOf(0).columns[columnOf("algorithms")].text = "adasum, less_bn";
  snapshot_->runs[0].label.tags = {"paper", "keep"};
  valuesOf(0).columns[columnOf("tag")].text = "paper, keep";
  valuesOf(1).columns[columnOf("variant")].text = "with \"quotes\"";
  std::vector<KnownRun> runs;
  for (std::size_t i = 0; i < values_.size(); ++i) runs.push_back({&snapshot_->runs[i], values_[i]});
  const std::vector<ColumnExtent> extents = extentsOf(runs);
  for (const char* begun : {"algo:", "tag:", "algorithms:", "variant:", "lr>", "lr<", "lr>=", "lr<=", "lr:",
                            "accuracy<=", "accuracy:", "accuracy>=", "seed:", "created<=", "created>"}) {
    const QString line = QString::fromLatin1(begun);
    for (const FilterProposal& one : proposalsFor(line, static_cast<int>(line.size()), extents)) {
      const auto query = RunQuery::parse(one.line.toStdString());
      ASSERT_TRUE(query) << one.line.toStdString();
      EXPECT_TRUE(std::ranges::any_of(runs, [&](const KnownRun& run) {
        return query->matches(*run.values, run.row->run, run.row->label);
      })) << one.line.toStdString();
    }
  }
  EXPECT_EQ(proposalsFor(QStringLiteral("tag:"), 4, extents).size(), 2U);
  EXPECT_EQ(proposalsFor(QStringLiteral("algo:"), 5, extents).size(), 2U);
}

TEST_F(RunTableTest, ClosedGroupsAndFilteredRunsAreTickedComparedAndCopied) {
  add("aaaaaaaa", "one", 0.2, 0.91);
  add("bbbbbbbb", "one", 0.1, 0.93);
  add("cccccccc", "two", 0.3, 0.95);
  const TableRequest byLaunch{{}, {}, columnOf("group"), {}};
  TableRequest closed = byLaunch;
  closed.closed = {arranged(byLaunch)->rows[2].key};
  const std::vector<std::size_t> columns{columnOf("lr")};
  EXPECT_EQ(csvOf(*arranged(closed), columns, {}).runs, 3);
  RunTableModel model;
  model.setColumns(columns);
  model.take(arranged(closed));
  model.toggle(2);
  EXPECT_EQ(model.ticked(), (std::set<std::string>{"aaaaaaaa", "bbbbbbbb"})) << "a closed group ticks its runs";
  auto filtered = std::make_shared<ArrangedRuns>(*arranged({}));
  filtered->filtered = {filtered->runs.back()};
  filtered->runs.pop_back();
  filtered->rows.pop_back();
  filtered->places.erase("aaaaaaaa");
  model.take(filtered);
  EXPECT_TRUE(model.differs(model.rowOf("bbbbbbbb"), 1)) << "from a ticked run that is out of sight";
  EXPECT_EQ(csvOf(*filtered, columns, model.ticked()).runs, 2);
  model.setTicked({});
  snapshot_->runs[0].label.pinned = true;
  model.take(filtered);
  EXPECT_TRUE(model.differs(model.rowOf("bbbbbbbb"), 1)) << "from the baseline that is out of sight";
}

TEST_F(RunTableTest, TermsOfALineAreFoundWithTheirPlaces) {
  const std::vector<FilterTerm> terms = termsOf(QStringLiteral("adasum  network:lenet5 note:\"a b\" acc"));
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_FALSE(terms[0].isCondition);
  EXPECT_EQ(terms[1].begin, 8);
  EXPECT_EQ(terms[1].length, 14);
  EXPECT_TRUE(terms[1].isCondition);
  EXPECT_EQ(terms[2].length, 10) << "quotes hold blanks together";
  EXPECT_FALSE(terms[3].isCondition);
}

TEST_F(RunTableTest, ParallelAxesPlaceValuesBetweenTheirEnds) {
  add("a", "", 0.001, 0.90);
  add("b", "", 0.1, 0.95);
  add("c", "", 10, 1.0);
  std::vector<const RunValues*> values;
  for (const RunValuesPointer& one : values_) values.push_back(one.get());
  const ParallelAxis accuracy(columnOf("accuracy"), values), rate(columnOf("lr"), values),
      names(columnOf("algorithms"), values), memory(columnOf("memory"), values);
  EXPECT_NEAR(*accuracy.placeOf(*values[1]), 0.5, 1e-12);
  EXPECT_NEAR(*rate.placeOf(*values[1]), 0.5, 1e-12) << "over powers of ten it is logarithmic";
  EXPECT_EQ(names.placeOf(*values[0]), 1.0) << "averaged is behind adasum";
  EXPECT_EQ(names.placeOf(*values[2]), 0.0);
  EXPECT_EQ(memory.placeOf(*values[0]), std::nullopt);
  EXPECT_EQ(accuracy.marks().front().text, QStringLiteral("90.00"));
}

TEST_F(RunTableTest, ManyLinesAreLeftOutAndSoSaid) {
  for (int i = 0; i < 1200; ++i) add("run" + std::to_string(i), "", 0.1 + i, 0.5);
  ParallelView view;
  view.resize(600, 300);
  view.show(arranged({}), {columnOf("lr"), columnOf("accuracy")});
  EXPECT_EQ(view.drawnRuns(), 1000u);
  EXPECT_FALSE(view.grab().toImage().isNull());
  QSignalSpy chosen(&view, &ParallelView::chosen);
  QTest::keyClick(&view, Qt::Key_Down);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toString(), QStringLiteral("run1199")) << "the first of the table";
  view.setCurrentRun("run1199");
  EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("Accuracy, %: 50.00")))
      << view.accessibleDescription().toStdString();
}

}  // namespace
}  // namespace slipstream::ui
