// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments and variants that people choose in dialogs.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

#include "engine/config/json_edit.h"
#include "tests/support/finished_runs.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/experiment_editing.h"
#include "ui/documents/key_titles.h"
#include "ui/experiment/new_experiment_dialog.h"
#include "ui/experiment/varied_key_row.h"
#include "ui/experiment/vary_dialog.h"
#include "ui/window/main_window.h"

namespace slipstream::ui {
namespace {

constexpr int dialogTimeout = 300'000;

template <class Widget>
Widget* named(QWidget& parent, const char* name) {
  for (auto* found : parent.findChildren<Widget*>()) {
    if (found->accessibleName() == QLatin1String(name)) return found;
  }
  return nullptr;
}

QPushButton* buttonCalled(QWidget& parent, const char* text) {
  for (auto* found : parent.findChildren<QPushButton*>()) {
    if (found->text() == QLatin1String(text)) return found;
  }
  return nullptr;
}

bool says(QWidget& parent, const char* words) {
  for (auto* found : parent.findChildren<QLabel*>()) {
    if (found->text().contains(QString::fromUtf8(words))) return true;
  }
  return false;
}

void waitUntilChecked(NewExperimentDialog& dialog) {
  QSignalSpy checked(&dialog, &NewExperimentDialog::checked);
  if (!dialog.isChecking()) return;
  ASSERT_TRUE(checked.wait(dialogTimeout));
}

TEST(NewExperimentDialogTest, ProposesANameOfItsOwnAndSaysWhatComesOfIt) {
  NewExperimentDialog dialog({"experiment_1", "quickstart"});
  dialog.show();
  EXPECT_EQ(dialog.chosen().name, "experiment_2");
  waitUntilChecked(dialog);
  EXPECT_TRUE(says(dialog, "training samples"));
  EXPECT_TRUE(says(dialog, "61,706 parameters"));
  auto* create = buttonCalled(dialog, "Create");
  EXPECT_TRUE(create->isEnabled());
  auto* name = named<QLineEdit>(dialog, "Name");
  for (const char* wrong : {"", "  ", "a/b", "quickstart"}) {
    name->setText(QLatin1String(wrong));
    EXPECT_FALSE(create->isEnabled()) << wrong;
    EXPECT_FALSE(create->toolTip().isEmpty()) << wrong;
  }
  name->setText(QStringLiteral("mine"));
  EXPECT_TRUE(create->isEnabled());
}

TEST(NewExperimentDialogTest, LooksAtTheFolderAtOnceAndKeepsNobodyFromGoingOn) {
  const test::TemporaryFolder folder;
  NewExperimentDialog dialog({});
  dialog.show();
  auto* path = named<QLineEdit>(dialog, "Folder");
  EXPECT_FALSE(path->isEnabled());  // digits are generated
  auto* data = named<QComboBox>(dialog, "Data set");
  data->setCurrentText(QStringLiteral("mnist"));
  Q_EMIT data->activated(data->currentIndex());
  EXPECT_TRUE(path->isEnabled());
  path->setText(QString::fromStdString(folder.path().string()));
  waitUntilChecked(dialog);
  EXPECT_TRUE(says(dialog, "train-images"));
  EXPECT_TRUE(buttonCalled(dialog, "Create")->isEnabled());
  EXPECT_EQ(dialog.chosen().path, folder.path());
}

TEST(NewExperimentDialogTest, WritesWhatWasChosen) {
  NewExperimentDialog dialog({});
  named<QSpinBox>(dialog, "Ranks")->setValue(4);
  for (auto* tick : dialog.findChildren<QCheckBox*>()) tick->setChecked(tick->text() == QStringLiteral("Adasum"));
  const Json root = Json::parse(dialog.text());
  EXPECT_EQ(*findValue(root, "parallel.ranks"), 4);
  EXPECT_EQ(*findValue(root, "boost.dictionary.boost.adasum"), true);
  EXPECT_EQ(*findValue(root, "boost.dictionary.boost.less_bn"), false);
}

TEST(NewExperimentDialogTest, OffersTheRanksOfAnOpenTable) {
  NewExperimentDialog dialog({}, {"/tables/eight.json", 8});
  dialog.show();
  QCheckBox* ofTable = nullptr;
  for (auto* tick : dialog.findChildren<QCheckBox*>()) {
    if (tick->text().contains(QStringLiteral("eight.json"))) ofTable = tick;
  }
  ASSERT_NE(ofTable, nullptr);
  auto* ranks = named<QSpinBox>(dialog, "Ranks");
  ranks->setValue(3);
  ofTable->click();
  EXPECT_FALSE(ranks->isEnabled());
  EXPECT_EQ(ranks->value(), 8);
  EXPECT_EQ(dialog.chosen().rankTable, "/tables/eight.json");
  ofTable->click();
  EXPECT_EQ(ranks->value(), 3);
  EXPECT_EQ(dialog.chosen().rankTable, "");
  const NewExperimentDialog fromItsPage({}, {"/tables/eight.json", 8, true});
  EXPECT_EQ(fromItsPage.chosen().rankTable, "/tables/eight.json");
}

TEST(NewExperimentDialogTest, CountsInEpochsOrInSteps) {
  NewExperimentDialog dialog({});
  dialog.show();
  waitUntilChecked(dialog);
  EXPECT_EQ(*findValue(Json::parse(dialog.text()), "train.epochs"), 1);
  auto* unit = named<QComboBox>(dialog, "Unit of the length");
  auto* length = named<QDoubleSpinBox>(dialog, "Length");
  unit->setCurrentIndex(1);
  const double steps = length->value();
  EXPECT_TRUE(says(dialog, "Checking"));
  waitUntilChecked(dialog);
  EXPECT_TRUE(says(dialog, qUtf8Printable(QLocale().toString(steps, 'f', 0) + QStringLiteral(" steps"))))
      << "as long as an epoch";
  length->setValue(200);
  const Json root = Json::parse(dialog.text());
  EXPECT_EQ(*findValue(root, "train.steps"), 200);
  EXPECT_EQ(findValue(root, "train.epochs"), nullptr);
  waitUntilChecked(dialog);
  unit->setCurrentIndex(0);
  EXPECT_NEAR(length->value(), 200 / steps, 0.006);
}

TEST(NewExperimentDialogTest, AsksForTheFolderInItsOwnWords) {
  NewExperimentDialog dialog({});
  dialog.show();
  auto* data = named<QComboBox>(dialog, "Data set");
  data->setCurrentText(QStringLiteral("mnist"));
  Q_EMIT data->activated(data->currentIndex());
  EXPECT_TRUE(says(dialog, "Choose the folder of the files of mnist."));
  EXPECT_FALSE(dialog.isChecking());
  EXPECT_TRUE(buttonCalled(dialog, "Create")->isEnabled()) << "the folder can be named later";
}

TEST(NewExperimentDialogTest, TheWindowAsksAndGoesOnInThePlan) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  test::recordRun(*store, {.variant = "averaged", .ranks = 1});
  Workspace workspace;
  ASSERT_TRUE(workspace.store().open(folder.path()));
  MainWindow window(workspace);
  window.show();
  ASSERT_TRUE(test::answered(workspace));
  bool asked = false;
  QTimer looking;
  QObject::connect(&looking, &QTimer::timeout, &window, [&] {
    auto* dialog = qobject_cast<NewExperimentDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || asked) return;
    asked = true;
    named<QLineEdit>(*dialog, "Name")->setText(QStringLiteral("mine"));
    QTest::keyClick(dialog, Qt::Key_Return);
    if (dialog->isVisible()) dialog->reject();  // a test that fails is not one that hangs
  });
  looking.start(50);
  window.actions().newExperiment->trigger();
  EXPECT_TRUE(asked);
  EXPECT_EQ(window.frontPage(), PageId::plan);
  const Json root = Json::parse(workspace.experiment().text());
  EXPECT_EQ(root["name"], "mine");
  EXPECT_FALSE(root.contains("variants"));
  EXPECT_TRUE(workspace.experiment().isModified()) << "what was chosen is kept as a draft";
  workspace.experiment().discard();
}

