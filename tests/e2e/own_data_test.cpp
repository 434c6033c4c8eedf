// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the user's from the file to a run in the store, by the programs that a person uses.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/e2e/program.h"
#include "tests/support/numpy_files.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// 60 samples of three kinds that one number tells apart.
std::string table(const std::vector<std::string>& kinds) {
  std::string text = "width,kind,height\n";
  for (int i = 0; i < 60; ++i) {
    const auto kind = static_cast<std::size_t>(i) % kinds.size();
    text +=
        std::to_string(10 * static_cast<int>(kind) + i % 4) + "," + kinds[kind] + "," + std::to_string(i % 7) + "\n";
  }
  return text;
}

class OwnTable : public ::testing::Test {
 protected:
  OwnTable() {
    EXPECT_TRUE(writeFile(sandbox_.folder() / "plants.csv", table({"fern", "moss", "oak"})));
    nlohmann::json experiment = smallExperiment(30, 10);
    experiment["network"] = {
        {"layers", {{{"type", "dense"}, {"outputs", 8}}, {{"type", "relu"}}, {{"type", "dense"}}}}};
    experiment["dataset"] = {{"name", "csv"},
                             {"path", "plants.csv"},
                             {"label_column", "kind"},
                             {"batch_size", 5},
                             {"evaluation_fraction", 0.2}};
    file_ = sandbox_.write("plants.json", experiment);
  }

  Sandbox sandbox_;
  std::string file_;
};

TEST_F(OwnTable, IsPlannedTrainedEvaluatedAndRepeatable) {
  const auto planned = sandbox_.json({"plan", file_, "--json"})["plans"][0]["plan"];
  EXPECT_EQ(planned["train_samples"], 48);
  EXPECT_EQ(planned["class_names"], nlohmann::json({"fern", "moss", "oak"}));
  EXPECT_EQ(planned["experiment"]["dataset"]["sample"]["channels"], 2);
  EXPECT_THAT(sandbox_.slipstream({"plan", file_}).output,
              AllOf(HasSubstr("12 samples"), HasSubstr("by dataset.split_seed 1"), HasSubstr("measured")));
  ASSERT_EQ(sandbox_.slipstream({"run", file_, "--quiet"}).exitCode, 0);
  const std::string id = sandbox_.store()->runs().front().id;
  for (const auto& [rank, categories] : sandbox_.store()->memory(id)) {
    EXPECT_EQ(planned["memory_per_rank"]["data"], categories.at("data")) << "rank " << rank;
  }
  const auto evaluated = sandbox_.json({"evaluate", id + "@30", "--json"});
  EXPECT_EQ(evaluated["samples"], 12);
  const std::string csv = (sandbox_.folder() / "p.csv").string();
  ASSERT_EQ(sandbox_.slipstream({"evaluate", id, "--predictions", csv}).exitCode, 0);
  const std::string predictions = readFile(csv).value_or("");
  EXPECT_THAT(predictions, StartsWith("index,label,label_name,predicted,predicted_name,probability\n0,"));
  EXPECT_EQ(std::ranges::count(predictions, '\n'), 13);
  const std::string first = sandbox_.newestState(id);
  const ProgramEnd resumed = sandbox_.slipstream({"resume", id, "--from", "10", "--quiet"});
  ASSERT_EQ(resumed.exitCode, 0) << resumed.errors;
  EXPECT_EQ(sandbox_.newestState(id), first);
}

TEST_F(OwnTable, BytesThatAreNoTextAreNamed) {
  const ProgramEnd end = sandbox_.slipstream({"plan", file_, "--set", "dataset.label_column=\xff"});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("dataset.label_column"), HasSubstr("UTF-8")));
}

