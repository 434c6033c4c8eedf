// SPDX-License-Identifier: GPL-3.0-or-later
// Every text of every page, in both languages and both sizes: none is cut, none lies over another, none is left in
// English. What is asked is what is drawn, so that labels, delegates and charts are judged alike.
#include <QFile>

#include <gtest/gtest.h>

#include "engine/base/hash.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "engine/store/checkpoint_store.h"
#include "tests/support/sample_study.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/text_faults.h"
#include "ui/experiment/vary_dialog.h"
#include "ui/panel/bottom_panel.h"
#include "ui/runs/run_table_source.h"
#include "ui/runs/runs_page.h"
#include "ui/study/study_page.h"
#include "ui/study/study_panels.h"
#include "ui/study/study_results.h"
#include "ui/study/study_tab.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

using test::faultsOf;

TEST(FaultsOfTexts, AreFound) {
  QWidget window;
  window.resize(300, 200);
  const auto place = [&](QLabel* label, const QRect& where) {
    label->setParent(&window);
    label->setGeometry(where);
  };
  place(new QLabel(QStringLiteral("whole")), {0, 0, 200, 30});
  place(new ElidedLabel(QStringLiteral("a name that is long")), {0, 40, 60, 30});
  place(new QLabel(QStringLiteral("a label that is long")), {0, 80, 60, 30});
  place(new QLabel(QStringLiteral("beneath")), {100, 120, 100, 30});
  place(new QLabel(QStringLiteral("above")), {105, 122, 100, 30});
  window.show();
  const QStringList faults = faultsOf(window, QStringLiteral("here"), false);
  ASSERT_EQ(faults.size(), 3) << faults.join(QLatin1Char('\n')).toStdString();
  EXPECT_TRUE(faults[0].startsWith(QStringLiteral("here: elided: ")));
  EXPECT_TRUE(faults[1].startsWith(QStringLiteral("here: cut: \"a label that is long\"")));
  EXPECT_TRUE(faults[2].startsWith(QStringLiteral("here: over \"above\": \"beneath\"")));
}

TEST(FaultsOfTexts, EnglishAmongChineseIsFound) {
  QLabel english(QStringLiteral("Runs and experiments"));
  english.show();
  EXPECT_TRUE(faultsOf(english, {}, false).isEmpty());
  EXPECT_EQ(faultsOf(english, {}, true).size(), 1);
}

struct Appearance {
  const char* name;
  const char* language;
  QSize size;
};

class NothingCut : public ::testing::TestWithParam<Appearance> {
 protected:
  NothingCut() {
    Settings::forgetLayouts();
    useLanguage(QString::fromLatin1(GetParam().language));
    applyTheme(*qApp, ThemeChoice::light);
    for (const std::uint64_t seed : {1U, 2U, 3U, 3U}) {
      runs_.push_back(test::recordRun(*small_.store, {.variant = "erste", .seed = seed, .accuracy = 0.95}));
      runs_.push_back(
          test::recordRun(*small_.store, {.variant = "zweite", .seed = seed, .accuracy = 0.97, .adasum = true}));
    }
    keepCheckpoint(runs_.back());
    study_.finish([](const StudyCell& cell) {
      test::CellOutcome outcome{.run = {.ranks = test::ranksOf(cell)}};
      outcome.run.accuracy = (cell.variant == "alt" ? 0.93 : 0.98) + test::seedJitter(cell);
      if (cell.seed == 2 && cell.variant == "alt") outcome.state = RunState::failed;
      return outcome;
    });
    small_.open();
    QFile example(QStringLiteral(":/experiments/quickstart.json"));
    if (example.open(QIODevice::ReadOnly)) small_.workspace.experiment().start(example.readAll().toStdString());
    openBrokenTable(small_.workspace.rankTable());
  }
  ~NothingCut() override {
    small_.workspace.experiment().discard();
    small_.workspace.rankTable().discard();
    small_.workspace.studyDraft().start({});
    Settings::forgetLayouts();
    useLanguage({});
    applyTheme(*qApp, ThemeChoice::light);
  }

  static bool chinese() { return QString::fromLatin1(GetParam().language) == QStringLiteral("zh_CN"); }

  static void openBrokenTable(RankTableDocument& document) {
    const auto made = rankTableOfHosts({"10.136.181.171:8", "10.136.181.173:8"}, {});
    ASSERT_TRUE(made);
    document.start(toJsonText(made->table), "cluster_16p.json");
    document.change(QStringLiteral("Copy"), [](Json& root) {
      setCell(root, {1, 4}, RankTableCell::rank, "11");
      setCell(root, {1, 6}, RankTableCell::address, "198.18.1.3");
    });
  }

  void keepCheckpoint(const std::string& run) {
    const auto checkpoints = std::move(CheckpointStore::openToWrite(small_.folder.path(), run).value());
    const std::vector<std::byte> bytes(1000, std::byte{1});
    const std::string hash = sha256(std::span<const std::byte>(bytes));
    checkpoints->begin();
    checkpoints->addPart(hash, 0, bytes);
    checkpoints->complete({100, 1, true, "", {{"weight", "F32", {250}, -1, hash, std::ssize(bytes)}}});
    small_.store->addCheckpoint(run, {100, 1, true, 1000, 1000, 7});
  }

