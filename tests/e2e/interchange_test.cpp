// SPDX-License-Identifier: GPL-3.0-or-later
// Weights leave a run, are looked at, evaluated, and start another run.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/interchange/safetensors_file.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using test::ProgramEnd;
using test::Sandbox;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Interchange : public testing::Test {
 protected:
  void SetUp() override {
    nlohmann::json small = test::smallExperiment(40, 20);
    small["network"]["layers"] = nlohmann::json::parse(R"([
      {"type": "conv2d", "name": "conv", "outputs": 4, "kernel": 5, "stride": 4}, {"type": "relu"},
      {"type": "flatten"}, {"type": "dense", "name": "fc", "outputs": 10}])");
    experiment = sandbox.write("experiment.json", small);
    ASSERT_EQ(sandbox.slipstream({"run", experiment, "--quiet"}).exitCode, 0);
  }
  std::string path(const std::string& name) const { return (sandbox.folder() / name).string(); }

  Sandbox sandbox;
  std::string experiment;
};

TEST_F(Interchange, AnExportedFileIsWorthWhatTheRunIs) {
  const nlohmann::json run = sandbox.json({"evaluate", "last", "--json"});
  const nlohmann::json again = sandbox.json({"evaluate", "last", "--experiment", experiment, "--json"});
  EXPECT_EQ(again["accuracy"], run["accuracy"]);
  for (const char* name : {"w.ckpt", "w.safetensors"}) {
    ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last", path(name)}).exitCode, 0);
    const nlohmann::json file = sandbox.json({"evaluate", path(name), "--experiment", experiment, "--json"});
    EXPECT_EQ(file["accuracy"], run["accuracy"]) << name;
    EXPECT_EQ(file["loss"], run["loss"]) << name;
    EXPECT_EQ(file["file"], path(name));
  }
  const ProgramEnd words = sandbox.slipstream({"evaluate", path("w.ckpt"), "--experiment", experiment});
  EXPECT_THAT(words.output, AllOf(HasSubstr("taken by name, turned from OIHW to OHWI"), HasSubstr("accuracy")));
}

/// Evaluations of the run judged the average: taken out, it is worth what was recorded.
TEST_F(Interchange, TheAverageOfTheWeightsIsTakenOut) {
  const ProgramEnd none = sandbox.slipstream({"evaluate", "last", "--average"});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.errors, AllOf(HasSubstr("holds no average of the weights"), HasSubstr("train.average_decay")));
  EXPECT_EQ(sandbox.slipstream({"checkpoint", "export", "last", "--average", path("none.ckpt")}).exitCode, 2);
  EXPECT_EQ(sandbox.slipstream({"evaluate", path("w.ckpt"), "--experiment", experiment, "--average"}).exitCode, 2);

  ASSERT_EQ(sandbox.slipstream({"run", experiment, "--quiet", "--set", "train.average_decay=0.9"}).exitCode, 0);
  const auto store = sandbox.store();
  const std::string id = sandbox.json({"evaluate", "last", "--json"})["run"];
  const double recorded = store->series(id, "evaluation_loss").values.back();
  const nlohmann::json average = sandbox.json({"evaluate", "last", "--average", "--json"});
  EXPECT_NEAR(average["loss"], recorded, 1e-5);
  EXPECT_EQ(average["average"], true);
  EXPECT_NE(average["loss"], sandbox.json({"evaluate", "last", "--json"})["loss"]);
  ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last", "--average", path("a.ckpt")}).exitCode, 0);
  EXPECT_EQ(sandbox.json({"evaluate", path("a.ckpt"), "--experiment", experiment, "--json"})["loss"], average["loss"]);
}

