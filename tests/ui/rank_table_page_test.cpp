// SPDX-License-Identifier: GPL-3.0-or-later
// The page as a person uses it.
#include "ui/rank_table/rank_table_page.h"

#include <QAction>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/rank_table/rank_table_edit.h"
#include "engine/rank_table/rank_table_tools.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/panel/bottom_panel.h"
#include "ui/panel/problems_view.h"
#include "ui/rank_table/dry_run_panel.h"
#include "ui/rank_table/generate_panel.h"
#include "ui/rank_table/placement_view.h"
#include "ui/rank_table/preview_panel.h"
#include "ui/rank_table/rank_table_model.h"
#include "ui/rank_table/rank_table_view.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

class RankTablePageTest : public testing::Test {
 protected:
  RankTablePageTest() {
    window_.show();
    window_.showPage(PageId::rankTable);
  }

  QAction* action(const QString& words) const {
    for (QAction* one : page()->actions()) {
      if (one->text() == words) return one;
    }
    ADD_FAILURE() << "no action " << words.toStdString();
    return nullptr;
  }
  Page* page() const { return window_.page(PageId::rankTable); }
  template <class Widget>
  Widget* named(const QString& name) const {
    for (Widget* widget : page()->findChildren<Widget*>()) {
      if (widget->accessibleName() == name) return widget;
    }
    ADD_FAILURE() << "nothing is called " << name.toStdString();
    return nullptr;
  }
  RankTableView* tree() const { return named<RankTableView>(QStringLiteral("Servers and devices")); }
  RankTableDocument& table() { return workspace_.rankTable(); }
  void open(const std::vector<std::string>& hosts) { table().start(toJsonText(rankTableOfHosts(hosts, {})->table)); }

  Workspace workspace_;
  MainWindow window_{workspace_};
};

TEST_F(RankTablePageTest, ServersWithoutMistakesAreClosedWhereOthersHaveSome) {
  Json root = Json::parse(toJsonText(rankTableOfHosts({"10.0.0.1:4", "10.0.0.2:4"}, {})->table));
  setCell(root, {1, 3}, RankTableCell::rank, "0");
  table().start(rankTableText(root), "wrong.json");
  const auto server = [&](int row) { return tree()->model()->index(row, 0); };
  ASSERT_TRUE(test::eventually([&] { return tree()->isExpanded(server(1)); }));
  EXPECT_TRUE(tree()->isExpanded(server(0))) << "rank 0 is its first device's, too";

  setCell(root, {1, 3}, RankTableCell::rank, "6");
  table().start(rankTableText(root), "other.json");
  ASSERT_TRUE(test::eventually([&] { return !tree()->isExpanded(server(0)); }));
  EXPECT_TRUE(tree()->isExpanded(server(1)));
  tree()->expand(server(0));
  window_.resize(1300, 800);
  QTest::qWait(20);
  EXPECT_TRUE(tree()->isExpanded(server(0))) << "what a person opens stays open";
}

TEST_F(RankTablePageTest, GeneratesFromHostsAndSaysWhatIsWrong) {
  action(QStringLiteral("Generate from a host list…"))->trigger();
  auto* panel = page()->findChild<GeneratePanel*>();
  ASSERT_TRUE(panel->isVisible());
  auto* hosts = qobject_cast<QLineEdit*>(window_.focusWidget());
  ASSERT_NE(hosts, nullptr);
  hosts->setText(QStringLiteral("a:x"));
  QTest::keyClick(hosts, Qt::Key_Return);
  EXPECT_TRUE(panel->isVisible());
  EXPECT_TRUE(table().isBlank());
  hosts->setText(QStringLiteral("a:2,b:2"));
  QTest::keyClick(hosts, Qt::Key_Return);
  EXPECT_FALSE(panel->isVisible());
  EXPECT_EQ(table().reading().table.ranks(), 4);
  workspace_.undo().undo();
  EXPECT_TRUE(table().isBlank());
}

