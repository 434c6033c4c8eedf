// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the plan: what is folded, found and marked, and what mends mistakes.
#include "ui/experiment/plan_form.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/json_edit.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/json_editor.h"
#include "ui/experiment/key_row.h"
#include "ui/experiment/plan_jump.h"
#include "ui/experiment/plan_page.h"
#include "ui/experiment/plan_section.h"
#include "ui/experiment/plan_text.h"
#include "ui/experiment/rate_chart.h"
#include "ui/panel/problems_model.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int planTimeout = 300'000;

const char* example = R"({
  "network": "lenet5",
  "dataset": {"name": "digits", "train_samples": 640},
  "optimizer": {"name": "momentum", "learning_rate": 0.1},
  "parallel": {"ranks": 2}
}
)";

class PlanFormTest : public testing::Test {
 protected:
  PlanFormTest() : plan(workspace, nullptr) {
    plan.resize(1000, 600);
    plan.show();
    start(example);
  }
  ExperimentDocument& document() { return workspace.experiment(); }
  void start(const char* text) {
    QSignalSpy planned(&document(), &ExperimentDocument::planChanged);
    document().start(text);
    ASSERT_TRUE(planned.wait(planTimeout));
  }
  void edit(const std::string& text) {
    QSignalSpy planned(&document(), &ExperimentDocument::planChanged);
    document().edit(text, QStringLiteral("Edit"));
    ASSERT_TRUE(planned.wait(planTimeout));
  }
  KeyRow* row(const std::string& path) {
    for (auto* found : plan.findChildren<KeyRow*>()) {
      if (found->path() == path) return found;
    }
    return nullptr;
  }
  PlanSection* section(const std::string& key) {
    for (auto* found : plan.findChildren<PlanSection*>()) {
      if (found->section() == key) return found;
    }
    return nullptr;
  }
  template <class Widget>
  static Widget* withText(QWidget* parent, const QString& text) {
    for (auto* found : parent->findChildren<Widget*>()) {
      if (found->isVisible() && found->text().contains(text)) return found;
    }
    return nullptr;
  }
  void focus(const std::string& path) {
    plan.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&plan));
    row(path)->control()->setFocus();
  }
  /// Whole or elided.
  bool tells(const QString& beginning) {
    return std::ranges::any_of(plan.findChildren<ElidedLabel*>(), [&](const ElidedLabel* label) {
      return label->isVisible() && label->whole().startsWith(beginning);
    });
  }
  void search(const char* words) {
    auto* field = plan.findChild<PlanJump*>()->findChild<QLineEdit*>();
    field->clear();
    QTest::keyClicks(field, QLatin1String(words));
  }

  Workspace workspace;
  PlanPage plan;
};

TEST_F(PlanFormTest, WhatMeansNothingIsOneLineWithTheReason) {
  EXPECT_TRUE(row("dataset.batch_size")->isVisible());
  EXPECT_FALSE(row("dataset.image_size")->isVisible());
  EXPECT_FALSE(row("optimizer.beta1")->isVisible());
  EXPECT_TRUE(row("optimizer.nesterov")->isVisible());
  EXPECT_NE(withText<QLabel>(section("dataset"), QStringLiteral("not with digits")), nullptr);
  EXPECT_NE(withText<QLabel>(section("optimizer"), QStringLiteral("not with momentum")), nullptr);
  for (auto* arrow : section("dataset")->findChildren<QToolButton*>()) {
    if (arrow->accessibleName().contains(QStringLiteral("do not apply"))) arrow->click();
  }
  EXPECT_TRUE(row("dataset.image_size")->isVisible());
}

