// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/boost/algorithms.h"
#include "engine/config/json_edit.h"
#include "engine/plan/check_file.h"
#include "tests/support/text_files.h"
#include "tests/ui/small_workspace.h"
#include "ui/documents/experiment_editing.h"
#include "ui/documents/key_titles.h"
#include "ui/experiment/boost_page.h"
#include "ui/experiment/boost_section.h"
#include "ui/experiment/json_editor.h"
#include "ui/experiment/json_fields.h"
#include "ui/experiment/key_row.h"
#include "ui/experiment/open_experiment_row.h"
#include "ui/experiment/plan_page.h"
#include "ui/experiment/vary_dialog.h"
#include "ui/store/store_snapshot.h"
#include "ui/widgets/cell_table.h"

namespace slipstream::ui {
namespace {

const std::filesystem::path experiments = std::filesystem::path(SLIPSTREAM_SOURCE) / "experiments";
constexpr int testTimeout = 300'000;

void waitForPlan(ExperimentDocument& document) {
  QSignalSpy planned(&document, &ExperimentDocument::planChanged);
  ASSERT_TRUE(planned.wait(testTimeout));
}

const char* example = R"({
  "network": "lenet5",
  "dataset": {"name": "digits", "train_samples": 640},
  "parallel": {"ranks": 2},
  "boost": {"level": "O2", "dictionary": {"adasum": {"mode": "gradients"}}}
}
)";

class ExperimentPages : public testing::Test {
 protected:
  ExperimentPages() : boost(workspace, nullptr), plan(workspace, nullptr) {
    document().start(example);
    waitForPlan(document());
    boost.resize(980, 700);
    boost.show();
  }
  ExperimentDocument& document() { return workspace.experiment(); }
  ExperimentEditing& editing() { return document().editing(); }
  BoostSection* section(const std::string& key) {
    for (auto* found : boost.findChildren<BoostSection*>()) {
      if (found->key() == key) return found;
    }
    return nullptr;
  }
  static QString dictionaryOf(BoostPage& page) { return page.findChild<JsonEditor*>()->toPlainText(); }

  Workspace workspace;
  BoostPage boost;
  PlanPage plan;
};

TEST_F(ExperimentPages, ShowingChangesNothing) {
  QTest::qWait(100);
  EXPECT_EQ(document().text(), example);
  EXPECT_FALSE(document().isModified());
  EXPECT_EQ(dictionaryOf(boost), QStringLiteral("{\"adasum\": {\"mode\": \"gradients\"}}"));
}

TEST_F(ExperimentPages, ASwitchIsOneStepOfTextAndBack) {
  auto* freeze = section("grad_freeze")->findChild<QCheckBox*>();
  ASSERT_TRUE(freeze->isChecked());
  freeze->click();
  EXPECT_EQ(*findValue(editing().keys(), "boost.dictionary.boost.grad_freeze"), false);
  EXPECT_TRUE(dictionaryOf(boost).contains(QStringLiteral("\"grad_freeze\": false")));
  document().undoStack().undo();
  EXPECT_EQ(document().text(), example);
  EXPECT_TRUE(freeze->isChecked());
}

TEST_F(ExperimentPages, WhoseSettingsAreShownStaysOverEditsAndTornText) {
  document().start(R"({"network": "lenet5", "dataset": {"name": "digits", "train_samples": 640},
                      "variants": [{"name": "a", "seed": 1}, {"name": "b", "seed": 2}]})");
  waitForPlan(document());
  const auto scopes = scopesOf(editing().root());
  const auto second = std::ranges::find_if(scopes, [](const ExperimentScope& scope) {
    return scope.kind == ExperimentScope::Kind::variant && scope.index == 1;
  });
  ASSERT_NE(second, scopes.end());
  editing().setScope(*second);
  editing().set("seed", 5);
  editing().set("train.steps", 7);
  EXPECT_EQ(editing().scope().index, 1U);
  EXPECT_EQ(*findValue(editing().root(), "variants[1].train.steps"), 7);
  const std::string sound = document().text();
  document().edit(sound.substr(0, sound.size() - 2), QStringLiteral("Torn"));
  document().edit(sound, QStringLiteral("Mended"));
  EXPECT_EQ(editing().scope().kind, ExperimentScope::Kind::variant);
  EXPECT_EQ(editing().scope().index, 1U);
}

TEST_F(ExperimentPages, TextIsShownByTheForm) {
  auto* text = boost.findChild<JsonEditor*>();
  text->setPlainText(QStringLiteral("{\"adasum\": {\"scope\": \"flat\"}}"));
  EXPECT_EQ(editing().key("boost.dictionary.adasum.scope")->value, "flat");
  EXPECT_EQ(editing().key("boost.dictionary.adasum.mode")->value, "deltas");
}

