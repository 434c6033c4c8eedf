// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/study/cell_plan.h"
#include "engine/study/queue.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

nlohmann::json baseExperiment() {
  return {{"name", "base"},
          {"network", "mlp"},
          {"dataset", {{"name", "digits"}, {"batch_size", 8}, {"train_samples", 64}, {"evaluation_samples", 16}}},
          {"optimizer", {{"name", "sgd"}, {"learning_rate", 0.1}}},
          {"parallel", {{"ranks", 2}}},
          {"train", {{"steps", 2}}},
          {"variants", {{{"name", "mean"}}, {{"name", "fast"}, {"optimizer", {{"learning_rate", 0.2}}}}}}};
}

nlohmann::json smallStudy() {
  return {{"base", "base.json"},
          {"reference", "fast"},
          {"factors", {{"parallel.ranks", {1, 2}}}},
          {"seeds", {{"least", 3}, {"most", 6}}},
          {"question", {{"measure", "accuracy"}, {"margin", 0.01}}}};
}

class StudyFile : public ::testing::Test {
 protected:
  StudyFile() { files.write("base.json", baseExperiment().dump()); }
  Result<Study> read(const nlohmann::json& study) { return readStudy(files.write("question.json", study.dump())); }
  std::string problemsOf(const nlohmann::json& study) {
    const auto read_ = read(study);
    return toText(read_ ? checkStudy(*read_).failures : read_.error());
  }

  test::TextFiles files;
};

TEST_F(StudyFile, IsReadWithTheReferenceFirst) {
  const Study study = read(smallStudy()).value();
  EXPECT_EQ(study.name, "question");
  ASSERT_EQ(study.variants.size(), 2U);
  EXPECT_EQ(study.variants[0].name, "fast");
  EXPECT_EQ(study.variants[1].name, "mean");
  EXPECT_EQ(checkStudy(study).failures, Failures{});
  EXPECT_EQ(checkStudy(study).cells, 12U);
}

TEST_F(StudyFile, ASchemaForEditorsIsNoPartOfTheQuestion) {
  const Study plain = read(smallStudy()).value();
  auto study = smallStudy();
  study["$schema"] = "study.schema.json";
  EXPECT_EQ(frozenTextOf(read(study).value()), frozenTextOf(plain));
  study["$schema"] = 3;
  EXPECT_THAT(problemsOf(study), HasSubstr("$schema: must be text"));
}

TEST_F(StudyFile, CellsGoToAndFro) {
  const std::vector<StudyCell> cells = cellsOf(read(smallStudy()).value());
  std::string order;
  for (const StudyCell& cell : cells) order += cell.variant.front();
  EXPECT_EQ(order, "fmmffmmffmmf");
  std::set<std::string> different;
  for (const StudyCell& cell : cells) different.insert(cell.variant + cell.factors + std::to_string(cell.seed));
  EXPECT_EQ(different.size(), cells.size());
  EXPECT_EQ(cells.front().cell, 1);
  EXPECT_EQ(cells.back().cell, 12);
}

TEST_F(StudyFile, FrozenItReadsTheSame) {
  const Study study = read(smallStudy()).value();
  const Study frozen = studyOfFrozen(frozenTextOf(study)).value();
  EXPECT_EQ(frozenTextOf(frozen), frozenTextOf(study));
  EXPECT_EQ(changedSince(frozen, files.path() / "question.json").size(), 0U);
  auto changed = baseExperiment();
  changed["train"]["steps"] = 3;
  files.write("base.json", changed.dump());
  EXPECT_THAT(changedSince(frozen, files.path() / "question.json").at(0), HasSubstr("the base experiment"));
}

TEST_F(StudyFile, AnExperimentWithSeedsIsASmallStudy) {
  auto experiment = baseExperiment();
  experiment["seeds"] = {1, 2, 7};
  const Study study = readStudy(files.write("small.json", experiment.dump())).value();
  EXPECT_EQ(study.name, "base");
  EXPECT_EQ(cellsOf(study).size(), 6U);
  EXPECT_EQ(cellsOf(study).back().seed, 7U);
  EXPECT_EQ(checkStudy(study).failures, Failures{});
}

