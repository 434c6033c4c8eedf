// SPDX-License-Identifier: GPL-3.0-or-later
// A file of weights to start from is looked at while a run is planned.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/experiment/resolved_form.h"
#include "engine/interchange/ckpt_writer.h"
#include "engine/interchange/file_contents.h"
#include "engine/interchange/safetensors_file.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/weight_files.h"
#include "engine/spec/network_builtin.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class PreTrained : public testing::Test {
 protected:
  void writeWeights(const std::string& name, const std::vector<TensorEntry>& entries, bool withCrc = false) {
    auto writer = CkptWriter::create(files.path() / name, withCrc);
    for (const TensorEntry& entry : entries) {
      const auto bytes = static_cast<std::size_t>(*elementsOf(entry.shape, 1'000'000) * bytesOf(entry.type));
      // All bits set are a NaN of every floating-point type.
      ASSERT_TRUE(writer->add(entry, std::vector<std::byte>(bytes, std::byte(entry.name == notFinite ? 0xFF : 0))));
    }
    ASSERT_TRUE(writer->commit());
  }
  Result<PlannedFile> plan() { return planFile(files.write("case.json", file.dump()), {}, test::environmentOf()); }
  std::string problems() {
    const auto planned = plan();
    return planned ? "" : toText(planned.error());
  }
  std::string decision() {
    const auto planned = plan();
    if (!planned) return toText(planned.error());
    for (const Decision& one : allDecisions(planned->plans.front())) {
      if (one.subject == "network.pre_trained") return one.state + ": " + one.why.in();
    }
    return "";
  }

  const std::vector<TensorEntry> mlp{{"layer1.weight", ElementType::float32, {1, 784}},
                                     {"layer1.bias", ElementType::float32, {1}},
                                     {"layer2.weight", ElementType::float16, {10, 1}},
                                     {"layer2.bias", ElementType::float32, {10}},
                                     {"moments.layer2.bias", ElementType::float32, {10}}};
  Json file = Json::parse(R"({
    "network": {"name": "mlp", "hidden": [1], "pre_trained": "weights.ckpt"},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 64, "evaluation_samples": 32}})");
  test::TextFiles files;
  std::string notFinite;  ///< the tensor that is written as NaN
};

TEST_F(PreTrained, ThePlanSaysWhatIsTakenAndKeepsTheWholePath) {
  writeWeights("weights.ckpt", mlp);
  EXPECT_THAT(decision(),
              AllOf(HasSubstr("read: "), HasSubstr("4 weight tensors taken by name"),
                    HasSubstr("1 tensor made fp32: layer2.weight"), HasSubstr("1 tensor of training state")));
  const auto planned = plan();
  const Experiment& experiment = planned->plans.front().experiment;
  EXPECT_EQ(experiment.preTrained.file, (files.path() / "weights.ckpt").string());
  EXPECT_EQ(parseResolved(toJsonText(experiment))->preTrained.file, experiment.preTrained.file);
}

TEST_F(PreTrained, ThePlanKeepsWhatTheFileHolds) {
  writeWeights("weights.ckpt", mlp);
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  const auto stored = parseRunPlan(toJsonText(planned->plans.front()));
  ASSERT_TRUE(stored);
  const std::string content = *readFile(files.path() / "weights.ckpt");
  EXPECT_EQ(stored->preTrainedHash, sha256(content));
  EXPECT_TRUE(checkPreTrained(*stored));
  std::string changed = content;
  changed.back() ^= 1;  // as long as it was
  files.write("weights.ckpt", changed);
  const Status found = checkPreTrained(*stored);
  ASSERT_FALSE(found);
  EXPECT_THAT(toText(found.error()), AllOf(HasSubstr("weights.ckpt"), HasSubstr(sha256(content)),
                                           HasSubstr(sha256(changed)), HasSubstr("--allow-different-bits")));
  files.write("weights.ckpt", content);
  EXPECT_TRUE(checkPreTrained(*stored));
  std::filesystem::remove(files.path() / "weights.ckpt");
  EXPECT_THAT(toText(checkPreTrained(*stored).error()), HasSubstr("cannot be read"));
}

TEST_F(PreTrained, WithoutTheKeyNothingIsSaid) {
  file["network"].erase("pre_trained");
  EXPECT_EQ(decision(), "");
  EXPECT_THAT(toJsonText(plan()->plans.front()), Not(HasSubstr("pre_trained")));
  EXPECT_TRUE(checkPreTrained(plan()->plans.front()));
}

TEST_F(PreTrained, WhatIsMissingOrDoesNotFitIsRefusedUnlessItIsInitialized) {
  auto other = mlp;
  other[3].shape = {11};
  other.erase(other.begin());
  writeWeights("weights.ckpt", other);
  EXPECT_THAT(problems(),
              AllOf(HasSubstr("lacks 1 tensor of the network: layer1.weight"),
                    HasSubstr("layer2.bias is 11, the network's is 10"), HasSubstr(R"("missing": "initialize")")));
  file["network"]["pre_trained"] = {{"file", "weights.ckpt"}, {"missing", "initialize"}};
  EXPECT_THAT(decision(), AllOf(HasSubstr("2 weight tensors taken"), HasSubstr("not in it: layer1.weight"),
                                HasSubstr("does not fit: layer2.bias")));
}