TEST_F(Interchange, FilesAreListedAndTheirChecksumIsHeldAgainstThem) {
  ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last@20", "--crc", path("w.ckpt")}).exitCode, 0);
  const nlohmann::json listed = sandbox.json({"checkpoint", "inspect", path("w.ckpt"), "--json"});
  EXPECT_EQ(listed["format"], "ckpt");
  EXPECT_EQ(listed["crc"]["holds"], true);
  EXPECT_FALSE(listed["tensors"].empty());
  EXPECT_THAT(sandbox.slipstream({"checkpoint", "inspect", path("w.ckpt")}).output,
              AllOf(HasSubstr("Float32"), HasSubstr("the checksum holds")));
  std::string bytes = *readFile(path("w.ckpt"));
  bytes[bytes.size() - 18] = static_cast<char>(bytes[bytes.size() - 18] ^ 1);
  ASSERT_TRUE(writeFile(path("w.ckpt"), bytes));
  const ProgramEnd broken = sandbox.slipstream({"checkpoint", "inspect", path("w.ckpt")});
  EXPECT_EQ(broken.exitCode, 2);
  EXPECT_THAT(broken.errors, HasSubstr("checksum that does not hold"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"evaluate", path("w.ckpt"), "--experiment", experiment},
        {"run", experiment, "--quiet", "--set", "network.pre_trained=" + path("w.ckpt")}}) {
    const ProgramEnd refused = sandbox.slipstream(words);
    EXPECT_EQ(refused.exitCode, 2) << words.front();
    EXPECT_EQ(refused.errors, broken.errors) << words.front();
  }
}

TEST_F(Interchange, WeightsThatAreNoNumbersAreNamed) {
  ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last", path("w.safetensors")}).exitCode, 0);
  const ProgramEnd sound = sandbox.slipstream({"evaluate", path("w.safetensors"), "--experiment", experiment});
  EXPECT_THAT(sound.errors, Not(HasSubstr("warning")));
  std::string bytes = *readFile(path("w.safetensors"));
  std::fill(bytes.end() - 4, bytes.end(), '\xFF');
  ASSERT_TRUE(writeFile(path("w.safetensors"), bytes));
  const std::vector<std::string> words{"evaluate", path("w.safetensors"), "--experiment", experiment};
  const ProgramEnd ended = sandbox.slipstream(words);
  EXPECT_EQ(ended.exitCode, 0);
  EXPECT_THAT(ended.errors, AllOf(HasSubstr("warning: "), HasSubstr("holds NaN or an infinite value")));
  const ProgramEnd refused =
      sandbox.slipstream({"run", experiment, "--quiet", "--set", "network.pre_trained=" + path("w.safetensors")});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("holds NaN or an infinite value in "));
}

TEST_F(Interchange, AnotherRunStartsFromAFile) {
  const nlohmann::json run = sandbox.json({"evaluate", "last", "--json"});
  ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last", path("w.ckpt")}).exitCode, 0);
  const std::string from = "network.pre_trained=" + path("w.ckpt");
  const std::vector<std::string> still{"--set", from, "--set", "optimizer.learning_rate=0", "--set", "train.steps=1"};
  EXPECT_THAT(sandbox.slipstream({"plan", experiment, "--set", from}).output, HasSubstr("network.pre_trained"));
  std::vector<std::string> words{"run", experiment, "--quiet"};
  words.insert(words.end(), still.begin(), still.end());
  const ProgramEnd ended = sandbox.slipstream(words);
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  EXPECT_EQ(sandbox.json({"evaluate", "last", "--json"})["accuracy"], run["accuracy"]);
}

std::vector<std::vector<std::string>> rowsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(trim(csv), '\n')) rows.push_back(split(line, ','));
  return rows;
}