TEST_F(StudyFile, BadStudiesAreRefusedWithEveryReason) {
  auto bad = smallStudy();
  bad["questoin"] = 1;
  EXPECT_THAT(problemsOf(bad), HasSubstr("questoin: is not a known key"));

  bad = smallStudy();
  bad["factors"]["train.log_every_steps"] = {10, 20};
  EXPECT_EQ(problemsOf(bad), "");  // a log line changes what is asked
  bad["factors"] = {{"parallel.ranks", {2}}, {"name", {"one", "other"}}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("factors.name: changes nothing"));

  bad = smallStudy();
  bad["question"] = {{"measure", "steps_to_target"}, {"target", 98}};
  bad["tuning"] = {{"rule", "external"}, {"space", {{"optimizer.learning_rate", {0.1, 0.2}}}}};
  bad["budget"] = {{"hours", 1e-9}};
  const std::string all = problemsOf(bad);
  EXPECT_THAT(all, HasSubstr("is an accuracy that no network reaches"));
  EXPECT_THAT(all, HasSubstr("write 0.98 for as many percent"));
  EXPECT_THAT(all, HasSubstr("tuning.trials: is missing"));

  bad = smallStudy();
  bad["budget"] = {{"hours", 1e-9}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("is too little for one cell"));
  bad = smallStudy();
  bad["budget"] = {{"cores", 4000}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("this machine has"));

  bad = smallStudy();
  bad["variants"] = {"fast", {{"name", "other"}, {"scale_rate", "linaer"}, {"set", 3}}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("variants[1].scale_rate: is not one of none, linear, square_root"));
  EXPECT_THAT(problemsOf(bad), HasSubstr("variants[1].set: must be an object of key paths"));

  bad = smallStudy();
  bad["variants"] = {"fast", {{"name", "again"}, {"optimizer", {{"learning_rate", 0.2}}}}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("is asked to do the same as fast"));
  bad["variants"] = {"fast", "fast"};
  EXPECT_THAT(problemsOf(bad), HasSubstr("is the name of another variant"));

  bad = smallStudy();
  bad["question"] = {{"measure", "best_accuracy"}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("it gets no verdict"));
  bad["question"] = {{"measure", "acuracy"}};
  EXPECT_THAT(problemsOf(bad), HasSubstr("did you mean accuracy?"));
  bad = smallStudy();
  bad["reference"] = "none";
  EXPECT_THAT(problemsOf(bad), HasSubstr("is none of the variants"));
}

TEST_F(StudyFile, AMissingBaseIsSaid) {
  for (const char* text : {"{}", R"({"name": "x"})", R"({"base": ""})"}) {
    const auto nothing = readStudy(files.write("question.json", text));
    ASSERT_FALSE(nothing) << text;
    EXPECT_THAT(toText(nothing.error()), HasSubstr("base: is missing")) << text;
  }
  const auto number = readStudy(files.write("question.json", R"({"base": 3})"));
  ASSERT_FALSE(number);
  EXPECT_EQ(number.error().size(), 1U);
}

TEST_F(StudyFile, AVariantOfTheBaseWhoseNameIsNoTextIsPassedOver) {
  auto base = baseExperiment();
  base["variants"] = nlohmann::json::parse(R"([{"name": 3}])");
  files.write("base.json", base.dump());
  auto study = smallStudy();
  study["variants"] = nlohmann::json::array({"fast"});
  EXPECT_THAT(problemsOf(study), HasSubstr("is no variant of the base experiment"));
}

TEST_F(StudyFile, MoreCellsThanCanBeListedAreRefused) {
  auto values = nlohmann::json::array();
  for (int i = 1; i < 400; ++i) values.push_back(i);
  auto large = smallStudy();
  large["factors"] = {{"train.steps", values}, {"dataset.batch_size", values}};
  EXPECT_THAT(problemsOf(large), HasSubstr("come to more than 5000 variants"));
  large["factors"] = {{"train.steps", values}};
  large["seeds"] = {{"least", 3}, {"most", 1000}};
  EXPECT_THAT(problemsOf(large), HasSubstr("come to more than 100000 cells"));
}

TEST_F(StudyFile, UnequalPlansAreNamed) {
  auto unequal = smallStudy();
  unequal["variants"] = {"fast", {{"name", "longer"}, {"train", {{"steps", 4}}}}};
  const StudyCheck check = checkStudy(read(unequal).value());
  EXPECT_EQ(check.failures, Failures{});
  ASSERT_FALSE(check.notes.empty());
  EXPECT_THAT(check.notes.front(), HasSubstr("longer and fast are not given alike: updates (2 and 4)"));
}

TEST_F(StudyFile, FewEvaluationsUpToATargetAreNoted) {
  auto few = smallStudy();
  few["question"] = {{"measure", "steps_to_target"}, {"target", 0.9}};
  const StudyCheck check = checkStudy(read(few).value());
  EXPECT_EQ(check.failures, Failures{});
  EXPECT_THAT(check.notes, testing::Contains(HasSubstr("is evaluated once")));
}