class VariedKeys : public testing::Test {
 protected:
  VariedKeys() {
    QSignalSpy planned(&workspace.experiment(), &ExperimentDocument::planChanged);
    workspace.experiment().start(R"({"network": "lenet5", "dataset": {"name": "digits", "train_samples": 64}})");
    planned.wait(dialogTimeout);
  }
  ~VariedKeys() override { workspace.experiment().discard(); }

  Workspace workspace;
};

TEST_F(VariedKeys, RateAndBatchAreOfferedFirst) {
  VaryDialog dialog(workspace.experiment().editing());
  const auto rows = dialog.findChildren<VariedKeyRow*>();
  ASSERT_EQ(rows.size(), 2);
  rows[0]->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setText(QStringLiteral("0.01, 0.03, 0.1"));
  rows[1]->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setText(QStringLiteral("16, 32"));
  EXPECT_EQ(variantCount(dialog.variation()), 6U);  // as the file says, and each alone
  EXPECT_TRUE(says(dialog, "6 run"));
  ASSERT_EQ(dialog.variation().keys.size(), 2U);
  EXPECT_EQ(dialog.variation().keys[0].path, "optimizer.learning_rate.lr_max");
  EXPECT_EQ(dialog.variation().keys[1].values, (std::vector<Json>{16, 32}));
}

