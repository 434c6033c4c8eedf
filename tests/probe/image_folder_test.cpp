// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/image_folder.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiment/experiment_check.h"
#include "engine/plan/check_file.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/dataset_kind.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using test::environmentOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Lists look at names alone.
class ImageFolder : public ::testing::Test {
 protected:
  ImageFolder() {
    for (const char* part : {"train", "validation_preprocess"}) {
      for (const char* name : {"b/2.jpg", "b/1.JPG", "a/x.jpeg", "c/y.jPeG"}) add(std::string(part) + "/" + name);
    }
  }
  void add(const std::string& name) const {
    std::filesystem::create_directories((files_.path() / name).parent_path());
    files_.write(name, "");
  }
  DatasetSpec data() const { return {.name = "image_folder", .path = files_.path().string()}; }
  void remove(const std::string& name) const { std::filesystem::remove_all(files_.path() / name); }
  std::string problem(DataPart part = DataPart::training) const {
    const auto list = listImages(data(), part, 0);
    return list ? "none" : toText(list.error());
  }

  /// An experiment on the folder, with these keys beside.
  std::string experiment(const std::string& network = R"("small_resnet")", const std::string& keys = "") const {
    return R"({"network": )" + network + R"(, "dataset": {"name": "image_folder", "batch_size": 2, "path": ")" +
           files_.path().string() + "\"" + keys + "}}";
  }
  Result<PlannedFile> plan(const std::string& text) const {
    return planFile(files_.write("case.json", text), {}, environmentOf());
  }
  std::string problems(const std::string& text) const {
    const auto planned = plan(text);
    return planned ? "none" : toText(planned.error());
  }

  test::TextFiles files_;
};

TEST_F(ImageFolder, PicturesAreSortedByClassAndName) {
  add("train/a/.hidden.jpg");
  add("train/a/readme.txt");
  add("train/c/0.PNG");
  add("train/c/z.png");
  add("train/c/png");
  add("train/.cache/z.jpg");
  add("classes.txt");
  const auto list = listImages(data(), DataPart::training, 0);
  ASSERT_TRUE(list) << toText(list.error());
  EXPECT_THAT(list->classes, ElementsAre("a", "b", "c"));
  using File = ImageList::File;
  EXPECT_THAT(list->files, ElementsAre(File{"a/x.jpeg", 0}, File{"b/1.JPG", 1}, File{"b/2.jpg", 1}, File{"c/0.PNG", 2},
                                       File{"c/y.jPeG", 2}, File{"c/z.png", 2}));
  EXPECT_EQ(list->folder, files_.path() / "train");
}

TEST_F(ImageFolder, EvaluationIsFoundUnderAnyOfItsNames) {
  for (const char* name : {"validation_preprocess", "val", "validation"}) {
    const auto place = files_.path() / name;
    if (!std::filesystem::exists(place)) std::filesystem::rename(files_.path() / "before", place);
    const auto list = listImages(data(), DataPart::evaluation, 0);
    ASSERT_TRUE(list) << toText(list.error());
    EXPECT_EQ(list->folder, place);
    std::filesystem::rename(place, files_.path() / "before");
  }
}

TEST_F(ImageFolder, WithoutAnEvaluationPartOneIsDrawn) {
  remove("validation_preprocess");
  for (int i = 0; i < 12; ++i) add("train/a/" + std::to_string(i) + ".jpg");
  const auto training = listImages(data(), DataPart::training, 0);
  const auto evaluation = listImages(data(), DataPart::evaluation, 0);
  ASSERT_TRUE(training && evaluation);
  EXPECT_THAT(training->files, SizeIs(14));
  EXPECT_THAT(evaluation->files, SizeIs(2));
  for (const auto& file : evaluation->files) EXPECT_EQ(std::ranges::count(training->files, file), 0) << file.name;
  EXPECT_EQ(training->splitHash, evaluation->splitHash);
  const auto planned = plan(experiment());
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(planned->plans.front().trainSamples, 14);
  EXPECT_THAT(toJsonText(planned->plans.front()), HasSubstr(training->splitHash));
  // The same images without a folder train have the same names and split.
  for (const char* name : {"a", "b", "c"})
    std::filesystem::rename(files_.path() / "train" / name, files_.path() / name);
  remove("train");
  const auto flat = listImages(data(), DataPart::evaluation, 0);
  ASSERT_TRUE(flat) << toText(flat.error());
  EXPECT_EQ(flat->files, evaluation->files);
  EXPECT_THAT(flat->classes, ElementsAre("a", "b", "c"));
}