TEST_F(StudyFile, RatesFollowTheRanks) {
  auto scaled = smallStudy();
  scaled["variants"] = {{{"name", "mean"}},
                        {{"name", "linear"}, {"scale_rate", "linear"}},
                        {{"name", "root"}, {"scale_rate", "square_root"}}};
  scaled["reference"] = "mean";
  scaled["factors"] = {{"parallel.ranks", {4, 9}}};
  const Study study = read(scaled).value();
  const auto rateOf = [&](const char* variant, int ranks) {
    return cellSettings(study, *study.variant(variant), {{"parallel.ranks", ranks}}, 0)
        .value()["optimizer.learning_rate"]
        .get<double>();
  };
  EXPECT_DOUBLE_EQ(rateOf("linear", 4), 0.4);
  EXPECT_DOUBLE_EQ(rateOf("root", 9), 0.1 * 3);
}

TEST_F(StudyFile, TrialsFillTheSpaceAndComeFirst) {
  auto tuned = smallStudy();
  tuned["factors"] = nlohmann::json::object();
  tuned["tuning"] = {{"rule", "external"},
                     {"trials", 3},
                     {"variants", {"fast"}},
                     {"space", {{"optimizer.learning_rate", {{"low", 0.01}, {"high", 1}, {"scale", "log"}}}}}};
  const Study study = read(tuned).value();
  EXPECT_EQ(checkStudy(study).failures, Failures{});
  EXPECT_EQ(study.trialsOf("fast"), 3);
  EXPECT_EQ(study.trialsOf("mean"), 0);
  const std::vector<StudyCell> cells = cellsOf(study);
  ASSERT_EQ(cells.size(), 3U + 6U);
  EXPECT_EQ(cells[2].trial, 3);
  EXPECT_EQ(cells[2].seed, tuningSeed);
  EXPECT_EQ(cells[3].trial, 0);
  EXPECT_NEAR(trialSettings(study.spaceOf("fast"), 1)["optimizer.learning_rate"].get<double>(), 0.1, 1e-12);
  EXPECT_NEAR(trialSettings(study.spaceOf("fast"), 2)["optimizer.learning_rate"].get<double>(),
              0.01 * std::pow(100, 0.25), 1e-12);
}

TEST_F(StudyFile, AControlIsTheReferenceWithOtherSeeds) {
  const Study study = readStudy(files.write("question.json", smallStudy().dump()), 2).value();
  EXPECT_EQ(study.name, "question_control");
  ASSERT_EQ(study.variants.size(), 3U);
  EXPECT_EQ(checkStudy(study).failures, Failures{});
  for (const StudyCell& cell : cellsOf(study)) EXPECT_EQ(cell.seed == cell.pair, cell.variant == "fast");
}

TEST_F(StudyFile, AControlInTheFileIsTheSameQuestionAndSaysWhatItLeavesOut) {
  Json written = smallStudy();
  written["control"] = 2;
  const std::filesystem::path file = files.write("question.json", written.dump());
  const Study study = readStudy(file).value();
  EXPECT_EQ(study.name, "question");
  EXPECT_THAT(changedSince(studyOfFrozen(frozenTextOf(study)).value(), file), testing::IsEmpty());
  EXPECT_THAT(checkStudy(study).notes, testing::Contains(HasSubstr("other variants are left out")));
  EXPECT_THAT(readStudy(file, 3).value().name, "question_control");
}

TEST(StudyQueue, NoneOvertakesAndNothingIsTakenTwice) {
  const QueueCapacity machine{.cores = 4, .memory = 100, .accelerators = 1};
  const CellCost one{.cores = 1, .memory = 10}, big{.cores = 4, .memory = 10},
      gpu{.cores = 1, .memory = 10, .accelerators = 1};
  EXPECT_EQ(cellsToStart({{1, one}, {2, one}, {3, big}, {4, one}}, {}, machine), (std::vector<int>{1, 2}));
  EXPECT_EQ(cellsToStart({{3, big}}, {one}, machine), std::vector<int>{});
  EXPECT_EQ(cellsToStart({{3, gpu}, {4, gpu}}, {}, machine), std::vector<int>{3});
  EXPECT_EQ(cellsToStart({{3, {.cores = 1, .memory = 95}}, {4, one}}, {}, machine), std::vector<int>{3});
  EXPECT_EQ(cellsToStart({{5, one, false}, {6, one}}, {}, machine), std::vector<int>{});
}

}  // namespace
}  // namespace slipstream