/// Of 10 steps: 640 samples in batches of 32 on two ranks.
TEST_F(PlanFormTest, TheLearningRateIsDrawnAsItIsPlanned) {
  const auto rate = [this] { return plan.findChild<RateChart*>()->model(); };
  ASSERT_EQ(rate().curves.size(), 1U);
  const Line always = rate().curves.front().line.front();
  EXPECT_EQ(always.x.size(), 10U);
  EXPECT_THAT(always.y, testing::Each(testing::DoubleEq(0.1)));
  EXPECT_EQ(rate().treatment.in(), "0.1 in every step");
  edit(R"({"network": "lenet5", "dataset": {"name": "digits", "train_samples": 640}, "parallel": {"ranks": 2},
           "optimizer": {"name": "momentum", "learning_rate": {"mode": "linear", "lr_init": 0, "lr_max": 0.2,
                                                               "lr_end": 0, "warmup_fraction": 0.5}}})");
  const Line ramp = rate().curves.front().line.front();
  EXPECT_EQ(ramp.x.front(), 0);
  EXPECT_EQ(ramp.x.back(), 9);
  EXPECT_NEAR(ramp.y[5], 0.2, 1e-12) << "after half of the steps";
  EXPECT_NEAR(ramp.y[6], 0.16, 1e-12);
  edit(R"({"network": "lenet5", "dataset": "digits", "optimizer": {"name": "momentum", "learning_rate": 0.3}})");
  EXPECT_EQ(rate().treatment.in(), "0.3 in every step") << "of more steps than the chart has samples, too";
}

TEST_F(PlanFormTest, WhatNobodyHasSetIsFoldedUntilItIs) {
  EXPECT_FALSE(row("network.classes")->isVisible());
  EXPECT_NE(withText<QLabel>(section("network"), QStringLiteral("not set")), nullptr);
  edit(R"({"network": {"name": "lenet5", "classes": 12}, "dataset": "digits"})");
  EXPECT_TRUE(row("network.classes")->isVisible());
}

TEST_F(PlanFormTest, TypingIntoASettingThatWasFoldedKeepsTheKeyboard) {
  ASSERT_TRUE(plan.findChild<PlanForm*>()->reveal("network.classes"));
  QWidget* field = row("network.classes")->control();
  field->setFocus();
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("12"));
  EXPECT_TRUE(row("network.classes")->isAncestorOf(QApplication::focusWidget()));
  const FormKey* key = workspace.experiment().editing().key("network.classes");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->value, 12);
}

TEST_F(PlanFormTest, ASettingWithAMistakeIsNotFolded) {
  EXPECT_FALSE(row("dataset.path")->isVisible());
  edit(R"({"network": "lenet5", "dataset": "mnist"})");
  const Problem* problem = workspace.experiment().editing().problemAt("dataset.path");
  if (problem == nullptr) GTEST_SKIP() << "MNIST is on this machine";
  EXPECT_TRUE(row("dataset.path")->isVisible());
}

/// Near the size that the text needs, each scroll bar makes the other come or go.
TEST(JsonEditorMargins, SettleAtEverySize) {
  JsonEditor editor;
  QString text;
  for (int line = 0; line < 8; ++line) text += QStringLiteral("{\"a\": %1},\n").arg(line);
  text += QStringLiteral("{\"a long line\": 123456}");
  editor.setShown(text);
  editor.show();
  for (int height = 100; height < 200; ++height) {
    for (int width = 180; width < 280; width += 3) editor.resize(width, height);
    QCoreApplication::processEvents();
  }
  SUCCEED() << "it came back";
  const int line = static_cast<int>(editor.document()->firstBlock().layout()->boundingRect().height());
  editor.resize(400, 9 * line + 60);
  QCoreApplication::processEvents();
  EXPECT_EQ(editor.verticalScrollBar()->maximum(), 0) << "a text that fits does not scroll";
}