TEST_F(RankTablePageTest, AWrongTableIsNotLeftOutOfAMerge) {
  const test::TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    EXPECT_TRUE(writeFile(folder.path() / name, text));
    return folder.path() / name;
  };
  const auto sound = write("sound.json", toJsonText(rankTableOfHosts({"c:2"}, {"198.18.2.0", "198.18.2.1"})->table));
  const auto wrong = write("wrong.json", R"({"version": "1.0", "server_count": "1", "server_list": []})");
  auto& tables = static_cast<RankTablePage&>(*page());
  const auto* notice = page()->findChild<Notice*>();
  // With addresses: devices of several servers find each other by them.
  table().start(toJsonText(rankTableOfHosts({"a:2"}, {"198.18.1.0", "198.18.1.1"})->table));
  const std::string before = table().text();
  tables.merge({sound, wrong});
  EXPECT_EQ(table().text(), before);
  EXPECT_TRUE(notice->isVisible());
  EXPECT_TRUE(notice->message().contains(QStringLiteral("wrong.json"))) << notice->message().toStdString();

  tables.merge({sound});
  EXPECT_EQ(table().reading().table.ranks(), 4);
  EXPECT_FALSE(notice->isVisible());
  workspace_.undo().undo();
  EXPECT_EQ(table().text(), before);

  table().edit("{}", QStringLiteral("Break"));  // the one at hand
  tables.merge({sound});
  EXPECT_EQ(table().text(), "{}");
  EXPECT_TRUE(notice->isVisible());
}

TEST_F(RankTablePageTest, SaysHowWhatWasEditedIsKept) {
  const auto says = [&](const char* words) {
    const auto labels = page()->findChildren<ElidedLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const ElidedLabel* label) { return label->whole().contains(QLatin1String(words)); });
  };
  const test::TemporaryFolder folder;
  open({"a:2"});
  EXPECT_FALSE(says("edited"));
  action(QStringLiteral("Add device"))->trigger();
  EXPECT_TRUE(says("edited just now"));
  EXPECT_TRUE(says("not saved"));
  ASSERT_TRUE(test::eventually([&] { return table().isDraftKept(); }));
  EXPECT_TRUE(says("kept as draft"));
  ASSERT_TRUE(table().save(folder.path() / "table.json"));
  EXPECT_FALSE(says("edited"));
  EXPECT_FALSE(says("draft"));
}

TEST_F(RankTablePageTest, RowsAreAddedDeletedAndRenumbered) {
  open({"a:2", "b:2"});
  action(QStringLiteral("Add server"))->trigger();
  EXPECT_EQ(table().reading().table.ranks(), 6);
  tree()->setCurrentIndex(tree()->model()->index(0, 0));
  action(QStringLiteral("Delete selected rows"))->trigger();
  EXPECT_EQ(table().reading().verdict(), Verdict::reject) << "ranks 0 and 1 are gone";
  action(QStringLiteral("Renumber ranks"))->trigger();
  EXPECT_EQ(table().reading().verdict(), Verdict::accept);
  EXPECT_EQ(table().undoStack().count(), 3);
}

TEST_F(RankTablePageTest, TheTextIsEditedAndUndoneAsOneStep) {
  open({"a:2"});
  const std::string before = table().text();
  auto* text = named<TextView>(QStringLiteral("Preview"));
  text->setFocus();
  text->moveCursor(QTextCursor::End);
  QTest::keyClicks(text, QStringLiteral("xyz"));
  EXPECT_FALSE(table().isReadable());
  ASSERT_EQ(table().problems().size(), 1U);
  table().problems().front().show();
  EXPECT_FALSE(text->marks().empty()) << "the line is tinted";
  workspace_.undo().undo();
  EXPECT_EQ(table().text(), before);
  EXPECT_EQ(text->toPlainText().toStdString(), before);
}

TEST_F(RankTablePageTest, AProblemLeadsToItsRowAndItsBox) {
  open({"a:2", "b:2"});
  tree()->model()->setData(tree()->model()->index(1, 1, tree()->model()->index(1, 0)), QStringLiteral("0"),
                           Qt::EditRole);
  window_.showPage(PageId::boost);
  ASSERT_FALSE(table().problems().empty());
  table().problems().front().show();
  EXPECT_EQ(window_.frontPage(), PageId::rankTable);
  EXPECT_EQ(tree()->currentIndex().row(), 1);
  EXPECT_EQ(tree()->currentIndex().parent().row(), 1);
  EXPECT_EQ(tree()->currentIndex().column(), static_cast<int>(RankTableCell::rank));
  EXPECT_FALSE(action(QStringLiteral("Dry run"))->isEnabled());
}

TEST_F(RankTablePageTest, LinesOfTheTextThatAProblemIsInAreTinted) {
  open({"a:2", "b:2"});
  for (auto* choice : page()->findChild<PreviewPanel*>()->findChildren<QPushButton*>()) {
    if (choice->text() == QStringLiteral("Rank table")) choice->click();
  }
  auto* text = named<TextView>(QStringLiteral("Preview"));
  EXPECT_TRUE(text->marks().empty());
  table().change(QStringLiteral("Change"), [](Json& root) { setCell(root, {1, 0}, RankTableCell::rank, "0"); });
  ASSERT_FALSE(text->marks().empty());
  QStringList tinted;
  for (const auto& [line, mark] : text->marks()) tinted << text->document()->findBlockByNumber(line).text();
  EXPECT_TRUE(std::ranges::any_of(tinted, [](const QString& line) {
    return line.contains(QStringLiteral("\"rank_id\": \"0\""));
  })) << tinted.join(QLatin1Char('\n')).toStdString();
}

