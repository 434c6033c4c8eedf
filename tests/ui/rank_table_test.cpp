// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/check_file.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "ui/rank_table/rank_table_model.h"

namespace slipstream::ui {
namespace {

using testing::ElementsAre;

const std::filesystem::path cases = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/cases/rank_tables";

std::vector<std::filesystem::path> tables() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : {cases, std::filesystem::path(SLIPSTREAM_SOURCE) / "../shared/data/rank_tables"}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto& file = entry.path();
      if (file.extension() == ".json" && file.filename() != "expected.json") files.push_back(file);
    }
  }
  return files;
}

std::string textOfHosts(const std::vector<std::string>& hosts) {
  return toJsonText(rankTableOfHosts(hosts, {})->table);
}

class RankTableWindow : public testing::Test {
 protected:
  RankTableDocument document_{nullptr};
  RankTableModel model_{document_, nullptr};
  RankTableListModel list_{model_, nullptr};
  QAbstractItemModelTester treeTester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
  QAbstractItemModelTester listTester_{&list_, QAbstractItemModelTester::FailureReportingMode::Fatal};

  std::vector<std::string> ranks() const {
    std::vector<std::string> texts;
    for (int row = 0; row < list_.rowCount(); ++row) {
      texts.push_back(list_.index(row, 0).data(Qt::DisplayRole).toString().toStdString());
    }
    return texts;
  }
  void drop(const QModelIndexList& lines, int row, const QModelIndex& parent) {
    const std::unique_ptr<QMimeData> data(model_.mimeData(lines));
    ASSERT_TRUE(model_.canDropMimeData(data.get(), Qt::MoveAction, row, 0, parent));
    EXPECT_FALSE(model_.dropMimeData(data.get(), Qt::MoveAction, row, 0, parent)) << "nothing is left to remove";
  }
};

TEST_F(RankTableWindow, ProblemsAreTheCommandLinesWords) {
  ASSERT_GT(tables().size(), 20U);
  for (const auto& file : tables()) {
    ASSERT_TRUE(document_.load(file));
    const FileCheck check = checkRankTableFile(file);
    const Problems& problems = document_.problems();
    ASSERT_EQ(problems.size(), check.findings.size()) << file;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const Failure told = failureOf(check.findings[i], check.findings[i].path);
      EXPECT_EQ(problems[i].where.toStdString(), told.where) << file;
      EXPECT_EQ(problems[i].value.toStdString(), told.value) << file;
      EXPECT_EQ(problems[i].problem.toStdString(), told.problem) << file;
      EXPECT_EQ(problems[i].remedy.toStdString(), told.remedy) << file;
      EXPECT_EQ(problems[i].severity, check.findings[i].severity) << file;
    }
  }
}

TEST_F(RankTableWindow, ProblemsAreWordedInTheLanguageOfTheWindow) {
  document_.start(R"({"version": "1.0", "server_count": "1", "status": "completed", "server_list": []})");
  ASSERT_EQ(document_.problems().size(), 1U);
  EXPECT_EQ(document_.problems()[0].remedy, QStringLiteral("list the servers with their devices"));
  const QLocale before;
  QLocale::setDefault(QLocale(QLocale::Chinese));
  document_.recheck();
  EXPECT_EQ(document_.problems()[0].remedy, QStringLiteral("请列出各服务器及其卡"));
  QLocale::setDefault(before);
}

TEST_F(RankTableWindow, EveryProblemMarksItsRowAndLeadsThere) {
  for (const auto& file : tables()) {
    ASSERT_TRUE(document_.load(file));
    for (const Problem& problem : document_.problems()) {
      const RankTablePath path = rankTablePath(problem.where.toStdString());
      if (path.place.server >= 0) {
        const QModelIndex cell = model_.indexOf(path.place, path.cell);
        ASSERT_TRUE(cell.isValid()) << file << problem.where.toStdString();
        EXPECT_TRUE(cell.data(markRole).isValid()) << file << problem.where.toStdString();
        EXPECT_TRUE(cell.siblingAtColumn(0).data(lineMarkRole).isValid());
        EXPECT_FALSE(cell.data(Qt::ToolTipRole).toString().isEmpty());
      }
      QSignalSpy place(&document_, &RankTableDocument::placeWanted);
      QSignalSpy line(&document_, &RankTableDocument::lineWanted);
      problem.show();
      EXPECT_EQ(place.count() + line.count(), 1);
    }
  }
}

TEST_F(RankTableWindow, AFixIsOneUndoStepAndItsProblemVanishes) {
  int fixes = 0;
  for (const auto& file : tables()) {
    ASSERT_TRUE(document_.load(file));
    const Problems problems = document_.problems();
    const std::string text = document_.text();
    for (const Problem& problem : problems) {
      if (!problem.fix) continue;
      ++fixes;
      problem.fix();
      EXPECT_EQ(document_.undoStack().count(), 1) << file;
      EXPECT_EQ(document_.undoStack().undoText(), problem.fixLabel);
      for (const Problem& left : document_.problems()) {
        EXPECT_FALSE(left.where == problem.where && left.problem == problem.problem) << file;
      }
      document_.undoStack().undo();
      EXPECT_EQ(document_.text(), text);
    }
  }
  EXPECT_GT(fixes, 20);
}