TEST_F(ImageFolder, SaysWhatIsWrong) {
  std::filesystem::create_directories(files_.path() / "train/d");
  EXPECT_THAT(problem(), HasSubstr("train/d: holds no image"));
  EXPECT_THAT(problem(DataPart::evaluation),
              HasSubstr("validation_preprocess: lacks a class that train has (found d)"));
  remove("train/d");
  remove("train/a");
  EXPECT_THAT(problem(DataPart::evaluation),
              HasSubstr("train: lacks a class that validation_preprocess has (found a)"));
  add("train/a/inner/1.jpg");
  EXPECT_THAT(problem(), HasSubstr("train/a/inner: is a folder inside a class"));
  add("train/b\xff/1.jpg");
  EXPECT_THAT(problem(), HasSubstr("holds bytes that are not UTF-8"));
  remove("train/b\xff");
  remove("train");
  EXPECT_THAT(problem(), HasSubstr("lacks a folder train"));
  add("train/1.jpg");
  EXPECT_THAT(problem(), HasSubstr("train: has no sub-folder"));
}

TEST_F(ImageFolder, ClassesOfBuiltInNetworksAndLastLayersFollowTheData) {
  const auto planned = plan(experiment());
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& run = planned->plans.front();
  EXPECT_EQ(run.experiment.dataset.classes, 3);
  EXPECT_EQ(run.experiment.network.layers.back().outputs, 3);
  EXPECT_THAT(run.classNames, ElementsAre("a", "b", "c"));
  EXPECT_EQ(run.trainSamples, 4);
  EXPECT_THAT(run.experiment.dataset.mean, SizeIs(3));
  EXPECT_EQ(run.experiment.dataset.prefetchBatches, 2);
  const auto again = parseRunPlan(toJsonText(run));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(run));
  const std::string open = R"({"layers": [{"type": "global_avg_pool"}, {"type": "dense"}]})";
  EXPECT_EQ(plan(experiment(open))->plans.front().experiment.network.layers.back().outputs, 3);
  const std::string wrong = R"({"layers": [{"type": "global_avg_pool"}, {"type": "dense", "outputs": 10}]})";
  EXPECT_THAT(problems(experiment(wrong)), HasSubstr("ends with 10 values, but the data has 3 classes"));
}

TEST_F(ImageFolder, ThePlanKeepsTheNamesThatItWasMadeFrom) {
  const auto planned = plan(experiment());
  ASSERT_TRUE(planned) << toText(planned.error());
  auto stored = parseRunPlan(toJsonText(planned->plans.front()));
  ASSERT_TRUE(stored) << toText(stored.error());
  EXPECT_TRUE(checkPlannedImages(*stored));
  add("train/a/0new.jpg");
  EXPECT_THAT(toText(checkPlannedImages(*stored).error()), HasSubstr("has 5 images, but the run was planned with 4"));
  remove("train/a/x.jpeg");
  EXPECT_THAT(toText(checkPlannedImages(*stored).error()), HasSubstr("--allow-different-bits"));
  stored->allowDifferentBits = true;
  EXPECT_TRUE(checkPlannedImages(*stored));
  add("train/aa/1.jpg");
  EXPECT_THAT(toText(checkPlannedImages(*stored).error()), HasSubstr("has a class aa, but the run was planned with 3"));
  remove("train/a");
  EXPECT_THAT(toText(checkPlannedImages(*stored).error()), HasSubstr("lacks the class a,"));
}

