// SPDX-License-Identifier: GPL-3.0-or-later
// An image folder from its pictures to a run in the store, by the programs that a person uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/journey/program.h"
#include "tests/support/jpeg_images.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(ImageFolderJourney, PicturesArePlannedTrainedEvaluatedAndRepeatable) {
  Journey journey;
  writeImageFolder(journey.folder() / "pictures", {"cat", "dog", "emu"}, 16, 5);
  const std::string file = journey.write("pictures.json", pictureExperiment(20));

  const auto planned = journey.json({"plan", file, "--json"})["plans"][0]["plan"];
  EXPECT_EQ(planned["train_samples"], 48);
  EXPECT_EQ(planned["class_names"], nlohmann::json({"cat", "dog", "emu"}));
  EXPECT_EQ(planned["experiment"]["dataset"]["classes"], 3);
  EXPECT_THAT(journey.slipstream({"plan", file}).output, HasSubstr("one a sub-folder: cat, dog, emu"));

  const ProgramEnd ended = journey.slipstream({"run", file, "--quiet"});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  const std::string id = journey.store()->runs().front().id;
  const auto measured = journey.store()->memory(id);
  for (const auto& [rank, categories] : measured) {
    EXPECT_EQ(planned["memory_per_rank"]["data"], categories.at("data")) << "rank " << rank;
  }
  EXPECT_THAT(journey.slipstream({"show", id}).output, HasSubstr("training waited for samples during"));
  const auto evaluated = journey.json({"evaluate", id + "@20", "--json"});
  EXPECT_EQ(evaluated["samples"], 15);

  ASSERT_EQ(journey.slipstream({"run", file, "--quiet", "--set", "dataset.decode_threads=3"}).exitCode, 0);
  const std::string other =
      journey.store()->runs().back().id == id ? journey.store()->runs().front().id : journey.store()->runs().back().id;
  EXPECT_EQ(journey.newestState(id), journey.newestState(other)) << "threads change no bit";
}

TEST(ImageFolderJourney, OtherClassesThanTheRunsAreRefused) {
  Journey journey;
  const auto folder = journey.folder() / "pictures";
  writeImageFolder(folder, {"cat", "dog", "emu"}, 8, 5);
  const std::string file = journey.write("pictures.json", pictureExperiment(12));
  ASSERT_EQ(journey.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto refusal = [&](const std::vector<std::string>& words) {
    const ProgramEnd end = journey.slipstream(words);
    EXPECT_EQ(end.exitCode, 2) << end.output;
    return end.errors;
  };
  writeImageFolder(journey.folder() / "fewer", {"dog", "emu"}, 8, 5);
  writeImageFolder(journey.folder() / "more", {"ant", "cat", "dog", "emu"}, 8, 5);
  EXPECT_THAT(refusal({"evaluate", "last", "--data", (journey.folder() / "fewer").string()}),
              AllOf(HasSubstr("--data: lacks the class cat"), HasSubstr("3 classes (cat, dog, emu)")));
  EXPECT_THAT(refusal({"evaluate", "last", "--data", (journey.folder() / "more").string()}),
              HasSubstr("--data: has a class ant"));
  EXPECT_THAT(refusal({"evaluate", "last", "--experiment", file, "--data", (journey.folder() / "fewer").string()}),
              HasSubstr("lacks the class cat"));
  EXPECT_EQ(journey.slipstream({"evaluate", "last", "--data", (journey.folder() / "pictures").string()}).exitCode, 0);

  std::filesystem::rename(folder / "train/cat/1.jpg", folder / "train/cat/one.jpg");
  EXPECT_THAT(refusal({"resume", "last", "--from", "10", "--quiet"}), HasSubstr("--allow-different-bits"));
  const std::vector<std::string> allowed{"resume", "last", "--from", "10", "--quiet", "--allow-different-bits"};
  EXPECT_EQ(journey.slipstream(allowed).exitCode, 0);
  for (const char* part : {"train", "val"}) std::filesystem::rename(folder / part / "cat", folder / part / "gnu");
  EXPECT_THAT(refusal(allowed), HasSubstr("lacks the class cat"));
  EXPECT_THAT(refusal({"evaluate", "last"}), HasSubstr("lacks the class cat"));
}

TEST(ImageFolderJourney, ABrokenPictureEndsTheRunWithItsPathOrIsSkipped) {
  Journey journey;
  writeImageFolder(journey.folder() / "pictures", {"cat", "dog"}, 16, 5);
  const auto broken = journey.folder() / "pictures/train/dog/7.jpg";
  writePicture(broken, {0xFF, 0xD8, 0xFF});
  const std::string file = journey.write("pictures.json", pictureExperiment(8));
  const ProgramEnd failed = journey.slipstream({"run", file, "--quiet"});
  EXPECT_EQ(failed.exitCode, 1);
  EXPECT_THAT(failed.errors, HasSubstr(broken.string()));
  EXPECT_THAT(failed.errors, HasSubstr("dataset.on_broken"));
  const std::string why = journey.store()->runs().front().why;
  EXPECT_THAT(why, EndsWith("set dataset.on_broken to skip"));
  EXPECT_THAT(journey.slipstream({"show", "last"}).output, Not(HasSubstr("\\n")));
  const ProgramEnd skipped = journey.slipstream({"run", file, "--quiet", "--set", "dataset.on_broken=skip"});
  EXPECT_EQ(skipped.exitCode, 0) << skipped.errors;

  // To evaluate on such a picture is refused as any other input that cannot be used.
  writePicture(journey.folder() / "pictures/val/cat/0.jpg", {0xFF, 0xD8, 0xFF});
  const ProgramEnd refused = journey.slipstream({"evaluate", "last", "--experiment", file});
  EXPECT_EQ(refused.exitCode, 2) << refused.output;
  EXPECT_THAT(refused.errors, HasSubstr("val/cat/0.jpg: is no whole JPEG picture"));
}

TEST(ImageFolderJourney, APipeAmongThePicturesIsNotWaitedFor) {
  Journey journey;
  writeImageFolder(journey.folder() / "pictures", {"cat", "dog"}, 16, 5);
  const auto pipe = journey.folder() / "pictures/train/dog/7.jpg";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const ProgramEnd failed =
      journey.slipstream({"run", journey.write("pictures.json", pictureExperiment(8)), "--quiet"});
  EXPECT_EQ(failed.exitCode, 1);
  EXPECT_THAT(failed.errors, testing::AllOf(HasSubstr(pipe.string()), HasSubstr("7.jpg: is no regular file")));
}

TEST(ImageFolderJourney, WhatIsWrongWithTheFolderIsToldBeforeAnythingStarts) {
  Journey journey;
  writeImageFolder(journey.folder() / "pictures", {"cat", "dog"}, 2, 1);
  std::filesystem::remove_all(journey.folder() / "pictures/val/dog");
  const std::string file = journey.write("pictures.json", pictureExperiment(8));
  const ProgramEnd refused = journey.slipstream({"run", file});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("lacks a class that train has (found dog)"));
  EXPECT_FALSE(std::filesystem::exists(journey.storeFolder()));
}

}  // namespace
}  // namespace slipstream
