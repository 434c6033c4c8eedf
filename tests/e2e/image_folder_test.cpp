// SPDX-License-Identifier: GPL-3.0-or-later
// An image folder from its images to a run in the store, by the programs that a person uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "tests/e2e/program.h"
#include "tests/support/jpeg_images.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A tiny network as a list of layers, whose last one follows the data.
nlohmann::json pictureExperiment(int steps) {
  nlohmann::json experiment = smallExperiment(steps, 10);
  experiment["network"] = {{"layers",
                            {{{"type", "conv2d"}, {"outputs", 4}, {"kernel", 3}, {"stride", 2}},
                             {{"type", "batch_norm"}},
                             {{"type", "relu"}},
                             {{"type", "global_avg_pool"}},
                             {{"type", "dense"}}}}};
  experiment["dataset"] = {{"name", "image_folder"}, {"path", "pictures"}, {"batch_size", 4}, {"image_size", 32}};
  return experiment;
}

TEST(ImageFolderEndToEnd, PicturesArePlannedTrainedEvaluatedAndRepeatable) {
  Sandbox sandbox;
  writeImageFolder(sandbox.folder() / "pictures", {"cat", "dog", "emu"}, 16, 5);
  const std::string file = sandbox.write("pictures.json", pictureExperiment(20));

  const auto planned = sandbox.json({"plan", file, "--json"})["plans"][0]["plan"];
  EXPECT_EQ(planned["train_samples"], 48);
  EXPECT_EQ(planned["class_names"], nlohmann::json({"cat", "dog", "emu"}));
  EXPECT_EQ(planned["experiment"]["dataset"]["classes"], 3);
  EXPECT_THAT(sandbox.slipstream({"plan", file}).output, HasSubstr("one a sub-folder: cat, dog, emu"));

  const ProgramEnd ended = sandbox.slipstream({"run", file, "--quiet"});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  const std::string id = sandbox.store()->runs().front().id;
  const auto measured = sandbox.store()->memory(id);
  for (const auto& [rank, categories] : measured) {
    EXPECT_EQ(planned["memory_per_rank"]["data"], categories.at("data")) << "rank " << rank;
  }
  EXPECT_THAT(sandbox.slipstream({"show", id}).output, HasSubstr("training waited for samples during"));
  const auto evaluated = sandbox.json({"evaluate", id + "@20", "--json"});
  EXPECT_EQ(evaluated["samples"], 15);

  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet", "--set", "dataset.decode_threads=3"}).exitCode, 0);
  const std::string other =
      sandbox.store()->runs().back().id == id ? sandbox.store()->runs().front().id : sandbox.store()->runs().back().id;
  EXPECT_EQ(sandbox.newestState(id), sandbox.newestState(other)) << "threads change no bit";
}

TEST(ImageFolderEndToEnd, OtherClassesThanTheRunsAreRefused) {
  Sandbox sandbox;
  const auto folder = sandbox.folder() / "pictures";
  writeImageFolder(folder, {"cat", "dog", "emu"}, 8, 5);
  const std::string file = sandbox.write("pictures.json", pictureExperiment(12));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto refusal = [&](const std::vector<std::string>& words) {
    const ProgramEnd end = sandbox.slipstream(words);
    EXPECT_EQ(end.exitCode, 2) << end.output;
    return end.errors;
  };
  writeImageFolder(sandbox.folder() / "fewer", {"dog", "emu"}, 8, 5);
  writeImageFolder(sandbox.folder() / "more", {"ant", "cat", "dog", "emu"}, 8, 5);
  EXPECT_THAT(refusal({"evaluate", "last", "--data", (sandbox.folder() / "fewer").string()}),
              AllOf(HasSubstr("--data: lacks the class cat"), HasSubstr("3 classes (cat, dog, emu)")));
  EXPECT_THAT(refusal({"evaluate", "last", "--data", (sandbox.folder() / "more").string()}),
              HasSubstr("--data: has a class ant"));
  EXPECT_THAT(refusal({"evaluate", "last", "--experiment", file, "--data", (sandbox.folder() / "fewer").string()}),
              HasSubstr("lacks the class cat"));
  EXPECT_EQ(sandbox.slipstream({"evaluate", "last", "--data", (sandbox.folder() / "pictures").string()}).exitCode, 0);

  std::filesystem::rename(folder / "train/cat/1.jpg", folder / "train/cat/one.jpg");
  EXPECT_THAT(refusal({"resume", "last", "--from", "10", "--quiet"}), HasSubstr("--allow-different-bits"));
  const std::vector<std::string> allowed{"resume", "last", "--from", "10", "--quiet", "--allow-different-bits"};
  EXPECT_EQ(sandbox.slipstream(allowed).exitCode, 0);
  for (const char* part : {"train", "val"}) std::filesystem::rename(folder / part / "cat", folder / part / "gnu");
  EXPECT_THAT(refusal(allowed), HasSubstr("lacks the class cat"));
  EXPECT_THAT(refusal({"evaluate", "last"}), HasSubstr("lacks the class cat"));
}