/// A file with the tensors of the file's network under torchvision's names, and the plan that starts from it.
class FromTorchvision : public PreTrained {
 protected:
  FromTorchvision() {
    file["network"] = {{"name", "resnet18"}, {"pre_trained", "weights.safetensors"}};
    const NetworkSpec network = *builtInNetwork("resnet18");
    for (const ExpectedTensor& tensor : expectedTensors(network, *networkShape(network, {28, 28, 1}))) {
      entries.push_back(
          {torchvisionName(tensor.name), ElementType::float32, shapeWithChannels(tensor.shape, ChannelPlace::first)});
    }
  }
  void write(const std::map<std::string, std::string>& metadata = {}) {
    const auto written = writeSafetensors(files.path() / "weights.safetensors", entries, metadata, [&](std::size_t i) {
      const auto bytes = static_cast<std::size_t>(*elementsOf(entries[i].shape, 10'000'000)) * sizeof(float);
      return Result<std::vector<std::byte>>(std::vector<std::byte>(bytes));
    });
    ASSERT_TRUE(written) << toText(written.error());
  }
  /// The line about conventions, with its remedy; empty where there is none.
  std::string warned() {
    const auto planned = plan();
    if (!planned) return toText(planned.error());
    for (const Decision& one : allDecisions(planned->plans.front())) {
      if (one.subject == "network.conventions") return one.state + ": " + one.why.in() + "; " + one.remedy;
    }
    return "";
  }

  std::vector<TensorEntry> entries;
};

TEST_F(FromTorchvision, ANetworkThatPadsOtherwiseIsWarnedOf) {
  write();
  EXPECT_THAT(decision(), HasSubstr("62 weight tensors and 40 running statistics taken by torchvision's names"));
  // The stem, the pool and two stages get images of 28, 14, 4 and 2 pixels a side; those of 7 are padded evenly.
  EXPECT_THAT(warned(),
              AllOf(HasSubstr("mindspore: "), HasSubstr("padded otherwise in 4 layers"),
                    HasSubstr("epsilon of 0.0001, not 1e-05"), HasSubstr("network.conventions = torchvision")));
  file["network"]["conventions"] = "torchvision";
  EXPECT_EQ(warned(), "");
  EXPECT_THAT(decision(), HasSubstr("taken by torchvision's names"));
}

TEST_F(FromTorchvision, WhatTheFileSaysOfItselfCounts) {
  write({{"conventions", "mindspore"}});
  EXPECT_EQ(warned(), "") << "exported under torchvision's names, but not trained there";
  file["network"]["conventions"] = "torchvision";
  EXPECT_THAT(warned(), AllOf(HasSubstr("torchvision: "), HasSubstr("pads its images as MindSpore does")));
  write({{"conventions", "torchvision"}});
  EXPECT_EQ(warned(), "");
}

TEST_F(FromTorchvision, ATensorOfAnotherNameIsToldBesideTheOneThatIsMissing) {
  entries.back().name = "layer4.1.bn2.running_variance";
  write();
  EXPECT_THAT(problems(), HasSubstr("lacks 1 tensor of the network: layer4.1.bn2.moving_variance "
                                    "(layer4.1.bn2.running_var there; nearest: layer4.1.bn2.running_variance)"));
}

TEST_F(PreTrained, ConventionsAreOfTheNetworksThatTorchvisionHas) {
  file["network"] = {{"name", "mlp"}, {"conventions", "torchvision"}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("network.conventions"), HasSubstr("mlp"), HasSubstr("resnet18, resnet34")));
  file["network"] =
      Json::parse(R"({"conventions": "torchvision", "layers": [{"type": "flatten"}, {"type": "dense"}]})");
  EXPECT_THAT(problems(),
              AllOf(HasSubstr("network.conventions"), HasSubstr("beside network.layers"), HasSubstr("padding")));
  file["network"] = {{"name", "resnet18"}, {"conventions", "keras"}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("network.conventions"), HasSubstr("mindspore, torchvision")));
  file["network"] = {{"name", "mlp"}, {"conventions", "mindspore"}};
  EXPECT_EQ(problems(), "") << "the usual ones";
}

TEST_F(PreTrained, ConventionsOutliveTheResolvedForm) {
  file["network"] = {{"name", "resnet18"}, {"conventions", "torchvision"}};
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  const Experiment& experiment = planned->plans.front().experiment;
  EXPECT_EQ(experiment.network.conventions, Conventions::torchvision);
  const auto again = parseResolved(toJsonText(experiment));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(again->network.conventions, Conventions::torchvision);
  EXPECT_EQ(again->network.layers, experiment.network.layers);
  file["network"].erase("conventions");
  EXPECT_THAT(toJsonText(plan()->plans.front()), Not(HasSubstr("conventions"))) << "as older runs have it";
}