/// PyTorch's order, which our own is taken for.
TEST_F(OwnTable, ImagesWithTheirChannelsFirstNameTheKey) {
  const std::filesystem::path folder = sandbox_.folder() / "images";
  std::filesystem::create_directory(folder);
  ASSERT_TRUE(writeFile(folder / "x.npy", npyOf("|u1", "(8, 1, 28, 28)", std::string(8 * 28 * 28, '\x07'))));
  ASSERT_TRUE(writeFile(folder / "y.npy", npyOf("|u1", "(8,)", std::string("\0\1\0\1\0\1\0\1", 8))));
  nlohmann::json experiment = smallExperiment(4, 4);
  experiment["network"] = "lenet5";
  experiment["dataset"] = {{"name", "arrays"}, {"path", "images"}, {"batch_size", 2}};
  const std::string file = sandbox_.write("images.json", experiment);
  const ProgramEnd end = sandbox_.slipstream({"check", file});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.output + end.errors, AllOf(HasSubstr("dataset.channels"), HasSubstr("images of 1 x 28 with 28")));
  EXPECT_EQ(sandbox_.slipstream({"plan", file, "--set", "dataset.channels=first"}).exitCode, 0);
}

TEST_F(OwnTable, NewDataIsEvaluatedWhole) {
  ASSERT_EQ(sandbox_.slipstream({"run", file_, "--quiet"}).exitCode, 0);
  const std::string fresh = (sandbox_.folder() / "fresh.csv").string();
  ASSERT_TRUE(writeFile(fresh, table({"fern", "moss", "oak"})));
  EXPECT_EQ(sandbox_.json({"evaluate", "last", "--data", fresh, "--json"})["samples"], 12);
  EXPECT_EQ(sandbox_.json({"evaluate", "last", "--data", fresh, "--all-samples", "--json"})["samples"], 60);
  const ProgramEnd nothingTrained = sandbox_.slipstream({"plan", file_, "--set", "dataset.evaluation_fraction=1"});
  EXPECT_EQ(nothingTrained.exitCode, 2);
  EXPECT_THAT(nothingTrained.errors, HasSubstr("dataset.evaluation_fraction: leaves nothing to train on"));
}

TEST_F(OwnTable, AllSamplesIsRefusedWhereNoneWereKeptFromTraining) {
  const std::filesystem::path parts = sandbox_.folder() / "parts";
  std::filesystem::create_directory(parts);
  for (const char* part : {"train.csv", "test.csv"}) {
    ASSERT_TRUE(writeFile(parts / part, table({"fern", "moss", "oak"})));
  }
  ASSERT_EQ(sandbox_.slipstream({"run", file_, "--set", "dataset.path=" + parts.string(), "--quiet"}).exitCode, 0);
  const ProgramEnd end = sandbox_.slipstream({"evaluate", "last", "--all-samples"});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors, HasSubstr("has a part of its own to evaluate on"));
}

TEST_F(OwnTable, OtherClassesThanTheRunsAreRefused) {
  ASSERT_EQ(sandbox_.slipstream({"run", file_, "--quiet"}).exitCode, 0);
  ASSERT_TRUE(writeFile(sandbox_.folder() / "others.csv", table({"fern", "moss", "pine"})));
  const ProgramEnd end =
      sandbox_.slipstream({"evaluate", "last", "--data", (sandbox_.folder() / "others.csv").string()});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("--data: lacks the class oak"), HasSubstr("fern, moss, oak")));
}

TEST_F(OwnTable, WhatIsWrongWithItIsToldBeforeARunBegins) {
  ASSERT_TRUE(writeFile(sandbox_.folder() / "plants.csv", "width,kind\n1,fern\n2\n"));
  const ProgramEnd end = sandbox_.slipstream({"run", file_, "--quiet"});
  EXPECT_EQ(end.exitCode, 2);
  EXPECT_THAT(end.errors, HasSubstr("plants.csv:3: has another number of fields than the 2 of the header"));
  EXPECT_THAT(end.errors, HasSubstr("give every row a field for each column"));
}

}  // namespace
}  // namespace slipstream
