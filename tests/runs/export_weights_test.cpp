// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/export_weights.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/interchange/tensor_file.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::ElementsAre;

/// A checkpoint of two ranks: a dense layer behind a flattened image of 2 x 2 pixels and two channels.
class ExportWeights : public testing::Test {
 protected:
  ExportWeights() : store(std::move(CheckpointStore::openToWrite(folder.path(), "run").value())) {
    experiment.network = {"small",
                          {{.kind = LayerKind::conv2d, .name = "conv1", .outputs = 2, .kernel = 27, .bias = false},
                           {.kind = LayerKind::batchNorm, .name = "bn1"},
                           {.kind = LayerKind::flatten},
                           {.kind = LayerKind::dense, .name = "fc1", .outputs = 1, .bias = false}}};
    experiment.dataset.name = "digits";
    manifest.step = 3;
    store->begin();
    add("fc1.weight", {1, 8}, {0, 10, 1, 11, 2, 12, 3, 13}, -1);  // 2 x 2 pixels, two channels last
    add("momentum/fc1.weight", {1, 8}, std::vector<float>(8, 9.0F), -1);
    add("state/bn1.moving_mean", {2}, {4, 5}, 0);
    add("state/bn1.moving_mean", {2}, {6, 7}, 1);
    store->complete(manifest);
  }

  void add(const std::string& name, std::vector<std::int64_t> shape, const std::vector<float>& values, int shard) {
    const auto bytes = std::as_bytes(std::span(values));
    const std::string hash = sha256(bytes);
    if (!store->has(hash)) store->addPart(hash, 0, bytes);
    manifest.tensors.push_back({name, "F32", std::move(shape), shard, hash, std::ssize(bytes)});
  }

  Status write(const ExportForm& form, const std::filesystem::path& path) {
    return exportWeights(*store, *store->manifest(3), experiment, form, path);
  }
  std::unique_ptr<TensorFile> exported(const ExportForm& form) {
    const auto path = folder.path() / "out";
    const auto written = write(form, path);
    EXPECT_TRUE(written) << toText(written.error());
    return std::move(*TensorFile::open(path));
  }
  static std::vector<float> valuesOf(TensorSource& source, const std::string& name) {
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
      if (source.tensors()[i].name != name) continue;
      const auto bytes = *source.read(i);
      std::vector<float> values(bytes.size() / sizeof(float));
      std::memcpy(values.data(), bytes.data(), bytes.size());
      return values;
    }
    return {};
  }

  test::TemporaryFolder folder;
  std::unique_ptr<CheckpointStore> store;
  CheckpointManifest manifest;
  Experiment experiment;
};

TEST_F(ExportWeights, SafetensorsHoldTheNetworksTensorsAsTheStoreHasThem) {
  const auto path = folder.path() / "out.safetensors";
  ExportForm form;
  form.metadata = {{"run", "r"}};
  ASSERT_TRUE(write(form, path));
  const std::string bytes = readFile(path).value();
  std::uint64_t headerLength = 0;
  std::memcpy(&headerLength, bytes.data(), 8);
  EXPECT_EQ(headerLength % 8, 0U);
  const auto header = nlohmann::json::parse(bytes.substr(8, headerLength));
  EXPECT_EQ(header.size(), 3U);  // two tensors and the metadata
  EXPECT_EQ(header["__metadata__"]["run"], "r");
  EXPECT_EQ(header["__metadata__"]["convolution_weights"], "OHWI");
  EXPECT_EQ(header["fc1.weight"]["dtype"], "F32");
  EXPECT_EQ(header["fc1.weight"]["shape"], nlohmann::json({1, 8}));
  const std::size_t offset = header["fc1.weight"]["data_offsets"][0];
  float second = 0;
  std::memcpy(&second, bytes.data() + 8 + headerLength + offset + sizeof(second), sizeof(second));
  EXPECT_EQ(second, 10.0F);
  EXPECT_EQ(bytes.size(), 8 + headerLength + 10 * sizeof(float));
  EXPECT_FALSE(write(form, folder.path() / "none/out"));
}

TEST_F(ExportWeights, CheckpointsOfMindSporeHaveItsNamesAndItsOrder) {
  const auto file = exported({.format = FileFormat::ckpt, .channels = ChannelPlace::first, .crc = true});
  EXPECT_EQ(file->contents().format, FileFormat::ckpt);
  EXPECT_EQ(file->checkCrc(), CrcVerdict::holds);
  EXPECT_THAT(valuesOf(*file, "fc1.weight"), ElementsAre(0, 1, 2, 3, 10, 11, 12, 13));
  EXPECT_THAT(valuesOf(*file, "bn1.moving_mean"), ElementsAre(4, 5)) << "rank 0's";
  EXPECT_EQ(file->tensors().size(), 2U) << "no optimizer state";
}

TEST_F(ExportWeights, SafetensorsWithChannelsFirstAreTheSame) {
  const auto file = exported({.channels = ChannelPlace::first});
  EXPECT_EQ(file->contents().format, FileFormat::safetensors);
  EXPECT_EQ(file->channels(), ChannelPlace::first);
  EXPECT_THAT(valuesOf(*file, "fc1.weight"), ElementsAre(0, 1, 2, 3, 10, 11, 12, 13));
  EXPECT_THAT(valuesOf(*file, "bn1.moving_mean"), ElementsAre(4, 5));
}

TEST_F(ExportWeights, TheAverageOfTheWeightsCanStandInTheirPlace) {
  const auto none = withAverageAsWeights(manifest);
  ASSERT_FALSE(none);
  EXPECT_THAT(toText(none.error()), testing::HasSubstr("holds no average of the weights"));
  EXPECT_THAT(none.error().front().remedy, testing::HasSubstr("train.average_decay"));
  manifest.full = false;
  EXPECT_THAT(toText(withAverageAsWeights(manifest).error()), testing::HasSubstr("weights alone"));
  manifest.full = true;
  manifest.step = 4;
  store->begin();
  add("average/fc1.weight", {1, 8}, std::vector<float>(8, 0.5F), -1);
  store->complete(manifest);
  const CheckpointManifest averaged = withAverageAsWeights(manifest).value();
  const auto path = folder.path() / "average.safetensors";
  ASSERT_TRUE(exportWeights(*store, averaged, experiment, {}, path));
  const auto file = std::move(*TensorFile::open(path));
  EXPECT_EQ(file->tensors().size(), 2U);
  EXPECT_THAT(valuesOf(*file, "fc1.weight"), testing::Each(0.5F));
  EXPECT_THAT(valuesOf(*file, "state/bn1.moving_mean"), ElementsAre(4, 5)) << "what it was evaluated with";
}

TEST_F(ExportWeights, ACheckpointAsASourceGivesTheMeanOverRanks) {
  const auto source = checkpointSource(std::move(store), manifest);
  EXPECT_EQ(source->tensors().size(), 2U);
  EXPECT_THAT(valuesOf(*source, "state/bn1.moving_mean"), ElementsAre(5, 6));
  EXPECT_EQ(source->channels(), ChannelPlace::last);
}

}  // namespace
}  // namespace slipstream
