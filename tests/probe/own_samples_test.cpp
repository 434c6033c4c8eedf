// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/own_samples.h"

#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/plan_file.h"
#include "engine/probe/evaluation_split.h"
#include "tests/support/npy_text.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using test::environmentOf;
using test::npyText;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A sample that outlives its reading.
struct Kept {
  std::vector<double> values;
  std::int32_t label = 0;
  bool operator==(const Kept&) const = default;
};

class OwnSamplesTest : public ::testing::Test {
 protected:
  DatasetSpec data(const std::string& kind, const std::string& name = "") const {
    DatasetSpec dataset;
    dataset.name = kind;
    dataset.path = (name.empty() ? files_.path() : files_.path() / name).string();
    dataset.trainSamples = dataset.evaluationSamples = 0;
    return dataset;
  }
  static std::vector<Kept> read(const DatasetSpec& dataset, DataPart part = DataPart::training) {
    std::vector<Kept> samples;
    const auto facts = ownFacts(dataset);
    if (!facts) throw std::runtime_error(toText(facts.error()));
    const Status status = readOwnPart(dataset, *facts, part, [&](const OwnSample& sample) {
      Kept kept{{sample.floats.begin(), sample.floats.end()}, sample.label};
      kept.values.insert(kept.values.end(), sample.bytes.begin(), sample.bytes.end());
      samples.push_back(std::move(kept));
    });
    if (!status) throw std::runtime_error(toText(status.error()));
    return samples;
  }
  static std::string problem(const DatasetSpec& dataset) {
    const auto counts = inspectData(dataset);
    return counts ? "none" : toText(counts.error());
  }
  void writeArrays(const std::string& name, const std::string& content) const { files_.write(name + ".npy", content); }

  test::TextFiles files_;
};

TEST_F(OwnSamplesTest, OneTableIsReadByValueAndSplit) {
  files_.write("one.csv", "a,label,b\n1,0,2.5\n3,1,-4\r\n\"5\",0,6e2\n7,1,8\n");
  DatasetSpec dataset = data("csv", "one.csv");
  dataset.evaluationFraction = 0.25;
  const auto training = read(dataset);
  const auto evaluation = read(dataset, DataPart::evaluation);
  ASSERT_EQ(training.size(), 3U);
  ASSERT_EQ(evaluation.size(), 1U);
  std::vector<Kept> all = training;
  all.push_back(evaluation.front());
  EXPECT_THAT(all,
              ::testing::UnorderedElementsAre(Kept{{1, 2.5}, 0}, Kept{{3, -4}, 1}, Kept{{5, 600}, 0}, Kept{{7, 8}, 1}));
  const auto facts = ownFacts(dataset);
  EXPECT_EQ(facts->classes, 2);
  EXPECT_TRUE(facts->samples.floats);
  EXPECT_EQ(facts->samples.shape, (SampleShape{0, 0, 2}));
}

TEST_F(OwnSamplesTest, TheMeasuresAreThoseOfTheTrainingSamples) {
  files_.write("train.csv", "a,b,label\n1000001,5,0\n1000003,5,1\n1000005,5,0\n");
  files_.write("test.csv", "a,b,label\n-77,8,1\n");
  const auto counts = inspectData(data("csv"));
  ASSERT_TRUE(counts) << toText(counts.error());
  EXPECT_EQ(counts->training, 3);
  EXPECT_EQ(counts->evaluation, 1);
  EXPECT_THAT(counts->mean, ElementsAre(1000003, 5));
  EXPECT_NEAR(counts->deviation[0], std::sqrt(8.0 / 3), 1e-12) << "a large mean takes nothing away";
  EXPECT_EQ(counts->deviation[1], 1) << "a column that never differs";
  EXPECT_THAT(counts->splitHash, IsEmpty());
}

TEST_F(OwnSamplesTest, LabelsOfATableMayBeNames) {
  files_.write("train.csv", "kind,x\ncat,1\ndog,2\nant,3\n");
  files_.write("test.csv", "kind,x\ndog,4\n");
  DatasetSpec dataset = data("csv");
  dataset.labelColumn = "kind";
  EXPECT_THAT(inspectData(dataset)->classNames, ElementsAre("ant", "cat", "dog"));
  EXPECT_EQ(read(dataset, DataPart::evaluation), (std::vector<Kept>{{{4}, 2}}));
  files_.write("test.csv", "kind,x\nowl,4\n");
  EXPECT_THAT(problem(dataset), HasSubstr("test.csv:2: is no class of the training samples (found owl)"));
}