  /// With as much to show as there is, and as little room as names leave.
  static nlohmann::json question() {
    return {{"name", "studie"},
            {"variants", {{{"name", "alt"}}, {{"name", "neu"}, {"optimizer", {{"learning_rate", 0.03}}}}}},
            {"factors", {{"parallel.ranks", {2, 4, 8}}}},
            {"seeds", {{"least", 4}, {"most", 6}}},
            {"question", {{"measure", "steps_to_target"}, {"target", 0.9}, {"margin", 0.1}}}};
  }
  /// The form of a study with three seeds.
  void writeStudy() {
    Json written = question();
    written["name"] = "kommende";
    written["base"] = study_.base().string();
    written["seeds"] = {{"least", 3}};
    small_.workspace.studyDraft().start(written.dump(2));
    small_.workspace.studies().chooseDraft();
  }

  test::SmallWorkspace small_;
  test::SampleStudy study_{*small_.store, question()};
  std::vector<std::string> runs_;
};

TEST_P(NothingCut, OnAnyPage) {
  MainWindow window(small_.workspace);
  window.resize(GetParam().size);
  window.show();
  small_.workspace.selection().setShown(runs_, runs_.back());
  QStringList faults;
  const auto look = [&](const QString& where) {
    ASSERT_TRUE(test::answered(small_.workspace)) << where.toStdString();
    const auto& table = static_cast<RunsPage*>(window.page(PageId::runs))->source().table();
    ASSERT_TRUE(window.frontPage() != PageId::runs || test::eventually([&] { return table && table->unread == 0; }));
    faults << faultsOf(window, where, chinese());
  };
  for (const PageId page : {PageId::boost, PageId::plan, PageId::runs, PageId::charts, PageId::compare, PageId::study,
                            PageId::ranks, PageId::layers, PageId::checkpoints, PageId::report}) {
    window.showPage(page);
    look(window.page(page)->title());
  }
  window.showPage(PageId::study);
  auto& results = static_cast<StudyPage*>(window.page(PageId::study))->panels().results();
  for (int tab = 0; tab < static_cast<int>(results.tabs().size()); ++tab) {
    results.showTab(tab);
    look(results.tabs()[static_cast<std::size_t>(tab)]->title());
  }
  writeStudy();
  look(QStringLiteral("study-form"));
  auto* panel = window.findChild<BottomPanel*>();
  panel->open(BottomPanel::Tab::log);
  look(QStringLiteral("log"));
  panel->open(BottomPanel::Tab::events);
  look(QStringLiteral("events"));
  panel->close();
  window.showPage(PageId::rankTable);
  look(QStringLiteral("rank-table"));
  panel->open(BottomPanel::Tab::problems);
  look(QStringLiteral("problems"));
  window.showPage(PageId::welcome);
  look(QStringLiteral("welcome"));
  EXPECT_TRUE(faults.isEmpty()) << faults.join(QLatin1Char('\n')).toStdString();
}

TEST_P(NothingCut, WhereThereIsNothingYet) {
  test::SmallWorkspace fresh;
  fresh.open();
  MainWindow window(fresh.workspace);
  window.resize(GetParam().size);
  window.show();
  QStringList faults;
  for (const PageId page :
       {PageId::welcome, PageId::rankTable, PageId::boost, PageId::plan, PageId::runs, PageId::charts, PageId::compare,
        PageId::study, PageId::ranks, PageId::layers, PageId::checkpoints, PageId::report}) {
    window.showPage(page);
    ASSERT_TRUE(test::answered(fresh.workspace)) << window.page(page)->title().toStdString();
    faults << faultsOf(window, window.page(page)->title(), chinese());
  }
  EXPECT_TRUE(faults.isEmpty()) << faults.join(QLatin1Char('\n')).toStdString();
}

TEST_P(NothingCut, InTheDialogOfVariations) {
  VaryDialog dialog(small_.workspace.experiment().editing(), nullptr);
  dialog.show();
  ASSERT_TRUE(test::answered(small_.workspace));
  const QStringList faults = faultsOf(dialog, QStringLiteral("vary"), chinese());
  EXPECT_TRUE(faults.isEmpty()) << faults.join(QLatin1Char('\n')).toStdString();
}

INSTANTIATE_TEST_SUITE_P(Looks, NothingCut,
                         ::testing::Values(Appearance{"EnglishSmall", "en", {1024, 600}},
                                           Appearance{"English", "en", {1280, 800}},
                                           Appearance{"ChineseSmall", "zh_CN", {1024, 600}},
                                           Appearance{"Chinese", "zh_CN", {1280, 800}}),
                         [](const auto& look) { return look.param.name; });

}  // namespace
}  // namespace slipstream::ui