TEST_F(ImageFolder, OfALimitedListOnlyWhatIsTakenCounts) {
  const auto hash = [&](const std::string& limit) {
    return plan(experiment(R"("small_resnet")", limit))->plans.front().pictureNamesHash;
  };
  EXPECT_NE(hash(R"(, "train_samples": 2)"), hash(""));
  EXPECT_EQ(hash(R"(, "train_samples": 400)"), hash(""));
}

TEST_F(ImageFolder, ANetworkMayHaveMoreClassesThanTheDataWhereItSaysSo) {
  const auto planned = plan(experiment(R"({"name": "lenet5", "classes": 5})"));
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& run = planned->plans.front();
  EXPECT_EQ(run.experiment.network.layers.back().outputs, 5);
  EXPECT_EQ(run.experiment.dataset.classes, 3);
  EXPECT_THAT(toJsonText(run), HasSubstr("the data has 3 classes; outputs beyond them are trained and never right"));
  const auto again = parseRunPlan(toJsonText(run));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(run));
  const std::string few = problems(experiment(R"({"name": "lenet5", "classes": 2})"));
  EXPECT_THAT(few, HasSubstr("ends with 2 values, but the data has 3 classes"));
  EXPECT_THAT(few, HasSubstr("write network.classes of 3 or more, or remove it"));
  EXPECT_THAT(problems(experiment(R"({"name": "lenet5", "classes": 0})")), Not(HasSubstr("has no outputs")));
}

TEST_F(ImageFolder, KeysThatTheDataHasNoUseForAreRefused) {
  EXPECT_EQ(
      problems(experiment(R"("small_resnet")", R"(, "image_size": 64, "on_broken": "skip", "decode_threads": 2)")),
      "none");
  EXPECT_THAT(problems(experiment(R"("small_resnet")", R"(, "image_size": 4)")), HasSubstr("dataset.image_size"));
  EXPECT_THAT(problems(experiment(R"("small_resnet")", R"(, "mean": [0.5, 0.5])")),
              HasSubstr("dataset.mean: is neither"));
  EXPECT_THAT(problems(experiment(R"("small_resnet")", R"(, "mean": [0.5, 0.5, "x"])")),
              HasSubstr("dataset.mean: must be a number"));
  EXPECT_THAT(problems(experiment(R"("small_resnet")", R"(, "fallback": "digits")")), HasSubstr("dataset.fallback"));
  EXPECT_THAT(problems(R"({"network": "mlp", "dataset": {"name": "digits", "image_size": 64}})"),
              HasSubstr("dataset.image_size: is not a known key"));
  EXPECT_THAT(problems(R"({"network": "mlp", "dataset": {"name": "digits", "on_broken": "skip"}})"),
              HasSubstr("dataset.on_broken: is not a known key"));
}

TEST_F(ImageFolder, MissingAndWrongFoldersAreToldWithWhatToDo) {
  remove("train");
  EXPECT_THAT(problems(experiment()), HasSubstr("lacks a folder train"));
  EXPECT_THAT(problems(experiment()), HasSubstr("--set dataset.path="));
  remove("validation_preprocess");
  EXPECT_THAT(problems(experiment()), HasSubstr("lacks a folder train"));
  for (const char* name : {"train/a/1.jpg", "train/b/1.jpg", "train/c/1.jpg"}) add(name);
  const std::string nowhere = R"({"network": "small_resnet", "dataset": {"name": "image_folder", "path": "/nowhere"}})";
  EXPECT_THAT(problems(nowhere), HasSubstr("is not a folder"));
  EXPECT_THAT(problems(nowhere), Not(HasSubstr("classes")));
  const std::string unnamed = R"({"network": "small_resnet", "dataset": {"name": "image_folder"}})";
  EXPECT_THAT(problems(unnamed), HasSubstr("no folder of the data set image_folder is named"));
  add("val/a/1.jpg");
  EXPECT_THAT(problems(experiment()), HasSubstr("lacks 2 classes that train has"));
}