TEST_F(OwnSamplesTest, WhatIsWrongWithATableIsNamedByFileAndLine) {
  const auto told = [&](const std::string& text) {
    files_.write("wrong.csv", text);
    return problem(data("csv", "wrong.csv"));
  };
  EXPECT_THAT(told("x,y\n1,2\n"), HasSubstr("is no column of the file (found label); name the column of labels in "
                                            "dataset.label_column; there are x, y"));
  EXPECT_THAT(told(""), HasSubstr("the file has no header"));
  EXPECT_THAT(told("label\n1\n"), HasSubstr("is the only column"));
  EXPECT_THAT(told("x,label\n"), HasSubstr("has no row below its header"));
  EXPECT_THAT(told("x,label\n1,0\n2\n"), HasSubstr("wrong.csv:3: has another number of fields than the 2"));
  EXPECT_THAT(told("x,label\n1,0\nwarm,1\n"), HasSubstr("wrong.csv:3: is no finite number, in the column x"));
  EXPECT_THAT(told("x,label\n1,0\nnan,1\n"), HasSubstr("wrong.csv:3: is no finite number"));
  EXPECT_THAT(told("x,label\n1,0\n1e40,1\n"), HasSubstr("wrong.csv:3: is no finite number")) << "beyond fp32";
  EXPECT_THAT(told("x,label\n1,0\n2,\n"), HasSubstr("wrong.csv:3: has no label"));
  EXPECT_THAT(told("x,label\n1,0\n2,99999999\n"), HasSubstr("makes more than 1,000,000 classes"));
  EXPECT_THAT(told("x,label\n1,0\n\"2,1\n"), HasSubstr("wrong.csv"));
  EXPECT_THAT(told("x,label\n1,0\n"), HasSubstr("has one sample: there is none to evaluate on"));
  EXPECT_THAT(problem(data("csv", "nowhere.csv")), HasSubstr("nowhere.csv"));
  files_.write("wrong.csv", "x,label\n1,0\n2,1\n");
  EXPECT_EQ(problem(data("csv")), "none") << "the only table of a folder";
  files_.write("second.csv", "x,label\n1,0\n");
  EXPECT_THAT(problem(data("csv")), HasSubstr("has 2 files that end in .csv, and no train.csv"));
  files_.write("train.csv", "x,label\n1,0\n");
  files_.write("test.csv", "y,label\n1,0\n");
  EXPECT_THAT(problem(data("csv")), HasSubstr("has other columns than the training file"));
}

TEST_F(OwnSamplesTest, ArraysAreReadByValueInEveryShape) {
  std::vector<std::uint8_t> pixels(2 * 2 * 3 * 4);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(10 * i);
  writeArrays("x_train", npyText("|u1", {2, 2, 3, 4}, pixels));
  writeArrays("y_train", npyText<std::int64_t>("<i8", {2}, {3, 0}));
  writeArrays("x_test", npyText("|u1", {2, 2, 3, 4}, pixels));
  writeArrays("y_test", npyText<float>("<f4", {2, 1}, {1, 2}));
  DatasetSpec dataset = data("arrays");
  const auto last = read(dataset);
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(ownFacts(dataset)->samples, (OwnSamples{{2, 3, 4}, false}));
  EXPECT_EQ(ownFacts(dataset)->classes, 4);
  EXPECT_EQ(last[0].label, 3);
  EXPECT_EQ(last[1].values[5], pixels[24 + 5]);
  EXPECT_EQ(read(dataset, DataPart::evaluation)[1].label, 2);
  dataset.channelsFirst = true;
  EXPECT_EQ(ownFacts(dataset)->samples, (OwnSamples{{3, 4, 2}, false}));
  const auto first = read(dataset);
  for (std::size_t pixel = 0; pixel < 12; ++pixel) {
    for (std::size_t channel = 0; channel < 2; ++channel) {
      EXPECT_EQ(first[1].values[pixel * 2 + channel], pixels[24 + channel * 12 + pixel]);
    }
  }
}