TEST_F(ExperimentPages, WrongTextStaysAndGreysTheForm) {
  auto* text = boost.findChild<JsonEditor*>();
  text->setPlainText(QStringLiteral("{\"adasum\": {\"scope\": }}"));
  EXPECT_FALSE(editing().isReadable());
  EXPECT_FALSE(section("adasum")->isEnabled());
  EXPECT_EQ(text->toPlainText(), QStringLiteral("{\"adasum\": {\"scope\": }}"));
  text->setPlainText(QStringLiteral("{\"adasum\": {\"scope\": \"flat\"}}"));
  EXPECT_TRUE(section("adasum")->isEnabled());
  while (document().undoStack().canUndo()) document().undoStack().undo();
  EXPECT_EQ(document().text(), example);
}

TEST_F(ExperimentPages, AProblemLeadsToItsControl) {
  editing().set("boost.dictionary.grad_freeze.freeze_p", 7);
  waitForPlan(document());
  ASSERT_FALSE(document().problems().empty());
  EXPECT_EQ(document().problems().front().where, QStringLiteral("boost.dictionary.grad_freeze.freeze_p"));
  QSignalSpy wanted(&workspace, &Workspace::pageWanted);
  document().problems().front().show();
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted.front().front().value<PageId>(), PageId::boost);
}

TEST_F(ExperimentPages, EveryKnobHasARowAndEveryAlgorithmAPage) {
  plan.show();  // its form is made for it
  for (const FormKey& key : editing().form()) {
    if (key.kind == KeyKind::section || key.path.starts_with("boost.dictionary.boost.") || key.path == "boost.level" ||
        key.path == "$schema") {
      continue;
    }
    QWidget* shown = key.path.starts_with("boost.") ? static_cast<QWidget*>(&boost) : &plan;
    const auto rows = shown->findChildren<KeyRow*>();
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const KeyRow* row) { return row->path() == key.path; })) << key.path;
    EXPECT_FALSE(key.help.empty()) << key.path;
    EXPECT_FALSE(key.title.empty()) << key.path;
  }
  for (const BoostSectionSpec& spec : boostSectionSpecs()) EXPECT_FALSE(readmeOf(spec).isEmpty()) << spec.key;
}

TEST(BoostSections, HaveTheKeysThatTheExperimentDescribes) {
  std::map<std::string, std::set<std::string>> keys;
  for (const BoostSectionSpec& spec : boostSectionSpecs()) keys[spec.key] = {spec.keys.begin(), spec.keys.end()};
  EXPECT_EQ(keys["micro_batches"], (std::set<std::string>{"train.micro_size", "train.micro_reduction"}));
  EXPECT_EQ(keys["optimizer_parallel"],
            (std::set<std::string>{"parallel.optimizer_parallel.level", "parallel.optimizer_parallel.shard_size",
                                   "parallel.optimizer_parallel.threshold"}));
  EXPECT_EQ(keys["loss_scale"], (std::set<std::string>{"precision.loss_scale.kind", "precision.loss_scale.scale",
                                                       "precision.loss_scale.factor", "precision.loss_scale.window",
                                                       "precision.loss_scale.drop_overflow_update"}));
}

TEST_F(ExperimentPages, DataThatTakeNearlyAllTheMemoryAreLeftOutOfItsBar) {
  const auto isLeftOut = [this] {
    const auto labels = boost.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [](const QLabel* one) { return one->text().contains(u"of data"); });
  };
  EXPECT_TRUE(isLeftOut());
  editing().set("dataset.batch_size", 320);
  waitForPlan(document());
  EXPECT_FALSE(isLeftOut()) << "activations of so many samples take more";
}

TEST_F(ExperimentPages, VaryingIsOneStep) {
  VaryDialog dialog(editing());
  for (auto* tick : dialog.findChildren<QCheckBox*>())
    tick->setChecked(tick->text() == algorithmTitle(*findAlgorithm("adasum")));
  EXPECT_EQ(variantCount(dialog.variation()), 2U);
  editing().apply(setValue(document().text(), "variants", variantsFor(editing().root(), dialog.variation())),
                  QStringLiteral("Create variants"));
  waitForPlan(document());
  EXPECT_EQ(document().planned()->plans.size(), 2U);
  document().undoStack().undo();
  EXPECT_EQ(document().text(), example);
}

TEST(Experiments, EveryExperimentOpensWithoutMistakes) {
  for (const auto& entry : std::filesystem::directory_iterator(experiments)) {
    if (entry.path().extension() != ".json") continue;
    ExperimentDocument document(nullptr);
    ASSERT_TRUE(document.load(entry.path()));
    waitForPlan(document);
    for (const Problem& problem : document.problems()) {
      EXPECT_NE(problem.severity, Verdict::reject) << entry.path() << problem.problem.toStdString();
    }
    EXPECT_FALSE(document.isModified());
  }
}