/// Three problems are read without scrolling, in the smallest size that the pages are made for.
TEST_F(RankTablePageTest, FewProblemsAreWholeBelowThePage) {
  Settings::forgetLayouts();
  window_.resize(1280, 720);
  open({"10.136.181.171:8", "10.136.181.173:8"});
  table().change(QStringLiteral("Copy"), [](Json& root) {
    setCell(root, {1, 4}, RankTableCell::rank, "11");
    setCell(root, {1, 6}, RankTableCell::address, "198.18.1.3");
    setCell(root, {0, 2}, RankTableCell::address, "somewhere");
  });
  auto* panel = window_.findChild<BottomPanel*>();
  panel->open(BottomPanel::Tab::problems);
  auto* list = panel->findChild<ProblemsView*>()->findChild<QListView*>();
  ASSERT_EQ(list->model()->rowCount(), 3);
  EXPECT_TRUE(test::eventually([&] {
    return list->viewport()->rect().contains(list->visualRect(list->model()->index(2, 0)));
  })) << list->viewport()->height();
}

/// Where a widget was painted since this was made.
class Painted : public QObject {
 public:
  explicit Painted(QWidget* widget) { widget->installEventFilter(this); }
  QRegion region;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Paint) region += static_cast<QPaintEvent*>(event)->region();
    return false;
  }
};

TEST_F(RankTablePageTest, AMendedRowIsPaintedAnewFromEdgeToEdge) {
  open({"10.0.0.1:2", "10.0.0.2:2"});
  tree()->expandAll();
  table().change(QStringLiteral("Break"), [](Json& root) { setCell(root, {1, 1}, RankTableCell::rank, "0"); });
  const QModelIndex row = tree()->model()->index(1, 0, tree()->model()->index(1, 0));
  ASSERT_TRUE(test::eventually([&] { return row.data(lineMarkRole).isValid(); }));
  tree()->viewport()->repaint();
  Painted painted(tree()->viewport());
  table().undoStack().undo();
  ASSERT_TRUE(test::eventually([&] { return !row.data(lineMarkRole).isValid(); }));
  QCoreApplication::processEvents();
  const int middle = tree()->visualRect(row).center().y();
  EXPECT_TRUE(painted.region.contains(QPoint(1, middle))) << "the branch before the cells keeps the tint of the fault";
}

TEST_F(RankTablePageTest, ADryRunShowsNoPlacesThatCannotBe) {
  std::string text = toJsonText(rankTableOfHosts({"10.0.0.1:2"}, {})->table);
  text.replace(text.find("10.0.0.1"), std::string_view("10.0.0.1").size(), "10.*.*.*");
  table().start(text);
  auto* panel = page()->findChild<DryRunPanel*>();
  panel->run(table().reading().table, "table");
  const auto* ranks = panel->findChild<QTreeWidget*>();
  const auto buttons = panel->findChildren<QPushButton*>();
  const auto here = std::ranges::find(buttons, QStringLiteral("Run all ranks on this machine"), &QPushButton::text);
  ASSERT_NE(here, buttons.end());
  EXPECT_EQ(ranks->topLevelItemCount(), 0) << "no rank can be started there, and none is listed as if it could";
  ASSERT_FALSE((*here)->isHidden());
  (*here)->click();
  EXPECT_EQ(ranks->topLevelItemCount(), 2);
  EXPECT_TRUE((*here)->isHidden());
  table().change(QStringLiteral("Renumber"), [](Json& root) { setCell(root, {0, 0}, RankTableCell::rank, "7"); });
  EXPECT_EQ(ranks->topLevelItemCount(), 0) << "the answer was about another table";
  const auto again = std::ranges::find(buttons, QStringLiteral("Start it again"), &QPushButton::text);
  ASSERT_NE(again, buttons.end());
  EXPECT_TRUE((*again)->isHidden()) << "rank 0 is missing";
  table().undoStack().undo();
  ASSERT_FALSE((*again)->isHidden());
  (*again)->click();
  EXPECT_TRUE((*again)->isHidden());
  EXPECT_FALSE((*here)->isHidden()) << "it was started with the table as it is now";
}

