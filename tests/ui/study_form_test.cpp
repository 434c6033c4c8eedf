// SPDX-License-Identifier: GPL-3.0-or-later
// A study that is written in the window: what it costs, what is wrong with it, and what becomes of it once it is
// frozen.
#include "ui/study/study_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/config/json_edit.h"
#include "tests/support/sample_study.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/text_faults.h"
#include "ui/study/study_fields.h"
#include "ui/study/study_header.h"
#include "ui/study/study_page.h"
#include "ui/study/study_panels.h"
#include "ui/widgets/cell_table.h"
#include "ui/window/windows.h"

namespace slipstream::ui {
namespace {

using ::testing::HasSubstr;

nlohmann::json baseExperiment() {
  return {{"name", "base"},
          {"network", {{"layers", {{{"type", "flatten"}}, {{"type", "dense"}, {"outputs", 10}}}}}},
          {"dataset", {{"name", "digits"}, {"batch_size", 16}, {"train_samples", 64}, {"evaluation_samples", 16}}},
          {"loss", "cross_entropy"},
          {"optimizer", {{"name", "momentum"}, {"momentum", 0.9}, {"learning_rate", 0.05}}},
          {"parallel", {{"ranks", 2}}},
          {"train", {{"steps", 30}}},
          {"variants",
           {{{"name", "averaged"}, {"boost", {{"level", "O0"}}}},
            {{"name", "adasum"},
             {"boost", {{"level", "O1"}, {"dictionary", {{"boost", {{"mode", "manual"}, {"adasum", true}}}}}}}}}}};
}

class StudyForms : public ::testing::Test {
 protected:
  StudyForms() {
    useLanguage({});
    base = files.write("base.json", baseExperiment().dump());
    small.open();
    small.workspace.experiment().load(base, readFile(base).value());
    page = std::make_unique<StudyPage>(small.workspace, nullptr);
    page->resize(1000, 760);
    page->show();
  }
  ~StudyForms() override {
    small.workspace.studyDraft().start({});
    small.workspace.experiment().discard();
    useLanguage({});
  }

  StudyDocument& draft() { return small.workspace.studyDraft(); }
  StudyForm& form() { return page->form(); }
  const Json& root() { return draft().root(); }
  bool checked() {
    return test::eventually([&] { return draft().isCurrent(); }) && test::answered(small.workspace);
  }
  void begin() {
    page->begin();
    ASSERT_TRUE(checked());
  }
  void type(const char* key, const char* typed) {
    auto* line = qobject_cast<QLineEdit*>(form().control(key));
    ASSERT_NE(line, nullptr) << key;
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Backspace);
    QTest::keyClicks(line, QString::fromUtf8(typed));
  }
  QCheckBox* tickOf(const char* variant) {
    for (QCheckBox* tick : form().findChildren<QCheckBox*>()) {
      if (tick->accessibleName() == QStringLiteral("Use %1").arg(QString::fromUtf8(variant))) return tick;
    }
    return nullptr;
  }
  std::string problems() { return form().cost().problems().text().toStdString(); }