/// Logits are the biases whatever the image: ln 1, ln 2, ln 5, and ln 2 / 7 for the seven other classes.
TEST_F(Interchange, PredictionsAreThoseOfTheWeightsByValue) {
  nlohmann::json plain = test::smallExperiment(1, 1);
  plain["network"] = {{"layers", nlohmann::json::parse(R"([{"type": "flatten"}, {"type": "dense", "name": "fc"}])")}};
  plain["dataset"]["evaluation_samples"] = 50;
  std::vector<float> biases(10, std::log(2.0F / 7));
  for (std::size_t i = 0; i < 3; ++i) biases[i] = std::log(std::array{1.0F, 2.0F, 5.0F}[i]);
  const std::vector<float> zeros(7840);
  ASSERT_TRUE(
      writeSafetensors(path("known.safetensors"),
                       {{"fc.weight", ElementType::float32, {10, 784}}, {"fc.bias", ElementType::float32, {10}}}, {},
                       [&](std::size_t i) {
                         const auto bytes = std::as_bytes(std::span(i == 0 ? zeros : biases));
                         return Result<std::vector<std::byte>>({bytes.begin(), bytes.end()});
                       }));
  const nlohmann::json answer =
      sandbox.json({"evaluate", path("known.safetensors"), "--experiment", sandbox.write("plain.json", plain),
                    "--predictions", path("p.csv"), "--probabilities", "--confusion", "--json"});
  EXPECT_EQ(answer["predictions"], path("p.csv"));
  const auto rows = rowsOf(readFile(path("p.csv")).value());
  ASSERT_EQ(rows.size(), 51U);
  EXPECT_EQ(join(rows[0], ","),
            "index,label,predicted,probability,probability_0,probability_1,probability_2,probability_3,"
            "probability_4,probability_5,probability_6,probability_7,probability_8,probability_9");
  std::vector<std::int64_t> labels(10);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], std::to_string(i - 1));
    ++labels.at(std::stoul(rows[i][1]));
    EXPECT_EQ(rows[i][2], "2");
    EXPECT_NEAR(std::stod(rows[i][3]), 0.5, 1e-7);
    EXPECT_NEAR(std::stod(rows[i][4]), 0.1, 1e-7);
    EXPECT_NEAR(std::stod(rows[i][5]), 0.2, 1e-7);
    EXPECT_NEAR(std::stod(rows[i][13]), 0.2 / 7, 1e-7);
  }
  const nlohmann::json& confusion = answer["confusion"];
  for (std::size_t label = 0; label < 10; ++label) {
    for (std::size_t predicted = 0; predicted < 10; ++predicted) {
      EXPECT_EQ(confusion["matrix"][label][predicted], predicted == 2 ? labels[label] : 0);
    }
    EXPECT_EQ(confusion["precision"][label].is_null(), label != 2);
  }
  EXPECT_EQ(confusion["recall"][2], 1.0);
  EXPECT_EQ(confusion["recall"][1], 0.0);
  EXPECT_DOUBLE_EQ(confusion["precision"][2], static_cast<double>(labels[2]) / 50);
  EXPECT_DOUBLE_EQ(answer["accuracy"], static_cast<double>(labels[2]) / 50);
}

TEST_F(Interchange, PredictionsOfARunAreThoseThatItsAccuracyCounts) {
  const ProgramEnd words = sandbox.slipstream({"evaluate", "last", "--confusion", "--predictions", path("p.csv")});
  ASSERT_EQ(words.exitCode, 0) << words.errors;
  EXPECT_THAT(words.output,
              AllOf(HasSubstr("true \\ predicted"), HasSubstr("recall"), HasSubstr("precision"), HasSubstr("p.csv: ")));
  const auto rows = rowsOf(readFile(path("p.csv")).value());
  const nlohmann::json answer = sandbox.json({"evaluate", "last", "--json"});
  EXPECT_FALSE(answer.contains("confusion"));
  const auto correct = std::ranges::count_if(rows, [](const auto& row) { return row[1] == row[2]; });
  ASSERT_EQ(std::ssize(rows) - 1, answer["samples"]);
  EXPECT_DOUBLE_EQ(static_cast<double>(correct) / static_cast<double>(rows.size() - 1), answer["accuracy"]);
  EXPECT_GT(correct, 0);
}

