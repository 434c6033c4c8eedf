// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/export_weights.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/interchange/tensor_file.h"
#include "engine/interchange/weight_match.h"
#include "engine/probe/weight_files.h"
#include "engine/spec/network_builtin.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

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

  void addParts(const std::string& hash, std::span<const std::byte> bytes) {
    constexpr auto most = static_cast<std::size_t>(checkpointPartBytes);
    for (std::int64_t part = 0; !bytes.empty(); ++part) {
      const auto first = bytes.first(std::min(most, bytes.size()));
      store->addPart(hash, part, first);
      bytes = bytes.subspan(first.size());
    }
  }

  void add(const std::string& name, std::vector<std::int64_t> shape, const std::vector<float>& values, int shard) {
    const auto bytes = std::as_bytes(std::span(values));
    const std::string hash = sha256(bytes);
    if (!store->has(hash)) addParts(hash, bytes);
    manifest.tensors.push_back({name, "F32", std::move(shape), shard, hash, std::ssize(bytes)});
  }

  Status write(const ExportForm& form, const std::filesystem::path& path) {
    return exportWeights(*store, *store->manifest(manifest.step), experiment, form, path);
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

/// ResNet-18 with every tensor made up of the numbers 0, 1, 2, ... modulo 251, which are other ones in each order.
class ExportToTorchvision : public ExportWeights {
 protected:
  ExportToTorchvision() {
    experiment.network = *builtInNetwork("resnet18", 3);
    shape = *networkShape(experiment.network, {28, 28, 1});
    manifest.step = 4;
    manifest.tensors.clear();
    store->begin();
    for (const ExpectedTensor& tensor : expectedTensors(experiment.network, shape)) {
      std::vector<float> values(static_cast<std::size_t>(*elementsOf(tensor.shape, 10'000'000)));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i + values.size()) % 251);
      add((tensor.statistic ? "state/" : "") + tensor.name, tensor.shape, values, tensor.statistic ? 0 : -1);
    }
    store->complete(manifest);
  }

  const ExportForm form{.channels = ChannelPlace::first, .names = TensorNames::torchvision};
  NetworkShape shape;
};

TEST_F(ExportToTorchvision, EveryTensorHasTorchvisionsNameAndShape) {
  const auto file = exported(form);
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const TensorEntry& entry : file->tensors()) shapes[entry.name] = entry.shape;
  // Of torchvision.models.resnet18: 20 convolutions, 20 batch norms of four tensors each, and fc's two. What batch
  // norms count beside, num_batches_tracked, load_state_dict(strict=True) does not ask of a file.
  EXPECT_EQ(shapes.size(), 20U + 4 * 20 + 2);
  EXPECT_THAT(shapes["conv1.weight"], ElementsAre(64, 1, 7, 7));
  EXPECT_THAT(shapes["layer2.0.downsample.0.weight"], ElementsAre(128, 64, 1, 1));
  for (const char* tensor : {"weight", "bias", "running_mean", "running_var"}) {
    EXPECT_THAT(shapes[std::string("layer4.1.bn2.") + tensor], ElementsAre(512)) << tensor;
  }
  EXPECT_THAT(shapes["fc.weight"], ElementsAre(3, 512));
  EXPECT_EQ(file->conventions(), "mindspore");
}

TEST_F(ExportToTorchvision, WhatIsReadBackHasTheSameBits) {
  const auto expected = expectedTensors(experiment.network, shape);
  const WeightMatch match(exported(form), expected);
  ASSERT_TRUE(match.report().complete()) << toText(match.report().failures(""));
  EXPECT_EQ(match.report().names, TensorNames::torchvision);
  for (const TensorRecord& tensor : manifest.tensors) {
    const auto bytes = store->read(tensor.hash);
    std::vector<float> values(bytes.size() / sizeof(float));
    ASSERT_TRUE(match.read(std::string(plainName(tensor.name)), values));
    EXPECT_EQ(std::memcmp(values.data(), bytes.data(), bytes.size()), 0) << tensor.name;
  }
}

TEST_F(ExportToTorchvision, NetworksThatItDoesNotHaveAreRefused) {
  const auto problem = [&] {
    const Status written = write(form, folder.path() / "out.safetensors");
    return written ? "" : toText(written.error());
  };
  EXPECT_EQ(problem(), "");
  experiment.network.layers.back().kind = LayerKind::normalizedDense;
  EXPECT_THAT(problem(), AllOf(HasSubstr("--names"), HasSubstr("resnet18"), HasSubstr("leave it out")));
  experiment.network.name = "small";
  EXPECT_THAT(problem(), HasSubstr("no network with the layers of small"));
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