TEST_F(VariedKeys, AnyOtherIsFoundByItsTitleAndAWrongValueIsSaid) {
  VaryDialog dialog(workspace.experiment().editing());
  dialog.show();
  buttonCalled(dialog, "Setting")->click();
  const auto rows = dialog.findChildren<VariedKeyRow*>();
  ASSERT_EQ(rows.size(), 3);
  auto* keys = rows[2]->findChild<QComboBox*>();
  keys->setCurrentIndex(keys->findData(QStringLiteral("optimizer.momentum")));
  EXPECT_GE(keys->currentIndex(), 0);
  auto* values = rows[2]->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
  values->setText(QStringLiteral("0.5, 2"));
  EXPECT_TRUE(says(*rows[2], "must be"));
  EXPECT_FALSE(buttonCalled(dialog, "Apply")->isEnabled());
  values->setText(QStringLiteral("0.5, 0.9"));
  EXPECT_FALSE(rows[2]->isWrong());
  EXPECT_TRUE(buttonCalled(dialog, "Apply")->isEnabled());
  buttonCalled(dialog, "Apply")->click();
  const Json& variants = workspace.experiment().editing().root()["variants"];
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_EQ(variants[1]["optimizer"]["momentum"], 0.5);
}

TEST_F(VariedKeys, FewSeedsAllowNoClaimAndThatIsSaidBefore) {
  VaryDialog dialog(workspace.experiment().editing());
  dialog.show();
  const auto rows = dialog.findChildren<VariedKeyRow*>();
  auto* seeds = dialog.findChild<QSpinBox*>();
  seeds->setValue(2);
  EXPECT_FALSE(says(dialog, "none is claimed")) << "one variant is compared with nothing";
  rows[1]->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setText(QStringLiteral("16, 32"));
  for (const auto& [count, warned] : {std::pair(1, true), {2, true}, {3, false}}) {
    seeds->setValue(count);
    EXPECT_EQ(says(dialog, "none is claimed"), warned) << count;
  }
}

TEST_F(VariedKeys, TheTimeIsThatOfEarlierRunsOrNotKnown) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  ASSERT_TRUE(workspace.store().open(folder.path()));
  VaryDialog dialog(workspace.experiment().editing(), &workspace.store());
  dialog.show();
  const auto rows = dialog.findChildren<VariedKeyRow*>();
  rows[0]->findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly)->setText(QStringLiteral("0.01, 0.03"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return says(dialog, "not known before a run"); }, dialogTimeout));
}

}  // namespace
}  // namespace slipstream::ui