TEST_F(Interchange, APlaceThatPredictionsCannotBeWrittenToIsRefusedFirst) {
  const auto refusal = [&](const std::string& file) {
    const ProgramEnd end = sandbox.slipstream({"evaluate", "no such run", "--predictions", file});
    EXPECT_EQ(end.exitCode, 2) << end.output;
    return end.errors;
  };
  EXPECT_THAT(refusal(path("none/p.csv")), AllOf(HasSubstr("none/p.csv"), HasSubstr("choose a folder")))
      << "before the run is looked for";
  EXPECT_THAT(refusal(path("store")), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(path("p.csv")), HasSubstr("no such run"));
  EXPECT_FALSE(std::filesystem::exists(path("p.csv")));
  const ProgramEnd full = sandbox.slipstream({"evaluate", "last", "--predictions", "/dev/full"});
  EXPECT_EQ(full.exitCode, 2);
  EXPECT_THAT(full.errors, AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
  const ProgramEnd alone = sandbox.slipstream({"evaluate", "last", "--probabilities"});
  EXPECT_EQ(alone.exitCode, 2);
  EXPECT_THAT(alone.errors, HasSubstr("--predictions FILE.csv"));
  for (const auto& entry : std::filesystem::directory_iterator(sandbox.folder())) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".tmp")));
  }
}

TEST_F(Interchange, TorchvisionsNamesAreForItsNetworksAndFiles) {
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"checkpoint", "export", "last", "--names", "torchvision"});
    const ProgramEnd end = sandbox.slipstream(words);
    EXPECT_EQ(end.exitCode, 2) << end.output;
    return end.errors;
  };
  EXPECT_THAT(refusal({path("w.safetensors")}), AllOf(HasSubstr("--names"), HasSubstr("torchvision has no network")));
  EXPECT_THAT(refusal({path("w.ckpt")}), HasSubstr(".safetensors"));
  EXPECT_THAT(refusal({"--channels", "last", path("w.safetensors")}), HasSubstr("--channels"));
  EXPECT_FALSE(std::filesystem::exists(path("w.safetensors")));
}

TEST_F(Interchange, WhatCannotBeAnsweredIsRefusedWithTheRemedy) {
  const auto refusal = [&](std::vector<std::string> words) {
    const ProgramEnd end = sandbox.slipstream(words);
    EXPECT_EQ(end.exitCode, 2) << end.output;
    return end.errors;
  };
  EXPECT_THAT(refusal({"evaluate", path("w.ckpt")}), HasSubstr("--experiment"));
  EXPECT_THAT(refusal({"evaluate", path("none.ckpt"), "--experiment", experiment}), HasSubstr("none.ckpt"));
  EXPECT_THAT(refusal({"evaluate", "last", "--variant", "x"}), HasSubstr("--experiment FILE"));
  EXPECT_THAT(refusal({"evaluate", "last", "--experiment", experiment, "--variant", "x"}), HasSubstr("--variant"));
  EXPECT_THAT(refusal({"checkpoint", "export", "last", "--crc", path("w.safetensors")}), HasSubstr("--format ckpt"));
  EXPECT_THAT(refusal({"checkpoint", "export", "last", "--channels", "last", path("w.ckpt")}), HasSubstr("--format"));
  ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last", path("w.ckpt")}).exitCode, 0);
  EXPECT_THAT(refusal({"evaluate", path("w.ckpt"), "--experiment", experiment, "--set", "network=small_resnet"}),
              AllOf(HasSubstr("w.ckpt"), HasSubstr("lacks")));
  ASSERT_TRUE(writeFile(path("torn.ckpt"), readFile(path("w.ckpt"))->substr(0, 1000)));
  EXPECT_THAT(refusal({"evaluate", path("torn.ckpt"), "--experiment", experiment}), HasSubstr("cut short"));
  EXPECT_THAT(refusal({"checkpoint", "inspect", path("torn.ckpt")}), HasSubstr("cut short"));
}

}  // namespace
}  // namespace slipstream