TEST(JsonEditorLines, TheRestOfAWrappedLineIsIndentedBelowIt) {
  JsonEditor editor;
  editor.setShown(QStringLiteral("{\n    \"a\": \"one two three four five six seven eight nine ten eleven\"\n}"));
  editor.resize(260, 300);
  editor.show();
  QCoreApplication::processEvents();
  const auto lines = [&](int block) { return editor.document()->findBlockByNumber(block).layout(); };
  const double character = QFontMetricsF(editor.font()).horizontalAdvance(QLatin1Char(' '));
  ASSERT_GT(lines(1)->lineCount(), 1);
  EXPECT_NEAR(lines(1)->lineAt(1).x() - lines(1)->lineAt(0).x(), 6 * character, 0.5) << "its own four, and two more";
  QTest::keyClicks(&editor, QStringLiteral("  "));  // the first line has another indent now
  EXPECT_NEAR(editor.document()->firstBlock().blockFormat().leftMargin(), 4 * character, 0.5);
}

TEST_F(PlanFormTest, TheRateIsDrawnOfATextThatHasAPlan) {
  const auto* rate = plan.findChild<RateChart*>();
  EXPECT_EQ(rate->model().curves.size(), 1U);
  edit(R"({"network": "lenet5", "dataset": "digits", "train": {"steps": -5}})");
  EXPECT_TRUE(rate->model().curves.empty());
  EXPECT_FALSE(rate->model().emptyText.isEmpty());
}

TEST_F(PlanFormTest, TheDataSetThatStandsInIsNamed) {
  const auto says = [this](const QString& words) { return withText<QLabel>(section("dataset"), words) != nullptr; };
  edit(R"({"network": "lenet5", "dataset": {"name": "mnist", "path": "/nowhere", "fallback": "digits"}})");
  EXPECT_TRUE(says(QStringLiteral("mnist not found: digits is used")));
  const auto marked = [this](const QString& words) {
    const auto* list = plan.findChild<PlanJump*>()->findChild<QListWidget*>();
    for (int row = 0; row < list->count(); ++row) {
      if (list->item(row)->data(Qt::AccessibleTextRole).toString() == words) return true;
    }
    return false;
  };
  EXPECT_TRUE(marked(QStringLiteral("Data set, with warnings")));
  const Problems& problems = workspace.experiment().problems();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].severity, Verdict::warn);
  EXPECT_EQ(problems[0].where, QStringLiteral("dataset.name"));
  EXPECT_TRUE(ProblemsModel(workspace, nullptr).fixable().empty()) << "nothing is wrong with the text";
  EXPECT_TRUE(tells(QStringLiteral("1 warning")));
  edit(R"({"network": "lenet5", "dataset": {"name": "mnist", "path": "/nowhere", "fallback": "digits"},
           "variants": [{"name": "own", "dataset": {"name": "digits"}}, {"name": "usual"}]})");
  EXPECT_EQ(problems.size(), 1U) << "of any variant, not only of the first";
  edit(R"({"network": "lenet5", "dataset": {"name": "digits"}, "train": {"steps": -5}})");
  EXPECT_FALSE(says(QStringLiteral("not found"))) << "the last plan is not of this text";
  EXPECT_TRUE(tells(QStringLiteral("1 error")));
  EXPECT_FALSE(marked(QStringLiteral("Data set, with warnings")));
}

TEST_F(PlanFormTest, TheDataSetThatStandsInIsAskedForWithOneClick) {
  edit(R"({"network": "lenet5", "dataset": {"name": "mnist", "path": "/nowhere", "fallback": "digits"}})");
  auto* use = withText<QPushButton>(row("dataset.name"), QStringLiteral("Set to digits"));
  ASSERT_NE(use, nullptr);
  QSignalSpy planned(&document(), &ExperimentDocument::planChanged);
  use->click();
  ASSERT_TRUE(planned.wait(planTimeout));
  EXPECT_TRUE(document().problems().empty());
  EXPECT_EQ(document().editing().key("dataset.name")->value, "digits");
}

