// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of thread ranks on arrays, tables and texts of the user's.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/data/loader.h"
#include "engine/plan/plan_file.h"
#include "tests/support/error_of.h"
#include "tests/support/npy_text.h"
#include "tests/support/text_files.h"
#include "tests/train/support/protected_tools.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

/// Two clouds of points in 3 dimensions, of which one is far away and wide, as a table and as arrays.
class OwnDataRun : public ::testing::Test {
 protected:
  static constexpr std::int64_t samples = 120;
  static constexpr const char* twoLayers =
      R"({"layers": [{"type": "dense", "outputs": 8}, {"type": "relu"}, {"type": "dense"}]})";

  OwnDataRun() {
    Random random(5, RandomStream::test);
    std::string table = "a,b,c,label\n";
    for (std::int64_t i = 0; i < samples; ++i) {
      const std::int32_t label = i < samples / 2 ? 0 : 1;
      for (int column = 0; column < 3; ++column) {
        const auto value = static_cast<float>(100 + 40 * random.normal() + 90 * label * (column + 1));
        values_.push_back(value);
        table += fmt::format("{:.9g},", value);
      }
      labels_.push_back(label);
      table += std::to_string(label) + "\n";
    }
    files_.write("table.csv", table);
    files_.write("x.npy", npyText("<f4", {samples, 3}, values_));
    files_.write("y.npy", npyText("<i4", {samples}, labels_));
  }

  RunPlan plan(const std::string& dataset, int ranks, const std::string& network = twoLayers,
               const std::string& boost = "{}") const {
    const auto file = files_.write("run.json", fmt::format(R"({{"network": {}, "dataset": {{{}, "batch_size": 9,
        "drop_remainder": false}}, "optimizer": {{"name": "momentum", "learning_rate": 0.05}},
        "parallel": {{"ranks": {}}}, "boost": {}, "train": {{"steps": 24, "evaluate_every_steps": 12,
        "checkpoint": {{"save_checkpoint_steps": 10}}}}}})",
                                                           network, dataset, ranks, boost));
    auto planned = planFile(file, {}, environmentOf());
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }
  std::string table() const { return R"("name": "csv", "path": "table.csv")"; }
  std::string arrays() const { return R"("name": "arrays", "path": ".")"; }

  TextFiles files_;
  std::vector<float> values_;
  std::vector<std::int32_t> labels_;
};

TEST_F(OwnDataRun, ATableIsLearntWithAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3}) {
    MemoryStore store;
    trainRanks(store, plan(table(), ranks));
    EXPECT_GT(store.meanOf("accuracy").back(), 0.9) << ranks << " ranks";
    const double judged = store.meanOf("accuracy").back() * 12;
    EXPECT_NEAR(judged, std::round(judged), 1e-9) << "of the 12 samples that were drawn";
  }
}

TEST_F(OwnDataRun, ATableAndArraysOfTheSameNumbersTrainToTheSameBits) {
  MemoryStore ofTable;
  trainRanks(ofTable, plan(table(), 2));
  MemoryStore ofArrays;
  trainRanks(ofArrays, plan(arrays(), 2));
  EXPECT_EQ(hashesAt(ofTable, 24), hashesAt(ofArrays, 24));
  EXPECT_EQ(ofTable.meanOf("evaluation_loss"), ofArrays.meanOf("evaluation_loss"));
}

TEST_F(OwnDataRun, AResumedRunEndsWithTheSameBits) {
  MemoryStore alone;
  trainRanks(alone, plan(table(), 3));
  MemoryStore resumed;
  trainRanks(resumed, plan(table(), 3));
  trainRanks(resumed, plan(table(), 3), 10);
  EXPECT_EQ(hashesAt(alone, 24), hashesAt(resumed, 24));
}

/// Against float64: every value of every batch.
TEST_F(OwnDataRun, FloatsAreNormalisedByColumnAndRoundedOnce) {
  DatasetSpec dataset = plan(arrays(), 1).experiment.dataset;
  dataset.mean = {1.5, -200, 1e6};
  dataset.deviation = {3, 0.125, 7};
  dataset.evaluationFraction = 0.001;
  dataset.trainSamples = dataset.evaluationSamples = 0;
  const auto part = loadPart(dataset, DataPart::training, 1);
  ASSERT_TRUE(part) << toText(part.error());
  const auto source = makeSource(*part, dataset, DataPart::training, 1);
  EXPECT_TRUE(source->floats());
  ASSERT_EQ(source->count(), samples - 1);
  Loader loader(*source,
                [](std::int64_t) {
                  return Selection{{4, 0, 118}, {}};
                },
                {.batchSize = 3, .samplesPerStep = 3, .endStep = 1, .threads = 1, .ahead = 1});
  const Batch& batch = loader.batchOf(0);
  EXPECT_TRUE(batch.pictures.empty());
  ASSERT_EQ(batch.inputs.size(), 9U);
  const auto& kept = std::get<Images>(*part).floats;
  const std::size_t chosen[]{4, 0, 118};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t column = 0; column < 3; ++column) {
      const double value = kept[chosen[i] * 3 + column];
      EXPECT_EQ(batch.inputs[i * 3 + column],
                static_cast<float>((value - dataset.mean[column]) / dataset.deviation[column]));
    }
  }
  // All but the one that was drawn are the file's, in its order.
  std::size_t missing = 0;
  while (missing < kept.size() && kept[missing] == values_[missing]) ++missing;
  missing -= missing % 3;
  for (std::size_t i = missing; i < kept.size(); ++i) EXPECT_EQ(kept[i], values_[i + 3]);
}