TEST_F(ImageFolder, WhatMayNotBeReadIsNotCalledAbsent) {
  using std::filesystem::perms;
  const auto permit = [&](const std::string& name, perms allowed) {
    std::filesystem::permissions(files_.path() / name, allowed);
  };
  for (const char* closed : {"pictures", "pictures/train", "pictures/val", "pictures/train/a"}) {
    for (const char* name : {"train/a/1.jpg", "train/b/1.jpg", "val/a/1.jpg", "val/b/1.jpg"}) {
      add(std::string("pictures/") + name);
    }
    const std::string text =
        R"({"network": "small_resnet", "dataset": {"name": "image_folder", "batch_size": 1, "path":)"
        R"( "pictures"}})";
    files_.write("closed.json", text);
    permit(closed, perms::none);
    std::string told;
    {
      const test::OrdinaryUser user(files_.path());
      const auto planned = planFile(files_.path() / "closed.json", {}, environmentOf());
      told = planned ? "none" : toText(planned.error());
    }
    permit(closed, perms{0755});
    EXPECT_THAT(told, HasSubstr("permission denied")) << closed;
    EXPECT_THAT(told, HasSubstr((files_.path() / closed).string())) << closed;
    EXPECT_THAT(told, HasSubstr("let this user read and enter it")) << closed;
    EXPECT_THAT(told, Not(HasSubstr("lacks"))) << closed;
    EXPECT_THAT(told, Not(HasSubstr("is not a folder"))) << closed;
  }
}

TEST_F(ImageFolder, OneClassIsWarnedOf) {
  for (const char* name : {"one/train/a/1.jpg", "one/val/a/1.jpg"}) add(name);
  const auto file = files_.write(
      "one.json",
      R"({"network": "small_resnet", "dataset": {"name": "image_folder", "batch_size": 1, "path": "one"}})");
  const auto planned = planFile(file, {}, environmentOf());
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_THAT(notesOf(planned->plans), ElementsAre(HasSubstr("nothing can be learned")));
  const FileCheck check = checkFile(file, environmentOf());
  EXPECT_EQ(check.verdict, Verdict::warn);
  ASSERT_THAT(check.findings, SizeIs(1));
  EXPECT_EQ(check.findings[0].path, "classes");
  EXPECT_THAT(check.findings[0].problem.in(), HasSubstr("nothing can be learned: train has the one sub-folder a"));
  EXPECT_THAT(check.findings[0].remedy.in(), HasSubstr("each class into a sub-folder"));
  EXPECT_EQ(checkFile(files_.write("three.json", experiment()), environmentOf()).verdict, Verdict::accept);
}

TEST_F(ImageFolder, TheFolderIsLookedAtAgainWhenItChanges) {
  RememberedInspection inspect;
  DatasetSpec spec;
  spec.name = "image_folder";
  spec.path = files_.path().string();
  EXPECT_EQ(inspect(spec)->training, 4);
  // Times of folders are as coarse as the kernel's clock.
  std::filesystem::last_write_time(files_.path() / "train/a", std::filesystem::file_time_type::min());
  add("train/a/new.jpg");
  EXPECT_EQ(inspect(spec)->training, 5);
  EXPECT_EQ(inspect(spec)->training, 5);
}

TEST_F(ImageFolder, BatchesInUseAndAheadAreForecast) {
  const auto bytes = [&](const std::string& keys) {
    return plan(experiment(R"("small_resnet")", R"(, "image_size": 32)" + keys))
        ->plans.front()
        .memoryPerRank.at("data");
  };
  const std::int64_t batch = 2 * 32 * 32 * 3;
  EXPECT_EQ(bytes(R"(, "prefetch_batches": 0)"), 2 * batch) << "one to train with, one to evaluate on";
  EXPECT_EQ(bytes(R"(, "prefetch_batches": 5)"), 12 * batch);
}

}  // namespace
}  // namespace slipstream