/// A variant that has its own is not what the file asks for.
TEST_F(PlanFormTest, ADataSetOfAVariantIsNotReplacedInTheFile) {
  edit(R"({"network": "lenet5", "dataset": {"name": "digits", "fallback": "digits"},
           "variants": [{"name": "own", "dataset": {"name": "mnist", "path": "/nowhere"}}, {"name": "usual"}]})");
  const Problems& problems = document().problems();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].problem, QStringLiteral("not found by a variant: digits is used"));
  EXPECT_FALSE(problems[0].fix);
}

TEST_F(PlanFormTest, TheListFollowsTheSettingWithTheFocus) {
  const auto* list = plan.findChild<PlanJump*>()->findChild<QListWidget*>();
  focus("dataset.shuffle");
  EXPECT_EQ(list->currentItem()->text(), QStringLiteral("Data set"));
  plan.findChild<JsonEditor*>()->setFocus();
  EXPECT_EQ(list->currentItem()->text(), QStringLiteral("Experiment")) << "the section at the top";
}

TEST_F(PlanFormTest, TheHelpOfADataSetTellsOfTheOneThatHolds) {
  focus("dataset.name");
  auto* side = plan.findChild<PlanText*>();
  EXPECT_NE(withText<QLabel>(side, QStringLiteral("digits: generated")), nullptr);
  workspace.experiment().editing().set("dataset.name", "mnist");
  EXPECT_TRUE(test::eventually([&] { return withText<QLabel>(side, QStringLiteral("mnist: idx files")) != nullptr; }));
  EXPECT_EQ(withText<QLabel>(side, QStringLiteral("digits: generated")), nullptr);
}

TEST_F(PlanFormTest, WhatAppliesChangesWithTheChoice) {
  workspace.experiment().editing().set("optimizer.name", "adam");
  EXPECT_TRUE(row("optimizer.beta1")->isVisible());
  EXPECT_FALSE(row("optimizer.momentum")->isVisible());
}

TEST_F(PlanFormTest, AKeyThatIsWrittenIsShownThoughItMeansNothing) {
  edit(R"({"network": "lenet5", "dataset": {"name": "digits", "image_size": 32}})");
  EXPECT_TRUE(row("dataset.image_size")->isVisible());
}

TEST_F(PlanFormTest, TheSearchLeavesWhatItFinds) {
  search("checkpoint interval");
  EXPECT_TRUE(row("train.checkpoint.save_checkpoint_steps")->isVisible());
  EXPECT_FALSE(row("train.epochs")->isVisible());
  EXPECT_FALSE(section("network")->isVisible());
  search("image_size");  // also where it is folded, and by its key
  EXPECT_TRUE(row("dataset.image_size")->isVisible());
  search("");
  EXPECT_TRUE(row("train.epochs")->isVisible());
  EXPECT_TRUE(section("network")->isVisible());
  EXPECT_FALSE(row("dataset.image_size")->isVisible());
}

TEST_F(PlanFormTest, OnlyWhatWasChangedCanBeShown) {
  auto* changed = plan.findChild<PlanJump*>()->findChild<QCheckBox*>();
  const auto count = std::ranges::count_if(workspace.experiment().editing().form(), &FormKey::unlikeDefault);
  EXPECT_GE(count, 4);  // data set, samples, rate, ranks
  EXPECT_TRUE(changed->text().contains(QStringLiteral("(%1)").arg(count))) << changed->text().toStdString();
  changed->click();
  EXPECT_TRUE(row("dataset.train_samples")->isVisible());
  EXPECT_TRUE(row("parallel.ranks")->isVisible());
  EXPECT_FALSE(row("dataset.batch_size")->isVisible());
  changed->click();
  EXPECT_TRUE(row("dataset.batch_size")->isVisible());
}

TEST_F(PlanFormTest, TheListLeadsToSectionsAndMarksMistakes) {
  auto* list = plan.findChild<QListWidget*>();
  auto* area = plan.findChild<PlanForm*>()->findChild<QScrollArea*>();
  QListWidgetItem* training = list->findItems(QStringLiteral("Training"), Qt::MatchExactly).front();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(training).center());
  EXPECT_GT(area->verticalScrollBar()->value(), 0);
  EXPECT_EQ(list->currentItem(), training);
  EXPECT_TRUE(training->icon().isNull());
  edit(R"({"network": "lenet5", "dataset": "digits", "train": {"steps": -5}})");
  EXPECT_FALSE(training->icon().isNull());
  EXPECT_TRUE(training->data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("errors")));
}

