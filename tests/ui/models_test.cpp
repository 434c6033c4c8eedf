// SPDX-License-Identifier: GPL-3.0-or-later
// Every model of the window, under the eyes of QAbstractItemModelTester while what they show changes.
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "tests/ui/small_workspace.h"
#include "ui/documents/experiment_editing.h"
#include "ui/runs/runs_dock.h"
#include "ui/study/study_page.h"
#include "ui/window/command_box.h"
#include "ui/window/main_window.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;
using Tester = QAbstractItemModelTester;

/// Classes of ours that are models, by what the headers say.
std::set<std::string> modelsOfTheSources() {
  const std::regex model(R"(class (\w+) : public Q\w*(Abstract\w*|Proxy|Item|Identity)Model\b)");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SLIPSTREAM_SOURCE "/ui")) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (std::sregex_iterator found(text.begin(), text.end(), model), end; found != end; ++found) {
      names.insert((*found)[1]);
    }
  }
  return names;
}

class ModelsOfTheWindow : public testing::Test {
 protected:
  ModelsOfTheWindow() {
    small_.open();
    window_.show();
    watch();
  }

  /// Every model that a view of the window shows, and what it is made from, gets a tester.
  void watch() {
    for (const auto* view : window_.findChildren<QAbstractItemView*>()) watch(view->model());
    for (auto* model : window_.findChildren<QAbstractItemModel*>()) watch(model);
  }
  void watch(QAbstractItemModel* model) {
    if (model == nullptr || testers_.contains(model)) return;
    const std::string name = model->metaObject()->className();
    const bool ofQtAlone = !name.starts_with("slipstream::") && qobject_cast<QAbstractProxyModel*>(model) == nullptr;
    if (ofQtAlone) return;
    testers_[model] = std::make_unique<Tester>(model, Tester::FailureReportingMode::Fatal);
    classes_.insert(name.substr(name.rfind(':') + 1));
    if (auto* proxy = qobject_cast<QAbstractProxyModel*>(model)) watch(proxy->sourceModel());
  }

  Workspace& workspace() { return small_.workspace; }
  std::string record(const char* variant, std::uint64_t seed) {
    std::string run = test::recordRun(*small_.store, FinishedRun{variant, seed});
    EXPECT_TRUE(small_.settled());
    return run;
  }
  void show(PageId page) {
    window_.showPage(page);
    EXPECT_TRUE(test::answered(workspace()));
    watch();
  }

  void changeRuns() {
    auto* dock = window_.findChild<RunsDock*>();
    for (const std::uint64_t seed : {1U, 2U, 3U}) runs_.push_back(record("mean", seed));
    dock->setGrouping(RunGrouping::seeds);
    runs_.push_back(record("adasum", 1));
    RunLabel pinned, archived;
    pinned.title = "first";
    pinned.pinned = true;
    archived.archived = true;
    small_.store->setLabel(runs_[0], pinned);
    small_.store->setLabel(runs_[1], archived);
    EXPECT_TRUE(small_.settled());
    dock->setGrouping(RunGrouping::experiment);
    small_.store->addEvent(runs_[3], {0, 1, 1, 0, EventLevel::warning, "slow", "a rank is slow"});
    small_.store->removeRun(runs_[2]);
    EXPECT_TRUE(small_.settled());
  }

  void changeSelection() {
    for (const PageId page : {PageId::compare, PageId::checkpoints, PageId::ranks, PageId::report}) {
      show(page);
      workspace().selection().setShown({runs_[0], runs_[3]}, runs_[3]);
      EXPECT_TRUE(test::answered(workspace()));
      workspace().selection().setShown({runs_[0], runs_[1], runs_[3]}, runs_[0]);
      EXPECT_TRUE(test::answered(workspace()));
      workspace().selection().setCurrent(runs_[3]);
      EXPECT_TRUE(test::answered(workspace()));
    }
  }

  void changeRankTable() {
    show(PageId::rankTable);
    RankTableDocument& table = workspace().rankTable();
    table.start(toJsonText(rankTableOfHosts({"a:3", "b:2"}, {})->table));
    table.change(QStringLiteral("-"), [](Json& root) { setCell(root, {1, 0}, RankTableCell::rank, "0"); });
    table.change(QStringLiteral("-"), [](Json& root) { moveServers(root, {1}, 0); });
    table.change(QStringLiteral("-"), [](Json& root) { removeLines(root, {{0, 0}, {1, 1}}); });
    table.change(QStringLiteral("-"), [](Json& root) { renumberRanks(root); });
    while (table.undoStack().canUndo()) table.undoStack().undo();
    while (table.undoStack().canRedo()) table.undoStack().redo();
    for (auto* view : window_.page(PageId::rankTable)->findChildren<QAbstractItemView*>()) {
      if (auto* sorted = qobject_cast<QAbstractProxyModel*>(view->model())) sorted->sort(1, Qt::DescendingOrder);
    }
    table.edit("{", QStringLiteral("Torn"));
  }

  void changeExperiment() {
    ExperimentDocument& experiment = workspace().experiment();
    experiment.start(R"({"network": "lenet5", "dataset": "digits", "seed": 2})");  // pages have their forms with it
    show(PageId::plan);
    const auto planned = [&] {
      QSignalSpy told(&experiment, &ExperimentDocument::planChanged);
      EXPECT_TRUE(told.wait(test::timeoutMilliseconds));
    };
    for (const char* text :
         {R"({"network": "lenet5", "dataset": "digits"})", R"({"network": "mlp", "dataset": "digits", "seed": -1})",
          R"({"network": "small_resnet", "dataset": "digits", "boost": "O2", "parallel": {"ranks": 4}})"}) {
      experiment.edit(text, QStringLiteral("-"));
      planned();
    }
    experiment.undoStack().undo();
    planned();
  }

  void changeStudy() {
    static_cast<StudyPage*>(window_.page(PageId::study))->panels();
    show(PageId::study);
  }

  void changeCommands() {
    auto* box = window_.findChild<CommandBox*>();
    watch(&box->list());
    box->begin();
    QTest::keyClicks(box, QStringLiteral("lau"));
    for (int i = 0; i < 3; ++i) QTest::keyClick(box, Qt::Key_Backspace);
    QTest::keyClick(box, Qt::Key_Escape);
  }

  test::SmallWorkspace small_;
  MainWindow window_{small_.workspace};
  std::map<QAbstractItemModel*, std::unique_ptr<Tester>> testers_;
  std::set<std::string> classes_;
  std::vector<std::string> runs_;
};

TEST_F(ModelsOfTheWindow, KeepTheirPromisesWhileEverythingChanges) {
  changeRuns();
  changeSelection();
  changeRankTable();
  changeExperiment();
  changeStudy();
  changeCommands();
  for (const std::string& name : modelsOfTheSources()) {
    EXPECT_TRUE(classes_.contains(name)) << name << " is in no view of this test";
  }
}

}  // namespace
}  // namespace slipstream::ui