TEST_F(RankTableWindow, CellsAreEditedAndUndone) {
  document_.start(textOfHosts({"a:2", "b:2"}));
  EXPECT_TRUE(model_.setData(model_.indexOf({1, 0}, RankTableCell::rank), QStringLiteral("0"), Qt::EditRole));
  EXPECT_THAT(ranks(), ElementsAre("0", "1", "0", "3"));
  ASSERT_EQ(document_.problems().size(), 1U) << "twice, and the one that is left out for it";
  EXPECT_EQ(document_.problems()[0].sentence, QStringLiteral("Rank 0 is used twice and rank 2 is missing"));
  EXPECT_EQ(document_.problems()[0].place, QStringLiteral("a, device 0 and b, device 0"));
  EXPECT_EQ(document_.markOf({0, 0}), Verdict::reject) << "both lines are at fault";
  document_.undoStack().undo();
  EXPECT_THAT(ranks(), ElementsAre("0", "1", "2", "3"));
  EXPECT_TRUE(document_.problems().empty());
  EXPECT_FALSE(model_.setData(model_.indexOf({1, 0}, RankTableCell::rank), QStringLiteral("2"), Qt::EditRole));
  EXPECT_TRUE(list_.setData(list_.index(3, 1), QStringLiteral("c"), Qt::EditRole));
  EXPECT_EQ(model_.index(1, 0).data().toString(), QStringLiteral("c"));
}

TEST_F(RankTableWindow, WhatIsSelectedStaysWhileLinesComeAndGo) {
  document_.start(textOfHosts({"a:2", "b:2"}));
  const QPersistentModelIndex kept = model_.indexOf({1, 1}, RankTableCell::rank);
  document_.change(QStringLiteral("-"), [](Json& root) { addDevice(root, 0); });
  EXPECT_EQ(kept.data().toString(), QStringLiteral("3"));
  document_.change(QStringLiteral("-"), [](Json& root) { removeLines(root, {{0, -1}}); });
  EXPECT_TRUE(kept.isValid());
  EXPECT_EQ(kept.data().toString(), QStringLiteral("3"));
  EXPECT_EQ(model_.placeOf(kept), (RankTablePosition{0, 1}));
}

TEST_F(RankTableWindow, LinesAreDragged) {
  document_.start(textOfHosts({"a:2", "b:2"}));
  drop({model_.index(1, 0)}, 0, {});
  EXPECT_THAT(ranks(), ElementsAre("2", "3", "0", "1"));
  drop({model_.indexOf({0, 0})}, -1, model_.index(1, 0));
  EXPECT_THAT(ranks(), ElementsAre("3", "0", "1", "2"));
  const std::unique_ptr<QMimeData> device(model_.mimeData({model_.indexOf({0, 0})}));
  EXPECT_FALSE(model_.canDropMimeData(device.get(), Qt::MoveAction, 0, 0, {})) << "a device needs a server";
  EXPECT_EQ(document_.undoStack().count(), 2);
}

TEST_F(RankTableWindow, RandomEditsKeepModelsAndDocumentInStep) {
  document_.start(textOfHosts({"a:3", "b:2"}));
  std::uint32_t state = 7;
  const auto next = [&state](int below) {
    state = state * 1664525 + 1013904223;
    return static_cast<int>((state >> 16U) % static_cast<std::uint32_t>(below));
  };
  for (int round = 0; round < 300; ++round) {
    document_.change(QStringLiteral("-"), [&](Json& root) {
      const int servers = serverCount(root);
      const int server = servers > 0 ? next(servers) : 0;
      const int devices = deviceCount(root, server);
      const int kind = next(6);
      if (servers == 0 || (kind == 0 && servers < 6)) {
        addServer(root);
      } else if (kind == 1) {
        addDevice(root, server);
      } else if (kind == 2) {
        moveServers(root, {server}, next(servers + 1));
      } else if (kind == 3) {
        removeLines(root, {{server, devices > 0 ? next(devices) : -1}});
      } else if (kind == 4 && devices > 0) {
        const int to = next(servers);
        moveDevices(root, {{server, next(devices)}}, {to, next(deviceCount(root, to) + 1)});
      } else {
        renumberRanks(root);
      }
    });
    if (next(4) == 0) document_.undoStack().undo();
    ASSERT_EQ(model_.rowCount(), std::ssize(document_.lines()));
    std::vector<std::string> expected;
    for (const ServerLine& server : document_.lines()) {
      for (const DeviceLine& device : server.devices) expected.push_back(device.rank);
    }
    ASSERT_EQ(ranks(), expected);
  }
}

TEST_F(RankTableWindow, WrongTextStaysAndTheRowsWait) {
  document_.start(textOfHosts({"a:2"}));
  document_.edit("{\"version\": ", QStringLiteral("Type"));
  EXPECT_FALSE(document_.isReadable());
  EXPECT_EQ(document_.text(), "{\"version\": ");
  EXPECT_EQ(list_.rowCount(), 2);
  EXPECT_FALSE(model_.flags(model_.index(0, 0)) & Qt::ItemIsEditable);
  ASSERT_EQ(document_.problems().size(), 1U);
  EXPECT_EQ(document_.problems().front().where, QStringLiteral("Untitled:1:13"));
}

TEST_F(RankTableWindow, NothingOpenIsNoProblem) {
  document_.start({});
  EXPECT_TRUE(document_.isBlank());
  EXPECT_TRUE(document_.problems().empty());
  document_.change(QStringLiteral("-"), [](Json& root) { addServer(root); });
  EXPECT_EQ(document_.reading().verdict(), Verdict::warn) << "one server, its device has no address yet";
  EXPECT_EQ(list_.rowCount(), 1);
}

TEST_F(RankTableWindow, MaskedAddressesAreKept) {
  ASSERT_TRUE(document_.load(cases / "warn_masked_server.json"));
  const QString masked = model_.index(0, 0).data(Qt::EditRole).toString();
  EXPECT_TRUE(masked.contains(QLatin1Char('*')));
  document_.change(QStringLiteral("-"), [](Json& root) { renumberRanks(root); });
  EXPECT_EQ(model_.index(0, 0).data(Qt::EditRole).toString(), masked);
}

}  // namespace
}  // namespace slipstream::ui