TEST_F(PlanFormTest, AMistakeIsMarkedInTheTextAndMendedThere) {
  const std::string wrong =
      "{\n  \"network\": \"lenet5\",\n  \"dataset\": {\"name\": \"digits\", \"batch_size\": 0}\n}\n";
  edit(wrong);
  auto* text = plan.findChild<JsonEditor*>();
  const auto selections = text->extraSelections();
  const auto mark = std::ranges::find_if(selections, [](const QTextEdit::ExtraSelection& one) {
    return one.format.underlineStyle() == QTextCharFormat::WaveUnderline;
  });
  ASSERT_NE(mark, selections.end());
  EXPECT_EQ(mark->cursor.selectedText(), QStringLiteral("0"));
  EXPECT_EQ(mark->cursor.blockNumber(), 2);
  auto* side = plan.findChild<PlanText*>();
  EXPECT_TRUE(tells(QStringLiteral("Line 3:")));
  auto* fix = withText<QPushButton>(side, QStringLiteral("Use 1"));
  ASSERT_NE(fix, nullptr);
  fix->click();
  EXPECT_EQ(*findValue(workspace.experiment().editing().root(), "dataset.batch_size"), 1);
  document().undoStack().undo();
  EXPECT_EQ(document().text(), wrong);
}

TEST_F(PlanFormTest, AMistakeIsMendedInItsRow) {
  edit(R"({"network": "lenet5", "dataset": {"name": "digits", "batch_size": 0}})");
  auto* fix = withText<QPushButton>(row("dataset.batch_size"), QStringLiteral("Use 1"));
  ASSERT_NE(fix, nullptr);
  fix->click();
  EXPECT_EQ(workspace.experiment().editing().key("dataset.batch_size")->value, 1);
}

TEST_F(PlanFormTest, AKeyThatIsNearlyKnownIsRenamed) {
  edit(R"({"network": "lenet5", "dataset": "digits", "train": {"epoch": 2}})");
  auto* fix = withText<QPushButton>(plan.findChild<PlanText*>(), QStringLiteral("Rename to epochs"));
  ASSERT_NE(fix, nullptr);
  fix->click();
  EXPECT_EQ(document().text(), R"({"network": "lenet5", "dataset": "digits", "train": {"epochs": 2}})");
}

TEST_F(PlanFormTest, TheSettingWithTheFocusIsExplained) {
  focus("dataset.shuffle");
  auto* side = plan.findChild<PlanText*>();
  EXPECT_NE(withText<QLabel>(side, QStringLiteral("dataset.shuffle")), nullptr);
  EXPECT_NE(withText<QLabel>(side, QStringLiteral("A new order each epoch")), nullptr);
}

TEST_F(PlanFormTest, AProblemLeadsToARowThatWasFoldedOrLeftOut) {
  search("epochs");
  EXPECT_FALSE(row("dataset.batch_size")->isVisible());
  auto* form = plan.findChild<PlanForm*>();
  EXPECT_TRUE(form->reveal("dataset.batch_size"));
  EXPECT_TRUE(row("dataset.batch_size")->isVisible());
  EXPECT_TRUE(form->reveal("dataset.image_size"));
  EXPECT_TRUE(row("dataset.image_size")->isVisible());
}

TEST_F(PlanFormTest, ANarrowPageHasNoList) {
  EXPECT_TRUE(plan.findChild<PlanJump*>()->isVisible());
  plan.resize(640, 600);
  EXPECT_FALSE(plan.findChild<PlanJump*>()->isVisible());
}

}  // namespace
}  // namespace slipstream::ui