/// Bytes are normalised by the engine's tables, floats while they are read: two ways to the same numbers.
TEST_F(OwnDataRun, FloatsTrainAsTheSameNumbersInBytes) {
  std::vector<std::uint8_t> bytes;
  for (const float value : values_) bytes.push_back(static_cast<std::uint8_t>(std::clamp(value / 2, 0.0F, 255.0F)));
  for (const char* folder : {"bytes", "floats"}) {
    std::filesystem::create_directory(files_.path() / folder);
    files_.write(std::string(folder) + "/y.npy", npyText("<i4", {samples}, labels_));
  }
  files_.write("bytes/x.npy", npyText("|u1", {samples, 3}, bytes));
  files_.write("floats/x.npy", npyText("<f4", {samples, 3}, std::vector<float>(bytes.begin(), bytes.end())));
  for (const char* boost : {"{}", R"({"dictionary": {"boost": {"grad_accumulation": true},
                                      "grad_accumulation": {"grad_accumulation_step": 2}}})",
                            R"({"dictionary": {"boost": {"adasum": true}}})"}) {
    for (const int ranks : {1, 2, 3}) {
      MemoryStore ofBytes;
      trainRanks(ofBytes,
                 plan(R"("name": "arrays", "path": "bytes", "mean": 0.4, "deviation": 0.2)", ranks, twoLayers, boost));
      MemoryStore ofFloats;
      trainRanks(ofFloats,
                 plan(R"("name": "arrays", "path": "floats", "mean": 102, "deviation": 51)", ranks, twoLayers, boost));
      for (const char* metric : {"loss", "evaluation_loss"}) {
        const auto expected = ofBytes.meanOf(metric);
        const auto found = ofFloats.meanOf(metric);
        ASSERT_FALSE(expected.empty());
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_NEAR(found[i], expected[i], 1e-5) << metric << " " << i << ", " << ranks << " ranks, " << boost;
        }
      }
    }
  }
}

/// On a device whose memory ends the process when code of the host touches it: floats are copied there.
TEST_F(OwnDataRun, FloatsReachADevicesOwnMemory) {
  for (const int ranks : {1, 3}) {
    const RunPlan run = plan(table(), ranks);
    MemoryStore cpu;
    cpu.withholdsMemory = true;
    trainRanks(cpu, run);
    MemoryStore device;
    trainProtectedRanks(device, run);
    EXPECT_EQ(hashesAt(device, 24), hashesAt(cpu, 24)) << ranks << " ranks";
    EXPECT_EQ(device.meanOf("evaluation_loss"), cpu.meanOf("evaluation_loss"));
  }
}

TEST_F(OwnDataRun, ImagesInArraysTrainConvolutions) {
  std::vector<std::uint8_t> pixels;
  std::vector<std::int32_t> labels;
  Random random(6, RandomStream::test);
  for (int i = 0; i < 60; ++i) {
    labels.push_back(i % 2);
    for (int pixel = 0; pixel < 6 * 6; ++pixel) {
      pixels.push_back(static_cast<std::uint8_t>(60 * labels.back() + static_cast<int>(random.below(100))));
    }
  }
  files_.write("x_train.npy", npyText("|u1", {60, 6, 6}, pixels));
  files_.write("y_train.npy", npyText("<i4", {60}, labels));
  files_.write("x_test.npy", npyText("|u1", {60, 6, 6}, pixels));
  files_.write("y_test.npy", npyText("<i4", {60}, labels));
  const std::string network = R"({"layers": [{"type": "conv2d", "outputs": 4, "kernel": 3}, {"type": "relu"},
      {"type": "global_avg_pool"}, {"type": "dense"}]})";
  MemoryStore store;
  const RunPlan run = plan(arrays(), 2, network);
  EXPECT_EQ(run.experiment.dataset.own, (OwnSamples{{6, 6, 1}, false}));
  trainRanks(store, run);
  EXPECT_GT(store.meanOf("accuracy").back(), 0.9);
}

TEST_F(OwnDataRun, ATextIsLearntByteByByte) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "abcd";
  files_.write("tale.txt", text);
  MemoryStore store;
  trainRanks(store, plan(R"("name": "text", "path": "tale.txt", "window": 6)", 2));
  EXPECT_GT(store.meanOf("accuracy").back(), 0.9) << "the byte behind a window follows from it";
}

TEST_F(OwnDataRun, FilesThatAreNoLongerAsPlannedAreRefused) {
  const RunPlan run = plan(arrays(), 2);
  files_.write("x.npy", npyText("<f4", {samples / 2, 6}, values_));
  files_.write("y.npy", npyText("<i4", {samples / 2}, std::vector<std::int32_t>(samples / 2, 1)));
  MemoryStore store;
  EXPECT_THAT(errorOf([&] { trainRanks(store, run); }), HasSubstr("has samples of another shape or type"));
  files_.write("x.npy", npyText("<f4", {samples / 2, 3}, std::vector<float>(values_.begin(), values_.begin() + 180)));
  std::vector<std::int32_t> labels(samples / 2);
  labels.back() = 1;
  files_.write("y.npy", npyText("<i4", {samples / 2}, labels));
  EXPECT_THAT(errorOf([&] { trainRanks(store, run); }),
              HasSubstr("has 54 samples to train with, but the run was planned with 108"));
}

}  // namespace
}  // namespace slipstream