TEST_F(OwnSamplesTest, ShapesOfSamplesFollowTheArray) {
  const auto shapeOf = [&](const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    writeArrays("x", npyText("<f4", shape, std::vector<float>(static_cast<std::size_t>(count), 0.5F)));
    writeArrays(
        "y", npyText<std::uint8_t>("|u1", {shape[0]}, std::vector<std::uint8_t>(static_cast<std::size_t>(shape[0]))));
    const auto facts = ownFacts(data("arrays"));
    return facts ? facts->samples : throw std::runtime_error(toText(facts.error()));
  };
  EXPECT_EQ(shapeOf({5}), (OwnSamples{{0, 0, 1}, true}));
  EXPECT_EQ(shapeOf({5, 7}), (OwnSamples{{0, 0, 7}, true}));
  EXPECT_EQ(shapeOf({5, 7, 2}), (OwnSamples{{7, 2, 1}, true}));
  EXPECT_EQ(shapeOf({5, 7, 2, 3}), (OwnSamples{{7, 2, 3}, true}));
  EXPECT_EQ(shapeOf({5, 2, 2, 2, 2}), (OwnSamples{{0, 0, 16}, true}));
}

TEST_F(OwnSamplesTest, WhatIsWrongWithArraysIsNamedByFileAndArray) {
  const std::vector<float> four{1, 2, 3, 4};
  EXPECT_THAT(problem(data("arrays")), HasSubstr(files_.path().string()));
  writeArrays("features", npyText("<f4", {2, 2}, four));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("has no arrays of samples and labels under names that are known"));
  writeArrays("x", npyText("<f4", {2, 2}, four));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("y"));
  writeArrays("y", npyText<std::int32_t>("<i4", {3}, {0, 1, 0}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr(": y: has another number of labels than the 2 samples of x"));
  writeArrays("y", npyText<std::int32_t>("<i4", {2, 2}, {0, 1, 1, 0}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("numpy.argmax(y, axis=1)"));
  writeArrays("y", npyText<std::int32_t>("<i4", {2}, {0, -1}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("is no class from 0 to 999999, at position 1 (found -1)"));
  writeArrays("y", npyText<float>("<f4", {2}, {0, 0.5F}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("y"));
  writeArrays("y", npyText<std::int32_t>("<i4", {2}, {0, 1}));
  EXPECT_EQ(problem(data("arrays")), "none");
  writeArrays("x", npyText("<f4", {2, 2}, std::vector<float>{1, 2, std::numeric_limits<float>::quiet_NaN(), 4}));
  DatasetSpec all = data("arrays");
  EXPECT_THAT(problem(all), HasSubstr("is no finite number, in sample 1 (found nan)"));
  writeArrays("x", npyText("<f4", {2, 2}, four));
  writeArrays("x_test", npyText("<f4", {2, 3}, std::vector<float>(6)));
  writeArrays("y_test", npyText<std::int32_t>("<i4", {2}, {0, 1}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("has samples of another shape or type than those of x, (2, 2)"));
  writeArrays("x_test", npyText("<f4", {2, 2}, four));
  writeArrays("y_test", npyText<std::int32_t>("<i4", {2}, {0, 2}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("y_test: is no class from 0 to 1, at position 1 (found 2)"));
}

/// Arrays that cannot be read are there all the same: no part is drawn in their place.
TEST_F(OwnSamplesTest, ArraysOfATypeThatIsNotReadAreNotPassedOver) {
  writeArrays("x", npyText<float>("<f4", {2, 2}, {1, 2, 3, 4}));
  writeArrays("y", npyText<std::int32_t>("<i4", {2}, {0, 1}));
  EXPECT_EQ(problem(data("arrays")), "none");
  writeArrays("x_test", npyText<float>(">f4", {2, 2}, {1, 2, 3, 4}));
  writeArrays("y_test", npyText<std::int32_t>(">i4", {2}, {0, 1}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("x_test.npy: holds big-endian values (found >f4)"));
  writeArrays("x_train", npyText<double>("<c16", {1}, {1, 2}));
  EXPECT_THAT(problem(data("arrays")), HasSubstr("x_train.npy: holds complex numbers"));
}

TEST_F(OwnSamplesTest, ATextIsCutIntoWindowsWithTheByteBehindThem) {
  files_.write("tale.txt", "abcdefghij");
  DatasetSpec dataset = data("text", "tale.txt");
  dataset.window = 3;
  dataset.evaluationFraction = 0.3;
  EXPECT_EQ(read(dataset), (std::vector<Kept>{{{'a', 'b', 'c'}, 'd'}, {{'d', 'e', 'f'}, 'g'}}));
  EXPECT_EQ(read(dataset, DataPart::evaluation), (std::vector<Kept>{{{'g', 'h', 'i'}, 'j'}})) << "the last ones";
  EXPECT_EQ(ownFacts(dataset)->classes, 256);
  dataset.window = 10;
  EXPECT_THAT(problem(dataset), HasSubstr("is too short for one sample of 10 bytes"));
}

TEST_F(OwnSamplesTest, ALimitIsSpreadOverThePart) {
  std::string text = "x,label\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + "," + std::to_string(i / 10) + "\n";
  files_.write("train.csv", text);
  files_.write("test.csv", text);
  DatasetSpec dataset = data("csv");
  dataset.trainSamples = 4;
  std::vector<double> taken;
  for (const Kept& sample : read(dataset)) taken.push_back(sample.values.front());
  EXPECT_THAT(taken, ElementsAre(0, 5, 10, 15)) << "rows may be sorted by their class";
}

TEST_F(OwnSamplesTest, ASplitIsDrawnByItsSeedAlone) {
  DatasetSpec dataset;
  const auto numbers = [&](std::int64_t samples) {
    std::set<std::size_t> chosen;
    const auto split = drawSplit(dataset, samples);
    for (std::size_t i = 0; i < split->evaluates.size(); ++i) {
      if (split->evaluates[i]) chosen.insert(i);
    }
    EXPECT_EQ(std::ssize(chosen), split->evaluation);
    return chosen;
  };
  EXPECT_EQ(numbers(1000).size(), 100U);
  EXPECT_EQ(numbers(1000), numbers(1000));
  const auto once = numbers(1000);
  const std::string hash = drawSplit(dataset, 1000)->hash;
  dataset.splitSeed = 2;
  EXPECT_NE(numbers(1000), once);
  EXPECT_NE(drawSplit(dataset, 1000)->hash, hash);
  dataset.evaluationFraction = 0.999;
  EXPECT_EQ(numbers(3).size(), 2U) << "one stays to be trained";
  dataset.evaluationFraction = 0.001;
  EXPECT_EQ(numbers(3).size(), 1U);
  dataset.evaluationFraction = 1;
  EXPECT_EQ(numbers(3).size(), 3U);
  EXPECT_EQ(numbers(1).size(), 1U);
  // `printf '9\n' | sha256sum`
  EXPECT_EQ(splitAtEnd({}, 10)->hash, "2e6d31a5983a91251bfae5aefa1c0a19d8ba3cf601d0e8a706b4cfa9661a6b8a");
}

TEST_F(OwnSamplesTest, APlanSaysWhatItFound) {
  files_.write("table.csv", "x,label,y\n1,a,2\n3,b,4\n5,a,6\n7,b,8\n9,a,1\n2,b,3\n4,a,5\n6,b,7\n8,a,9\n0,b,1\n");
  const auto file = files_.write(
      "own.json",
      R"({"network": "mlp", "dataset": {"name": "csv", "path": "table.csv", "batch_size": 2, "split_seed": 3}})");
  const auto planned = planFile(file, {}, environmentOf());
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& plan = planned->plans.front();
  EXPECT_EQ(plan.trainSamples, 9);
  EXPECT_THAT(plan.classNames, ElementsAre("a", "b"));
  EXPECT_EQ(plan.experiment.dataset.own, (OwnSamples{{0, 0, 2}, true}));
  EXPECT_EQ(plan.experiment.dataset.mean.size(), 2U);
  EXPECT_EQ(plan.experiment.network.layers.back().outputs, 2);
  const std::string text = toJsonText(plan);
  EXPECT_THAT(text, HasSubstr("drawn from {} by dataset.split_seed {}"));
  EXPECT_THAT(text, HasSubstr("in the training samples: mean {}, deviation {}"));
  const auto again = parseRunPlan(text);
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), text);
}

TEST_F(OwnSamplesTest, KeysOfOtherKindsAreToBeRemoved) {
  const auto file =
      files_.write("wrong.json", R"({"network": "mlp", "dataset": {"name": "digits", "label_column": "x"}})");
  const auto planned = planFile(file, {}, environmentOf());
  ASSERT_FALSE(planned);
  EXPECT_THAT(toText(planned.error()), HasSubstr("dataset.label_column: is not a known key"));
  EXPECT_THAT(toText(planned.error()), HasSubstr("remove it: it is a key of another kind of dataset"));
}

}  // namespace
}  // namespace slipstream