TEST_F(PreTrained, WhatIsNoFileOfThisNetworkIsRefused) {
  EXPECT_THAT(problems(), AllOf(HasSubstr("weights.ckpt"), HasSubstr("cannot be read")));
  files.write("weights.ckpt", "text");
  EXPECT_THAT(problems(), HasSubstr("holds no value"));
  files.write("weights.ckpt", std::string("\xD8\x5E\x3A\x7F", 4) + std::string(60, 'x'));
  EXPECT_THAT(problems(), AllOf(HasSubstr("is encrypted"), HasSubstr("decrypt it first")));
  writeWeights("weights.ckpt", {{"conv1.weight", ElementType::float32, {1}}});
  file["network"]["pre_trained"] = {{"file", "weights.ckpt"}, {"missing", "initialize"}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("network.pre_trained"), HasSubstr("no weight of this network")));
  file["network"]["pre_trained"]["missing"] = "guess";
  EXPECT_THAT(problems(), HasSubstr("network.pre_trained.missing"));
}

TEST_F(PreTrained, AFileWhoseChecksumDoesNotHoldIsRefused) {
  writeWeights("weights.ckpt", mlp, true);
  EXPECT_EQ(problems(), "");
  std::string bytes = *readFile(files.path() / "weights.ckpt");
  bytes[bytes.size() - 18] ^= 1;
  files.write("weights.ckpt", bytes);
  EXPECT_THAT(problems(), AllOf(HasSubstr("weights.ckpt"), HasSubstr("has a checksum that does not hold")));
}

TEST_F(PreTrained, AWeightThatIsNoNumberIsRefusedByName) {
  notFinite = "moments.layer2.bias";
  writeWeights("weights.ckpt", mlp);
  EXPECT_EQ(problems(), "") << "is not taken";
  for (const char* name : {"layer1.bias", "layer2.weight"}) {
    notFinite = name;
    writeWeights("weights.ckpt", mlp);
    EXPECT_THAT(problems(), AllOf(HasSubstr("network.pre_trained"), HasSubstr(name), HasSubstr("NaN")));
  }
}

TEST_F(PreTrained, StagesHearOfItOnce) {
  writeWeights("weights.ckpt", mlp);
  file["stages"] = Json::parse(R"([{"name": "one"}, {"name": "two"}])");
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  const auto decisions = allDecisions(planned->plans.front());
  const auto ofIt = [](const Decision& one) { return one.subject.ends_with("pre_trained"); };
  EXPECT_EQ(std::ranges::count_if(decisions, ofIt), 1);
  EXPECT_TRUE(checkPreTrained(planned->plans.front()));
  writeWeights("weights.ckpt", {mlp.begin(), mlp.end() - 1});
  EXPECT_FALSE(checkPreTrained(planned->plans.front()));
}

TEST(WantedTensors, SayOverWhichPixelsTheyLie) {
  const NetworkSpec lenet = *builtInNetwork("lenet5");
  std::map<std::string, PixelOrder> orders;
  for (const ExpectedTensor& tensor : expectedTensors(lenet, *networkShape(lenet, {28, 28, 1}))) {
    orders[tensor.name] = tensor.order;
  }
  EXPECT_EQ(orders.at("conv2.weight"), (PixelOrder{25, 6}));
  EXPECT_EQ(orders.at("conv2.bias"), PixelOrder{});
  EXPECT_EQ(orders.at("fc1.weight"), (PixelOrder{25, 16})) << "behind 5 x 5 pixels of 16 channels";
  EXPECT_EQ(orders.at("fc2.weight"), PixelOrder{});
}

TEST(WantedTensors, BatchNormsHaveStatisticsAndFlatPicturesKeepTheirOrder) {
  const NetworkSpec network{"small",
                            {{.kind = LayerKind::conv2d, .name = "conv", .outputs = 2, .kernel = 27},
                             {.kind = LayerKind::flatten},
                             {.kind = LayerKind::batchNorm, .name = "bn"},
                             {.kind = LayerKind::relu},
                             {.kind = LayerKind::dense, .name = "fc", .outputs = 10}}};
  std::map<std::string, ExpectedTensor> wanted;
  for (const ExpectedTensor& tensor : expectedTensors(network, *networkShape(network, {28, 28, 1}))) {
    wanted[tensor.name] = tensor;
  }
  for (const char* name : {"bn.gamma", "bn.beta", "bn.moving_mean", "bn.moving_variance", "fc.weight"}) {
    EXPECT_EQ(wanted.at(name).order, (PixelOrder{4, 2})) << name;
  }
  EXPECT_TRUE(wanted.at("bn.moving_mean").statistic);
  EXPECT_THAT(wanted.at("bn.moving_mean").shape, ElementsAre(8));
}

}  // namespace
}  // namespace slipstream