TEST_F(RankTablePageTest, ADryRunNamesTheHostOfEachRank) {
  open({"unknown-host-1:1", "unknown-host-2:1"});
  auto* panel = page()->findChild<DryRunPanel*>();
  const auto* ranks = panel->findChild<QTreeWidget*>();
  panel->run(table().reading().table, "table");
  ASSERT_EQ(ranks->topLevelItemCount(), 2);
  EXPECT_EQ(ranks->topLevelItem(1)->text(1), QStringLiteral("unknown-host-2"));
  open({"localhost:2"});
  panel->run(table().reading().table, "table");
  ASSERT_EQ(ranks->topLevelItemCount(), 2);
  EXPECT_EQ(ranks->topLevelItem(1)->text(1).toStdString(), hostName());
}

TEST_F(RankTablePageTest, ThePageOpensByTheActionOfTheMenu) {
  const auto buttons = page()->findChildren<QToolButton*>();
  EXPECT_EQ(std::ranges::count(buttons, window_.actions().openRankTable, &QToolButton::defaultAction), 1);
}

TEST_F(RankTablePageTest, ATableOfAnotherVersionIsOpenedAndConvertedThere) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "older.json";
  ASSERT_TRUE(writeFile(file, R"({"status": "completed", "group_count": "1", "group_list": [{"group_name": "g",
    "device_count": "1", "instance_count": "1", "instance_list": [{"devices": [{"device_id": "0",
    "device_ip": "192.168.1.1"}], "rank_id": "0", "server_id": "10.0.0.1"}]}]})"));
  ASSERT_TRUE(window_.openFile(file));
  ASSERT_EQ(table().problems().size(), 1U);
  const Problem& problem = table().problems().front();
  EXPECT_EQ(problem.code, QStringLiteral("RT-103"));
  EXPECT_TRUE(window_.findChild<BottomPanel*>()->isOpened());
  ASSERT_TRUE(problem.fix);
  problem.fix();
  EXPECT_EQ(table().reading().verdict(), Verdict::accept) << table().text();
  EXPECT_EQ(table().reading().table.ranks(), 1);
}

TEST_F(RankTablePageTest, AnExperimentOnItAsksForItsFileFirst) {
  open({"10.0.0.1:2"});
  QAction* train = action(QStringLiteral("New experiment on this table…"));
  EXPECT_FALSE(train->isEnabled());
  EXPECT_TRUE(train->toolTip().startsWith(QStringLiteral("Save the table first")));
  const test::TemporaryFolder folder;
  QSignalSpy told(&workspace_, &Workspace::reported);
  ASSERT_TRUE(table().save(folder.path() / "two.json"));
  EXPECT_EQ(told.back()[0].toString(),
            QString::fromStdString((folder.path() / "two.json").string()) + QStringLiteral(" is saved"));
  EXPECT_TRUE(train->isEnabled());
  QObject::disconnect(page(), &Page::newExperimentWanted, nullptr, nullptr);  // the dialog would wait
  QSignalSpy asked(page(), &Page::newExperimentWanted);
  train->trigger();
  EXPECT_EQ(asked.size(), 1);
}

TEST_F(RankTablePageTest, PlaceholdersAreCalledSo) {
  open({"10.0.0.1:1", "10.0.0.2:1"});
  const QModelIndex server = tree()->model()->index(0, 0);
  const QModelIndex address = tree()->model()->index(0, static_cast<int>(RankTableCell::address), server);
  EXPECT_TRUE(address.data(isPlaceholderRole).toBool());
  EXPECT_TRUE(address.data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("A placeholder")));
  tree()->model()->setData(address, QStringLiteral("10.1.1.1"), Qt::EditRole);
  const QModelIndex written =
      tree()->model()->index(0, static_cast<int>(RankTableCell::address), tree()->model()->index(0, 0));
  EXPECT_FALSE(written.data(isPlaceholderRole).toBool());
}

TEST_F(RankTablePageTest, ABrokenTableIsOpenedAsATable) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "cut.json";
  ASSERT_TRUE(writeFile(file, R"({"version": "1.0", "server_list": [{"server_id": "10.0.0.1", )"));
  ASSERT_TRUE(window_.openFile(file));
  EXPECT_EQ(window_.frontPage(), PageId::rankTable);
  EXPECT_TRUE(test::eventually([&] { return !table().problems().empty(); }));
}

TEST_F(RankTablePageTest, ADryRunOfOtherMachinesStartsNothing) {
  open({"unknown-host-1:2", "unknown-host-2:2"});
  action(QStringLiteral("Dry run"))->trigger();
  const auto* panel = page()->findChild<DryRunPanel*>();
  EXPECT_TRUE(panel->isVisible());
  EXPECT_TRUE(panel->findChild<TextView*>()->toPlainText().startsWith(QLatin1String("mpirun ")));
}

}  // namespace
}  // namespace slipstream::ui