  test::TextFiles files;
  std::filesystem::path base;
  test::SmallWorkspace small;
  std::unique_ptr<StudyPage> page;
};

TEST_F(StudyForms, ANewStudyIsOfTheOpenExperimentWithItsFairRivals) {
  begin();
  EXPECT_EQ(root()["base"], base.string());
  EXPECT_EQ(root()["reference"], "averaged");
  ASSERT_EQ(root()["variants"].size(), 4U);
  EXPECT_EQ(root()["variants"][1], "adasum");
  EXPECT_EQ(root()["variants"][2]["scale_rate"], "square_root");
  EXPECT_EQ(root()["variants"][3]["scale_rate"], "linear");
  EXPECT_EQ(problems(), "");
  EXPECT_TRUE(form().freeze().isEnabled());
  EXPECT_EQ(draft().place(), files.path() / "studies" / "base_study.json");
}

TEST_F(StudyForms, TheCostIsThatOfTheRunsAtOnce) {
  begin();
  ASSERT_TRUE(form().cost().cost());
  EXPECT_EQ(form().cost().cost()->runs, 20);
  EXPECT_EQ(form().cost().total().text(), QStringLiteral("20 runs")) << "no earlier run tells how long they take";
  type("factors.parallel.ranks", "1, 2");
  ASSERT_TRUE(checked());
  EXPECT_EQ(form().cost().cost()->runs, 40);
  tickOf("averaged × ranks")->click();
  ASSERT_TRUE(checked());
  EXPECT_EQ(form().cost().cost()->runs, 30);
  EXPECT_EQ(root()["variants"].size(), 3U);
}

TEST_F(StudyForms, HoursComeFromTheStoresEarlierRuns) {
  // Written runs of another network say nothing; the same network's do.
  begin();
  const RunPlan& plan = draft().checked()->check.settings.front().plan;
  NewRun asked = test::sampleRun("before");
  asked.planText = toJsonText(plan);
  asked.seed = 7;
  const std::string run = small.store->createRun(asked);
  small.store->setState(run, RunState::done, "");
  test::setTimes(*small.store, run, 36);
  draft().change(QStringLiteral("again"), [](Json& json) { json["seeds"]["least"] = 4; });
  ASSERT_TRUE(checked());
  ASSERT_TRUE(form().cost().cost()->seconds);
  EXPECT_EQ(form().cost().cost()->earlierRuns, 1);
  EXPECT_THAT(form().cost().total().text().toStdString(), HasSubstr("16 runs · "));
}

TEST_F(StudyForms, ThreeSeedsAreWarnedOfWithWhatFiveWouldCost) {
  begin();
  EXPECT_FALSE(form().cost().moreSeeds().isVisibleTo(page.get())) << "five are enough to begin with";
  qobject_cast<QSpinBox*>(form().control("seeds.least"))->setValue(3);
  ASSERT_TRUE(checked());
  EXPECT_THAT(form().cost().warning().text().toStdString(), HasSubstr("3 seeds show differences only"));
  EXPECT_THAT(form().cost().warning().text().toStdString(), HasSubstr("3 comparisons share the level"));
  EXPECT_EQ(form().cost().moreSeeds().text(), QStringLiteral("Use 5 seeds: +8 runs"));
  form().cost().moreSeeds().click();
  EXPECT_EQ(root()["seeds"]["least"], 5);
  ASSERT_TRUE(checked());
  EXPECT_FALSE(form().cost().moreSeeds().isVisibleTo(page.get()));
  EXPECT_EQ(qobject_cast<QSpinBox*>(form().control("seeds.least"))->value(), 5);
}

TEST_F(StudyForms, EverythingThatIsWrongIsSaidAtOnce) {
  begin();
  draft().change(QStringLiteral("mistakes"), [](Json& json) {
    json["question"] = {{"measure", "accuracies"}, {"target", 98}};
    json["seeds"] = {{"least", 5}, {"most", 3}};
    json["factors"] = {{"parallel.rank", {1, 2}}};
    json["variants"].push_back("adasums");
  });
  ASSERT_TRUE(checked());
  EXPECT_THAT(problems(), HasSubstr("variants[4]"));
  draft().change(QStringLiteral("fewer"), [](Json& json) { json["variants"].erase(4); });
  ASSERT_TRUE(checked());
  for (const char* part : {"question.measure", "question.target", "seeds.most", "parallel.rank"})
    EXPECT_THAT(problems(), HasSubstr(part));
  EXPECT_FALSE(form().freeze().isEnabled());
  EXPECT_FALSE(form().freeze().toolTip().isEmpty());
  EXPECT_TRUE(form().control("question.target")->property("wrong").toBool());
  draft().undoStack().undo();
  draft().undoStack().undo();
  ASSERT_TRUE(checked());
  EXPECT_EQ(problems(), "");
}

TEST_F(StudyForms, WhatIsTypedIsTheTextAndUndoTakesItBack) {
  begin();
  const std::string before = draft().text();
  type("question.target", "97.5");
  EXPECT_EQ(root()["question"]["target"], 0.975);
  type("question.margin", "0.2");
  EXPECT_EQ(root()["question"]["margin"], 0.002) << "points of accuracy";
  auto* measure = qobject_cast<QComboBox*>(form().control("question.measure"));
  measure->setCurrentIndex(measure->findData(QStringLiteral("steps_to_target")));
  Q_EMIT measure->activated(measure->currentIndex());
  EXPECT_EQ(root()["question"]["measure"], "steps_to_target");
  type("budget.hours", "0.75");
  EXPECT_EQ(root()["budget"]["hours"], 0.75);
  type("budget.hours", "");
  EXPECT_FALSE(root().contains("budget"));
  while (draft().undoStack().canUndo()) draft().undoStack().undo();
  EXPECT_EQ(draft().text(), before);
  EXPECT_EQ(qobject_cast<QLineEdit*>(form().control("question.target"))->text(), QString());
}

TEST_F(StudyForms, FieldsReadAndWriteAlike) {
  for (const char* typed : {"4, 8, 16", "a, 0.5, true", "[1, 2], 3"}) {
    EXPECT_EQ(typedList(fieldOfList(typedList(QString::fromLatin1(typed)))), typedList(QString::fromLatin1(typed)));
  }
  EXPECT_EQ(typedShare(QStringLiteral("98.5")), Json(0.985));
  EXPECT_EQ(fieldOfShare(Json(0.985)), QStringLiteral("98.5"));
  EXPECT_EQ(typedShare(QStringLiteral("much")), Json("much")) << "checking says what is wrong with it";
  const Json range = typedAxis(QStringLiteral("0.005 … 0.16"), true);
  EXPECT_EQ(range["low"], 0.005);
  EXPECT_EQ(range["scale"], "log");
  EXPECT_EQ(fieldOfAxis(range), QStringLiteral("0.005 … 0.16"));
  EXPECT_EQ(typedAxis(QStringLiteral("0.1, 0.2"), true), Json({0.1, 0.2}));
  const Json settings = typedSettings(QStringLiteral("optimizer.learning_rate = 0.04, a = [1, 2]"));
  EXPECT_EQ(settings["optimizer.learning_rate"], 0.04);
  EXPECT_EQ(settings["a"], Json({1, 2}));
}

TEST_F(StudyForms, AFileThatIsThereIsNotWrittenOver) {
  begin();
  ASSERT_TRUE(makeFolder(files.path() / "studies"));
  files.write("studies/base_study.json", "{}");
  form().freeze().click();
  EXPECT_THAT(problems(), HasSubstr("is there already"));
  EXPECT_EQ(readFile(files.path() / "studies" / "base_study.json").value(), "{}");
}

TEST_F(StudyForms, AStudyThatCannotBeSavedStaysAsItWas) {
  begin();
  files.write("studies", "a file where the folder would be");
  const std::string before = draft().text();
  form().freeze().click();
  EXPECT_THAT(problems(), HasSubstr("studies"));
  EXPECT_EQ(draft().text(), before) << "its base is named from nowhere but where it lies";
  EXPECT_TRUE(draft().file().empty());
  std::filesystem::remove(files.path() / "studies");
  EXPECT_TRUE(form().freeze().isEnabled());
}

TEST_F(StudyForms, InChineseNothingIsLeftInEnglishOrCut) {
  useLanguage(QStringLiteral("zh_CN"));
  StudyPage chinese(small.workspace, nullptr);
  chinese.resize(1000, 760);
  chinese.show();
  chinese.begin();
  ASSERT_TRUE(checked());
  qobject_cast<QSpinBox*>(chinese.form().control("seeds.least"))->setValue(3);
  ASSERT_TRUE(checked());
  const QStringList faults = test::faultsOf(chinese, QStringLiteral("form"), true);
  EXPECT_TRUE(faults.isEmpty()) << faults.join(QLatin1Char('\n')).toStdString();
}

/// With real runs: the file is written, the queue is a process of its own, and the window follows the store.
TEST_F(StudyForms, AFrozenStudyIsStartedPausedAndGoesOn) {
  begin();
  draft().change(QStringLiteral("smaller"), [](Json& json) {
    json["name"] = "small";
    json["variants"] = {"averaged", "adasum"};
    json["seeds"]["least"] = 3;
    json["question"]["measure"] = "final_loss";
    json["budget"]["cores"] = 1;
  });
  ASSERT_TRUE(checked());
  ASSERT_EQ(problems(), "");
  const std::filesystem::path file = files.path() / "studies" / "small.json";
  form().freeze().click();
  ASSERT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(Json::parse(readFile(file).value())["base"], "../base.json") << "both may be moved together";
  const auto study = [&] { return small.workspace.store().snapshot()->findStudy("small"); };
  ASSERT_TRUE(test::eventually([&] { return study() != nullptr && study()->carriedOn; })) << problems();
  ASSERT_TRUE(test::eventually([&] { return small.workspace.studies().name() == "small"; }));
  EXPECT_TRUE(draft().isBlank()) << "what is frozen is not written any more";
  EXPECT_EQ(small.store->studies().cells(study()->record.number).size(), 6U);
  page->panels().header().pause().click();
  ASSERT_TRUE(test::eventually([&] { return study()->state == StudyState::paused && !study()->carriedOn; }));
  const int open = study()->counts.open();
  EXPECT_GT(open, 0) << "it was paused before its end";
  ASSERT_TRUE(test::eventually([&] { return page->panels().header().goOn().isEnabled(); }));
  page->panels().header().goOn().click();
  ASSERT_TRUE(test::eventually([&] { return study()->state == StudyState::done; }));
  EXPECT_EQ(study()->counts.done, 6);
  EXPECT_TRUE(test::eventually([&] {
    return page->shown() && page->shown()->standing.state == StudyState::done &&
           page->shown()->verdict.comparisons.front().pairs == 3;
  }));
}

TEST_F(StudyForms, WhatTheCommandLineRefusesIsSaidInTheForm) {
  begin();
  // A study of this name is there, which asked something else.
  test::SampleStudy other(*small.store, {{"name", "base_study"},
                                         {"variants", {{{"name", "a"}}, {{"name", "b"}}}},
                                         {"seeds", {{"least", 3}}},
                                         {"question", {{"measure", "accuracy"}}}});
  form().freeze().click();
  ASSERT_TRUE(
      test::eventually([&] { return problems().find("a changed question is a new study") != std::string::npos; }));
  EXPECT_FALSE(draft().isBlank());
}

}  // namespace
}  // namespace slipstream::ui