TEST(Experiments, BrokenOnesAreToldInTheWordsOfCheck) {
  const test::TextFiles files;
  for (const char* text : {"{", R"({"network": "lenet6"})", R"({"network": "lenet5", "boost": {"level": "O3"}})",
                           R"({"network": "lenet5", "dataset": {"name": "digits", "batch_size": 0, "size": 1}})",
                           R"({"network": "lenet5", "dataset": "digits", "boost": {"level": "O1", "dictionary":
                               {"less_bn": {"rho": 1}, "adasum": {"mode": "gradients"}}}})"}) {
    const auto file = files.write("broken.json", text);
    ExperimentDocument document(nullptr);
    ASSERT_TRUE(document.load(file));
    waitForPlan(document);
    std::vector<std::string> shown;
    for (const Problem& problem : document.problems()) {
      shown.push_back(problem.problem.toStdString() + "; " + problem.remedy.toStdString());
    }
    std::vector<std::string> told;
    for (const Finding& finding : checkFile(file, [](const char* name) { return environment(name); }).findings) {
      told.push_back(finding.problem.in() + "; " + finding.remedy.in());
    }
    EXPECT_FALSE(told.empty()) << text;
    EXPECT_EQ(shown, told) << text;
  }
}

TEST(CellModel, TextsComeAndGoInPlace) {
  CellModel model({QStringLiteral("one"), QStringLiteral("two")}, {}, nullptr);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  for (int count : {3, 5, 1, 0, 2}) {
    std::vector<QStringList> rows;
    for (int i = 0; i < count; ++i) rows.push_back({QString::number(i), QString::number(count)});
    model.setTexts(rows);
    ASSERT_EQ(model.rowCount(), count);
    const QString first = model.data(model.index(0, 1), Qt::DisplayRole).toString();
    EXPECT_EQ(first, count > 0 ? QString::number(count) : QString());
  }
}

TEST(NumberField, HoldsWhatAFileWouldHold) {
  NumberField field(false, above(0));
  QSignalSpy edited(&field, &NumberField::edited);
  auto* line = field.findChild<QLineEdit*>();
  QTest::keyClicks(line, QStringLiteral("0.02"));
  EXPECT_EQ(*field.value(), 0.02);
  field.stepBy(1);
  EXPECT_EQ(*field.value(), 0.021);
  EXPECT_GT(edited.count(), 1);
  line->setText(QStringLiteral("0.0"));
  field.setValue(0);  // what is being typed means the same
  EXPECT_EQ(line->text(), QStringLiteral("0.0"));
  line->setText(QStringLiteral("abc"));
  EXPECT_FALSE(field.value());
  line->clear();
  EXPECT_TRUE(field.value()->is_null());
  NumberField whole(true, between(1, 3));
  whole.setValue(3);
  whole.stepBy(1);
  EXPECT_EQ(*whole.value(), 3);
}

TEST(OpenExperiment, IsInTheDockUntilARunIsOfIt) {
  test::SmallWorkspace small;
  small.open();
  Workspace& workspace = small.workspace;
  OpenExperimentRow row(workspace);
  EXPECT_TRUE(row.isHidden()) << "none is open";
  workspace.experiment().start(R"({"name": "mine", "network": "lenet5", "dataset": "digits"})");
  EXPECT_FALSE(row.isHidden());
  EXPECT_EQ(row.name(), QStringLiteral("mine"));
  EXPECT_EQ(row.state(), QStringLiteral("draft"));
  QSignalSpy wanted(&workspace, &Workspace::pageWanted);
  row.click();
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted.front().front().value<PageId>(), PageId::plan);
  ASSERT_TRUE(workspace.experiment().save(small.folder.path() / "mine.json"));
  EXPECT_EQ(row.state(), QStringLiteral("not launched"));
  test::recordRun(*small.store, test::FinishedRun{});
  ASSERT_TRUE(small.settled());
  EXPECT_EQ(row.state(), QStringLiteral("not launched")) << "that run was of another one";
  const std::string other = workspace.store().snapshot()->runs.front().run.experimentName;
  workspace.experiment().editing().set("name", other);
  EXPECT_EQ(row.name().toStdString(), other);
  EXPECT_EQ(row.state(), QStringLiteral("changed"));
  ASSERT_TRUE(workspace.experiment().save(small.folder.path() / "mine.json"));
  EXPECT_TRUE(row.isHidden()) << "it is among the runs";
}

}  // namespace
}  // namespace slipstream::ui