TEST(ImageFolderEndToEnd, ABrokenPictureEndsTheRunWithItsPathOrIsSkipped) {
  Sandbox sandbox;
  writeImageFolder(sandbox.folder() / "pictures", {"cat", "dog"}, 16, 5);
  const auto broken = sandbox.folder() / "pictures/train/dog/7.jpg";
  writePicture(broken, {0xFF, 0xD8, 0xFF});
  const std::string file = sandbox.write("pictures.json", pictureExperiment(8));
  const ProgramEnd failed = sandbox.slipstream({"run", file, "--quiet"});
  EXPECT_EQ(failed.exitCode, 1);
  EXPECT_THAT(failed.errors, HasSubstr(broken.string()));
  EXPECT_THAT(failed.errors, HasSubstr("dataset.on_broken"));
  const std::string why = sandbox.store()->runs().front().why;
  EXPECT_THAT(why, EndsWith("set dataset.on_broken to skip"));
  EXPECT_THAT(sandbox.slipstream({"show", "last"}).output, Not(HasSubstr("\\n")));
  const ProgramEnd skipped = sandbox.slipstream({"run", file, "--quiet", "--set", "dataset.on_broken=skip"});
  EXPECT_EQ(skipped.exitCode, 0) << skipped.errors;

  // To evaluate on such an image is refused as any other input that cannot be used.
  writePicture(sandbox.folder() / "pictures/val/cat/0.jpg", {0xFF, 0xD8, 0xFF});
  const ProgramEnd refused = sandbox.slipstream({"evaluate", "last", "--experiment", file});
  EXPECT_EQ(refused.exitCode, 2) << refused.output;
  EXPECT_THAT(refused.errors, HasSubstr("val/cat/0.jpg: is no whole JPEG image"));
}

TEST(ImageFolderEndToEnd, PredictionsNameFilesAndClassesAndLeaveOutWhatCannotBeRead) {
  Sandbox sandbox;
  writeImageFolder(sandbox.folder() / "pictures", {"cat", "a dog, \"big\""}, 16, 2);
  const std::string file = sandbox.write("pictures.json", pictureExperiment(8));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  writePicture(sandbox.folder() / "pictures/val/cat/16.jpg", {0xFF, 0xD8, 0xFF});
  const std::string csv = (sandbox.folder() / "p.csv").string();
  const auto answer = sandbox.json({"evaluate", "last", "--experiment", file, "--set", "dataset.on_broken=skip",
                                    "--predictions", csv, "--confusion", "--json"});
  EXPECT_EQ(answer["confusion"]["classes"], nlohmann::json({"a dog, \"big\"", "cat"}));
  const std::vector<std::string> lines = split(trim(*readFile(csv)), '\n');
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "index,file,label,label_name,predicted,predicted_name,probability");
  const std::string dog = R"("a dog, ""big""")";
  EXPECT_THAT(lines[1], StartsWith(R"(0,"val/a dog, ""big""/16.jpg",0,)" + dog + ","));
  EXPECT_THAT(lines[2], StartsWith(R"(1,"val/a dog, ""big""/17.jpg",0,)" + dog + ","));
  EXPECT_THAT(lines[3], StartsWith("3,val/cat/17.jpg,1,cat,")) << "2 cannot be read";
}

TEST(ImageFolderEndToEnd, APipeAmongThePicturesIsNotWaitedFor) {
  Sandbox sandbox;
  writeImageFolder(sandbox.folder() / "pictures", {"cat", "dog"}, 16, 5);
  const auto pipe = sandbox.folder() / "pictures/train/dog/7.jpg";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const ProgramEnd failed =
      sandbox.slipstream({"run", sandbox.write("pictures.json", pictureExperiment(8)), "--quiet"});
  EXPECT_EQ(failed.exitCode, 1);
  EXPECT_THAT(failed.errors, testing::AllOf(HasSubstr(pipe.string()), HasSubstr("7.jpg: is no regular file")));
}

TEST(ImageFolderEndToEnd, WhatIsWrongWithTheFolderIsToldBeforeAnythingStarts) {
  Sandbox sandbox;
  writeImageFolder(sandbox.folder() / "pictures", {"cat", "dog"}, 2, 1);
  std::filesystem::remove_all(sandbox.folder() / "pictures/val/dog");
  const std::string file = sandbox.write("pictures.json", pictureExperiment(8));
  const ProgramEnd refused = sandbox.slipstream({"run", file});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("lacks a class that train has (found dog)"));
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
}

}  // namespace
}  // namespace slipstream
