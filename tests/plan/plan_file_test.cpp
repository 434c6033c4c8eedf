// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/boost/algorithms.h"
#include "engine/plan/check_file.h"
#include "engine/plan/make_run_plan.h"
#include "engine/probe/dataset_files.h"
#include "engine/probe/this_host.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using test::environmentOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path source = SLIPSTREAM_SOURCE;

std::optional<Decision> decisionOn(const RunPlan& plan, const std::string& subject) {
  for (const Decision& decision : allDecisions(plan)) {
    if (decision.subject == subject) return decision;
  }
  return std::nullopt;
}

std::string idx(int dimensions, const std::vector<int>& sizes, const std::string& values) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(dimensions)};
  for (const int size : sizes) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>((size >> shift) & 0xff);
  }
  return bytes + values;
}

class PlanFile : public testing::Test {
 protected:
  Result<PlannedFile> plan(const std::string& text, const ExperimentOverrides& overrides = {},
                           std::map<std::string, std::string> variables = {}) {
    return planFile(files_.write("case.json", text), overrides, environmentOf(std::move(variables)));
  }
  RunPlan one(const std::string& text, const ExperimentOverrides& overrides = {},
              std::map<std::string, std::string> variables = {}) {
    auto planned = plan(text, overrides, std::move(variables));
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }
  std::string problems(const std::string& text, const ExperimentOverrides& overrides = {},
                       std::map<std::string, std::string> variables = {}) {
    const auto planned = plan(text, overrides, std::move(variables));
    return planned ? "" : toText(planned.error());
  }

  /// Four small files of the MNIST kind, `training` and `evaluation` images.
  std::string writeMnist(int training, int evaluation) {
    for (const auto& [part, count] : {std::pair<std::string, int>{"train", training}, {"t10k", evaluation}}) {
      const auto samples = static_cast<std::size_t>(count);
      files_.write(part + "-images-idx3-ubyte", idx(3, {count, 28, 28}, std::string(samples * 784, '\1')));
      files_.write(part + "-labels-idx1-ubyte", idx(1, {count}, std::string(samples, '\7')));
    }
    return files_.path().string();
  }

  /// A table of servers "host:devices", ranks in order.
  std::string writeTable(const std::vector<std::pair<std::string, int>>& servers) {
    std::string list;
    int rank = 0;
    for (const auto& [host, devices] : servers) {
      std::string lines;
      for (int device = 0; device < devices; ++device, ++rank) {
        lines += (device > 0 ? "," : "") + std::string(R"({"device_id": ")") + std::to_string(device) +
                 R"(", "device_ip": "192.168.1.)" + std::to_string(rank + 1) + R"(", "rank_id": ")" +
                 std::to_string(rank) + "\"}";
      }
      list += (list.empty() ? "" : ",") + (R"({"server_id": ")" + host + R"(", "device": [)" + lines + "]}");
    }
    return files_
        .write("table.json", R"({"version": "1.0", "server_count": ")" + std::to_string(servers.size()) +
                                 R"(", "server_list": [)" + list + R"(], "status": "completed"})")
        .string();
  }

  static ExperimentOverrides onTable(const std::string& table, bool local) {
    ExperimentOverrides overrides;
    overrides.rankTable = table;
    overrides.local = local;
    return overrides;
  }

  static constexpr const char* digits =
      R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 640, "batch_size": 16}})";
  static constexpr const char* adasum =
      R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 640, "batch_size": 16}, "boost": {"level": "O2",
          "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})";
  static constexpr const char* mnist = R"({"network": "mlp", "dataset": {"batch_size": 4}})";

  test::TextFiles files_;
};

TEST_F(PlanFile, CountsStepsOverRanksEpochsAndRemainders) {
  ExperimentOverrides overrides;
  overrides.ranks = 3;
  overrides.settings = {"train.epochs=2"};
  const RunPlan dropped = one(digits, overrides);
  EXPECT_EQ(dropped.stepsPerEpoch, 640 / 48);
  EXPECT_EQ(dropped.totalSteps, 2 * (640 / 48));
  overrides.settings.push_back("dataset.drop_remainder=false");
  EXPECT_EQ(one(digits, overrides).stepsPerEpoch, 14);
  overrides.settings.push_back("dataset.shard=false");
  EXPECT_EQ(one(digits, overrides).stepsPerEpoch, 40) << "every rank reads everything";
  overrides.settings = {"train.steps=7"};
  EXPECT_EQ(one(digits, overrides).totalSteps, 7);
}

TEST_F(PlanFile, AnEpochWithoutAStepIsRefused) {
  ExperimentOverrides overrides;
  overrides.ranks = 64;
  EXPECT_THAT(problems(digits, overrides),
              HasSubstr("dataset.batch_size: times 64 ranks is more than 640 training samples"));
}

TEST_F(PlanFile, PlansReadBackAsTheSame) {
  const RunPlan plan = one(adasum, onTable(writeTable({{"10.0.0.1", 2}, {"10.0.0.2", 2}}), true));
  const auto again = parseRunPlan(toJsonText(plan));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(plan));
  EXPECT_EQ(again->places, plan.places);
  EXPECT_EQ(again->memoryPerRank, plan.memoryPerRank);
  EXPECT_EQ(again->decisions, plan.decisions);
  EXPECT_FALSE(parseRunPlan("{\"experiment\": 5}"));
}

TEST_F(PlanFile, AWarmUpFractionBecomesEpochs) {
  ExperimentOverrides overrides;
  overrides.settings = {R"(optimizer.learning_rate={"mode": "linear", "lr_max": 0.1, "warmup_fraction": 0.25})",
                        "train.steps=20"};
  const RunPlan plan = one(digits, overrides);
  const ScheduleSpec& schedule = plan.experiment.optimizer.schedule;
  EXPECT_EQ(schedule.warmupFraction, 0);
  EXPECT_DOUBLE_EQ(schedule.warmupEpochs * static_cast<double>(plan.stepsPerEpoch), 5.0) << "a quarter of 20 steps";
}

TEST_F(PlanFile, RanksOfOtherMachinesArePlannedThere) {
  const RunPlan plan = one(adasum, onTable(writeTable({{"10.255.1.1", 2}, {"10.255.1.2", 3}}), false));
  EXPECT_FALSE(plan.local);
  ASSERT_EQ(plan.ranks(), 5);
  EXPECT_EQ(plan.places[2], (RankPlacement{2, 1, "10.255.1.2", 0}));
  EXPECT_THAT(decisionOn(plan, "adasum.exchange")->why.in(), HasSubstr("messages"));
  EXPECT_TRUE(runnableHere(plan)) << "whether the hosts are ready is asked when it is run";
}

TEST_F(PlanFile, LocalKeepsServersAsGroups) {
  const RunPlan plan = one(adasum, onTable(writeTable({{"10.255.1.1", 2}, {"10.255.1.2", 3}}), true));
  EXPECT_TRUE(plan.local);
  EXPECT_TRUE(runnableHere(plan));
  std::vector<int> servers;
  for (const RankPlacement& place : plan.places) {
    servers.push_back(place.server);
    EXPECT_EQ(place.host, "localhost");
  }
  EXPECT_THAT(servers, ElementsAre(0, 0, 1, 1, 1));
  EXPECT_EQ(plan.experiment.boost.of<AdasumOptions>().scope, AdasumScope::servers);
  EXPECT_THAT(decisionOn(plan, "adasum.exchange")->why.in(), HasSubstr("shared window"));
}

TEST_F(PlanFile, SeveralHostsSumInTheirMemoryFirst) {
  const std::string table = writeTable({{"10.255.1.1", 2}, {"10.255.1.2", 3}});
  const RunPlan apart = one(adasum, onTable(table, false));
  EXPECT_EQ(exchangeHosts(apart).text(), "2+3");
  EXPECT_EQ(decisionOn(apart, "parallel.exchange")->state, "hosts");
  EXPECT_EQ(decisionOn(apart, "parallel.exchange")->reason, Reason::ranks);
  const RunPlan again = *parseRunPlan(toJsonText(apart));
  EXPECT_EQ(exchangeHosts(again).text(), "2+3") << "as resume finds it";
  EXPECT_TRUE(exchangeHosts(one(adasum, onTable(table, true))).oneHost());
}

TEST_F(PlanFile, ServersStandForHostsWhereTheFileSaysSo) {
  ExperimentOverrides overrides = onTable(writeTable({{"10.255.1.1", 2}, {"10.255.1.2", 3}}), true);
  overrides.settings = {"parallel.exchange=hosts"};
  const RunPlan here = one(adasum, overrides);
  EXPECT_EQ(exchangeHosts(here).text(), "2+3");
  EXPECT_EQ(decisionOn(here, "parallel.exchange")->reason, Reason::written);
  overrides.settings = {"parallel.exchange=messages"};
  EXPECT_EQ(decisionOn(one(adasum, overrides), "parallel.exchange")->effect, Effect::noEffect) << "Adasum has its own";
  overrides.settings = {"parallel.exchange=messages", "boost.level=O0"};
  const RunPlan sent = one(adasum, overrides);
  EXPECT_EQ(sent.experiment.parallel.exchange, GradientExchange::messages);
  EXPECT_EQ(decisionOn(sent, "parallel.exchange")->effect, Effect::adjusted);
  overrides.device = "cuda";
  EXPECT_EQ(decisionOn(one(adasum, overrides), "parallel.exchange")->effect, Effect::noEffect);
}

TEST_F(PlanFile, OneHostHasNothingToTellApart) {
  ExperimentOverrides overrides;
  overrides.ranks = 4;
  overrides.settings = {"parallel.exchange=hosts"};
  const RunPlan plan = one(adasum, overrides);
  EXPECT_EQ(plan.experiment.parallel.exchange, GradientExchange::automatic);
  EXPECT_EQ(decisionOn(plan, "parallel.exchange")->effect, Effect::noEffect);
}

TEST_F(PlanFile, ATableOfThisMachineRunsWithoutAFlag) {
  const RunPlan plan = one(adasum, onTable(writeTable({{"127.0.0.1", 2}}), false));
  EXPECT_TRUE(plan.local);
  EXPECT_EQ(plan.experiment.boost.of<AdasumOptions>().scope, AdasumScope::flat) << "one server";
  EXPECT_TRUE(isThisHost("localhost"));
  EXPECT_FALSE(isThisHost("10.255.1.1"));
}

TEST_F(PlanFile, GpusExchangeByMessages) {
  ExperimentOverrides overrides;
  overrides.ranks = 4;
  overrides.device = "cuda";
  const RunPlan plan = one(adasum, overrides);
  EXPECT_FALSE(exchangesInSharedMemory(plan));
  EXPECT_EQ(decisionOn(plan, "devices")->state, "cuda");
  EXPECT_THAT(decisionOn(plan, "adasum.exchange")->why.in(), HasSubstr("GPUs send messages"));
  overrides.settings = {"boost.dictionary.adasum.exchange=window"};
  EXPECT_THAT(decisionOn(one(adasum, overrides), "adasum.exchange")->why.in(), HasSubstr("no effect: `window`"));
  overrides.device = "cpu";
  EXPECT_TRUE(exchangesInSharedMemory(one(adasum, overrides)));
}

TEST_F(PlanFile, TextOfATableNeverBecomesAHost) {
  const std::string table = writeTable({{"a;touch x", 2}});
  EXPECT_THAT(problems(adasum, onTable(table, false)), HasSubstr("neither an address nor a host name"));
  const RunPlan local = one(adasum, onTable(table, true));
  EXPECT_EQ(local.places[0].host, "localhost");
}

TEST_F(PlanFile, TablesSmallerOrLargerThanTheRanks) {
  const std::string table = writeTable({{"127.0.0.1", 4}});
  ExperimentOverrides overrides = onTable(table, false);
  overrides.ranks = 6;
  EXPECT_THAT(problems(digits, overrides), HasSubstr("parallel.ranks: is more than the 4 devices of"));
  overrides.ranks = 3;
  EXPECT_EQ(one(digits, overrides).ranks(), 3);
  EXPECT_THAT(decisionOn(one(digits, overrides), "parallel.rank_table")->why.in(), HasSubstr("first 3 of its 4 ranks"));
  const std::map<std::string, std::string> variables{{"RANK_TABLE_FILE", table}, {"RANK_SIZE", "8"}};
  EXPECT_THAT(problems(digits, {}, variables), HasSubstr("more than the 4 devices"));
  EXPECT_EQ(one(digits, {}, {{"RANK_TABLE_FILE", table}}).ranks(), 4);
  overrides.rankTable = files_.path() / "none.json";
  EXPECT_THAT(problems(digits, overrides), HasSubstr("none.json: cannot be read"));
}

TEST_F(PlanFile, WrittenDeviceNumberGroupsRanksAndMustDivideThem) {
  ExperimentOverrides overrides;
  overrides.ranks = 6;
  overrides.settings = {"boost.dictionary.common.device_num=2"};
  const RunPlan plan = one(adasum, overrides);
  EXPECT_EQ(plan.places[5].server, 2);
  EXPECT_EQ(plan.experiment.boost.of<AdasumOptions>().scope, AdasumScope::servers);
  overrides.settings = {"boost.dictionary.common.device_number=4"};
  EXPECT_THAT(problems(adasum, overrides), HasSubstr("common.device_number: does not divide 6 ranks"));
}

TEST_F(PlanFile, DeviceNumberThatNothingReadsNeedNotDivideTheRanks) {
  ExperimentOverrides overrides;
  overrides.ranks = 4;
  overrides.settings = {"boost.dictionary.common.device_num=8"};
  EXPECT_THAT(problems(adasum, overrides), HasSubstr("common.device_number: does not divide 4 ranks"));
  overrides.settings.push_back("boost.dictionary.adasum.scope=flat");
  EXPECT_THAT(decisionOn(one(adasum, overrides), "device_number")->why.in(),
              HasSubstr("no effect: Adasum's scope is flat"));
  overrides.settings = {"boost.dictionary.common.device_num=8", "boost.level=O1"};
  const RunPlan off = one(adasum, overrides);
  EXPECT_THAT(decisionOn(off, "device_number")->why.in(), HasSubstr("no effect: adasum is off"));
  EXPECT_EQ(off.places[3].server, 0);
  overrides.ranks = 1;
  EXPECT_THAT(decisionOn(one(adasum, overrides), "device_number")->why.in(), HasSubstr("no effect: there is one rank"));
}

TEST_F(PlanFile, TheTutorialsDictionaryWithEverythingOffRunsOnFourRanks) {
  const std::string data = R"("dataset": {"name": "digits", "train_samples": 640, "batch_size": 16}, )";
  const std::string off = R"({"network": "mlp", "parallel": {"ranks": 4}, )" + data + R"("boost": {"level": "O1",
      "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "adasum": false,
      "grad_accumulation": false, "dim_reduce": false, "loss_scale_group": false},
      "common": {"gradient_split_groups": [2, 4], "device_num": 8}}}})";
  EXPECT_THAT(decisionOn(one(off), "device_number")->why.in(), HasSubstr("no effect"));
}

TEST_F(PlanFile, ProductsOfSizesThatNoMachineHoldsAreRefused) {
  const auto withLayers = [&](const std::string& layers) {
    return R"({"dataset": {"name": "digits", "train_samples": 100, "batch_size": 1000000000, "drop_remainder": false},
        "network": {"layers": [)" +
           layers + R"(, {"type": "flatten"}, {"type": "dense"}]}})";
  };
  const std::string convolution = R"({"type": "conv2d", "outputs": 100000, "kernel": 1000, "padding": 1000})";
  EXPECT_THAT(problems(withLayers(convolution + ", " + convolution)), HasSubstr("more than any machine holds"));
  const RunPlan plan = one(withLayers(R"({"type": "conv2d", "outputs": 1000, "kernel": 100, "padding": 1000})"));
  for (const auto& [category, bytes] : plan.memoryPerRank) EXPECT_GE(bytes, 0) << category;
  EXPECT_FALSE(runnableHere(plan));
}

TEST_F(PlanFile, DeviceNumOfTheEnvironmentIsAHint) {
  ExperimentOverrides overrides;
  overrides.ranks = 6;
  EXPECT_EQ(one(adasum, overrides, {{"DEVICE_NUM", "3"}}).places[5].server, 1);
  const RunPlan ignored = one(adasum, overrides, {{"DEVICE_NUM", "4"}});
  EXPECT_EQ(ignored.places[5].server, 0);
  EXPECT_THAT(decisionOn(ignored, "DEVICE_NUM")->why.in(), HasSubstr("does not divide"));
}

TEST_F(PlanFile, AdasumWithNobodyToCombineWithIsOff) {
  const RunPlan plan = one(adasum);
  EXPECT_FALSE(plan.experiment.boost.isOn("adasum"));
  EXPECT_EQ(decisionOn(plan, "adasum")->state, "off");
  EXPECT_THAT(decisionOn(plan, "adasum")->why.in(), HasSubstr("one rank"));
  EXPECT_EQ(decisionOn(plan, "averaged")->state, "on");
}

TEST_F(PlanFile, ABatchThatTheMachineHasNoMemoryForIsRefused) {
  RunPlan plan = one(digits);
  EXPECT_TRUE(runnableHere(plan));
  plan.memoryPerRank["activations"] = std::int64_t{1} << 60;
  const auto runnable = runnableHere(plan);
  ASSERT_FALSE(runnable);
  EXPECT_THAT(toText(runnable.error()), HasSubstr("dataset.batch_size"));
  EXPECT_THAT(toText(runnable.error()), HasSubstr("smaller batches"));
}

TEST_F(PlanFile, ForecastFollowsItsFormula) {
  ExperimentOverrides overrides;
  overrides.ranks = 2;
  overrides.settings = {"dataset.evaluation_samples=60", "boost.dictionary.adasum.mode=gradients"};
  const MemoryForecast memory = one(adasum, overrides).memoryPerRank;
  const std::int64_t elements = 669706;  // 784-512-512-10 with biases
  EXPECT_EQ(memory.at("weights"), 4 * elements);
  EXPECT_EQ(memory.at("gradients"), 4 * elements);
  EXPECT_EQ(memory.at("optimizer_state"), 4 * elements);
  EXPECT_EQ(memory.at("boost"), 3 * 8 * 6 * 3) << "three dot products of two ranks, three times, for six tensors";
  // The input, two hidden layers and the output keep their values, the output its gradient; two gradients are as wide
  // as a hidden layer.
  EXPECT_EQ(memory.at("activations"), 4 * 16 * (784 + 512 + 512 + 10 + 10 + 2 * 512));
  EXPECT_EQ(memory.at("data"), 700 * 784 + 2 * 16 * 784) << "and a batch to train with, one to evaluate on";
  overrides.settings = {"boost.dictionary.adasum.exchange=gram", "parallel.bucket_bytes=4000"};
  const std::int64_t sums = 16 * 6 * 3 * (1 + 2);
  EXPECT_EQ(one(adasum, overrides).memoryPerRank.at("boost"), 4 * (elements - 334'848) + sums + 4 * 784 * 512)
      << "the other rank's half, cut at a cache line; dot products; the largest tensor copied by mode deltas";
}

TEST_F(PlanFile, FusionIndicesBeyondTheNetworkAreReported) {
  ExperimentOverrides overrides;
  overrides.settings = {"parallel.all_reduce_fusion_config=[1,99]"};
  EXPECT_THAT(decisionOn(one(digits, overrides), "parallel.all_reduce_fusion_config")->why.in(),
              HasSubstr("no effect"));
}

TEST_F(PlanFile, MnistIsFoundCountedAndLimited) {
  const std::string folder = writeMnist(40, 12);
  ExperimentOverrides overrides;
  overrides.settings = {"dataset.path=" + folder};
  EXPECT_EQ(one(mnist, overrides).trainSamples, 40);
  EXPECT_EQ(one(mnist, {}, {{"DATA_PATH", folder}}).trainSamples, 40);
  overrides.settings.push_back("dataset.train_samples=20");
  EXPECT_EQ(one(mnist, overrides).trainSamples, 20);
}

TEST_F(PlanFile, CompressedFilesAndTheOtherSpellingAreRead) {
  writeMnist(8, 4);
  const auto plain = files_.path() / "train-images-idx3-ubyte";
  const std::string bytes = idx(3, {8, 28, 28}, std::string(8 * 784, '\2'));
  std::filesystem::remove(plain);
  const gzFile packed = ::gzopen((files_.path() / "train-images.idx3-ubyte.gz").c_str(), "wb");
  ASSERT_EQ(::gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
  ::gzclose(packed);
  const auto counts = mnistKind().inspect({.name = "mnist", .path = files_.path()});
  ASSERT_TRUE(counts) << toText(counts.error());
  EXPECT_EQ(counts->training, 8);
  std::filesystem::resize_file(files_.path() / "train-images.idx3-ubyte.gz", 30);
  EXPECT_FALSE(mnistKind().inspect({.name = "mnist", .path = files_.path()}));
}

TEST_F(PlanFile, MissingDataNamesAllThreeWaysToNameIt) {
  for (const auto& text : {problems(mnist), problems(mnist, {}, {{"DATA_PATH", "/nowhere"}}),
                           problems(mnist, {}, {{"DATA_PATH", files_.path().string()}})}) {
    EXPECT_THAT(text, HasSubstr("--set dataset.path="));
    EXPECT_THAT(text, HasSubstr("dataset.path in the file"));
    EXPECT_THAT(text, HasSubstr("DATA_PATH"));
  }
  EXPECT_THAT(problems(mnist, {}, {{"DATA_PATH", files_.path().string()}}), HasSubstr("train-images-idx3-ubyte"));
}

TEST_F(PlanFile, DamagedDataIsNamedByFile) {
  const std::map<std::string, std::string> variables{{"DATA_PATH", writeMnist(8, 4)}};
  files_.write("t10k-images-idx3-ubyte", idx(3, {4, 28, 28}, std::string(4 * 784 - 1, '\1')));
  EXPECT_THAT(problems(mnist, {}, variables), HasSubstr("t10k-images-idx3-ubyte: ends too early"));
  writeMnist(8, 4);
  files_.write("train-labels-idx1-ubyte", idx(1, {8}, std::string(7, '\1') + '\12'));
  EXPECT_THAT(problems(mnist, {}, variables),
              HasSubstr("train-labels-idx1-ubyte: has a label out of range 0 to 9 at position 7 (found 10)"));
  files_.write("train-labels-idx1-ubyte", idx(1, {7}, std::string(7, '\1')));
  EXPECT_THAT(problems(mnist, {}, variables), HasSubstr("another number of labels than the 8 images"));
  files_.write("train-labels-idx1-ubyte", "text");
  EXPECT_THAT(problems(mnist, {}, variables), HasSubstr("wrong magic number"));
}

TEST_F(PlanFile, NotesAreThoseOfThePlansThatAreGiven) {
  const auto planned = plan(R"({"network": "mlp", "dataset": "digits", "parallel": {"ranks": 2}, "variants": [
    {"name": "plain"},
    {"name": "sum", "train": {"micro_reduction": "sum"}}]})");
  ASSERT_TRUE(planned) << toText(planned.error());
  ASSERT_EQ(planned->plans.size(), 2U);
  EXPECT_THAT(notesOf(planned->plans),
              testing::ElementsAre("train.micro_reduction sum: no effect: a batch is one micro-batch"));
  EXPECT_THAT(notesOf({planned->plans[0]}), testing::IsEmpty());
}

TEST_F(PlanFile, WhatHasNoEffectSaysSoAndHasARemedyInStagesToo) {
  const auto planned = plan(R"({"network": "mlp", "dataset": "digits", "parallel": {"ranks": 2}, "stages": [
    {"name": "first", "train": {"steps": 2}},
    {"name": "second", "train": {"steps": 2, "micro_reduction": "sum"}}]})");
  ASSERT_TRUE(planned) << toText(planned.error());
  for (const Decision& decision : allDecisions(planned->plans[0])) {
    EXPECT_EQ(decision.why.in().starts_with("no effect: "), !decision.remedy.empty())
        << decision.subject << decision.why.in();
  }
  EXPECT_THAT(notesOf(planned->plans), testing::ElementsAre(HasSubstr("second.train.micro_reduction")));
}

TEST_F(PlanFile, OnlyAFileThatSaysSoFallsBackToDigits) {
  const char* text = R"({"network": "mlp", "dataset": {"name": "mnist", "fallback": "digits"}})";
  const auto planned = plan(text);
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(planned->plans[0].experiment.dataset.name, "digits");
  const auto notes = notesOf(planned->plans);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("generated digits instead of mnist"));
  const auto reasonOf = [](const RunPlan& made) {
    const std::vector<Decision> decisions = allDecisions(made);
    return std::ranges::find(decisions, std::string("dataset"), &Decision::subject)->why.in(Language::chinese);
  };
  EXPECT_THAT(reasonOf(planned->plans[0]), HasSubstr("未指定数据集 mnist 的文件夹"));
  const auto elsewhere = plan(text, {}, {{"DATA_PATH", "/nowhere"}});
  ASSERT_TRUE(elsewhere) << toText(elsewhere.error());
  EXPECT_THAT(reasonOf(elsewhere->plans[0]), HasSubstr("/nowhere 不是文件夹"));
  ExperimentOverrides overrides;
  overrides.settings = {"dataset.path=/nowhere"};
  EXPECT_FALSE(plan(text, overrides)) << "who names a folder means it";
}

TEST_F(PlanFile, ShippedExperimentsArePlanned) {
  for (const char* name : {"quickstart.json", "adasum_lenet5_mnist.json"}) {
    const auto planned =
        planFile(source / "experiments" / name, {}, environmentOf({{"DATA_PATH", writeMnist(512, 64)}}));
    ASSERT_TRUE(planned) << toText(planned.error());
    EXPECT_TRUE(planned->plans.back().experiment.boost.isOn("adasum"));
    EXPECT_EQ(planned->plans.back().experiment.boost.of<AdasumOptions>().mode, AdasumMode::gradients);
    EXPECT_EQ(planned->plans.back().ranks(), 8);
    for (const RunPlan& plan : planned->plans) EXPECT_TRUE(runnableHere(plan));
  }
}

TEST_F(PlanFile, ExperimentsOnPicturesArePlannedOnAnyImageFolder) {
  for (const char* part : {"train", "val"}) {
    for (const char* name : {"ant", "bee", "cow", "dog", "elk"}) {
      const std::string folder = std::string(part) + "/" + name;
      std::filesystem::create_directories(files_.path() / folder);
      for (int i = 0; i < 10; ++i) files_.write(fmt::format("{}/{}.jpg", folder, i), "");
    }
  }
  ExperimentOverrides overrides;
  overrides.settings = {"dataset.path=" + files_.path().string(), "train.epochs=4"};
  overrides.ranks = 2;
  const auto small = planFile(source / "experiments/adasum_resnet18_imagenette.json", overrides, environmentOf());
  ASSERT_TRUE(small) << toText(small.error());
  EXPECT_EQ(small->plans[0].experiment.network.layers.back().outputs, 5);
  EXPECT_TRUE(small->plans[0].experiment.boost.isOn("adasum"));
  EXPECT_LT(small->plans[0].experiment.optimizer.schedule.warmupEpochs, 4);

  overrides = {};
  overrides.settings = {"dataset.path=" + files_.path().string(), "dataset.batch_size=2"};
  overrides.local = true;
  const auto deep = planFile(source / "experiments/adasum_resnet50_16.json", overrides, environmentOf());
  ASSERT_TRUE(deep) << toText(deep.error());
  EXPECT_EQ(deep->plans[0].ranks(), 16);
  EXPECT_EQ(deep->plans[0].experiment.network.layers.back().outputs, 1001);
  EXPECT_EQ(decisionOn(deep->plans[0], "network.classes")->state, "1001");
  const auto staged = planFile(source / "experiments/dim_reduce_resnet50.json", overrides, environmentOf());
  ASSERT_TRUE(staged) << toText(staged.error());
  ASSERT_EQ(staged->plans[0].stages.size(), 2U);
  EXPECT_EQ(staged->plans[0].stages[0].snapshotSteps.size(), 40U);
  EXPECT_TRUE(staged->plans[0].stages[1].readsSnapshots);
}

TEST_F(PlanFile, TheLenetExperimentHasThePublishedNumbers) {
  const auto planned = planFile(source / "experiments/adasum_lenet5_mnist.json", {},
                                environmentOf({{"DATA_PATH", writeMnist(512, 64)}}));
  ASSERT_TRUE(planned);
  const Experiment& experiment = planned->plans[0].experiment;
  EXPECT_EQ(experiment.dataset.batchSize, 32);
  EXPECT_EQ(experiment.train.epochs, 2);
  EXPECT_EQ(experiment.optimizer.momentum, 0.9);
  EXPECT_EQ(experiment.optimizer.weightDecay, 0);
  EXPECT_EQ(experiment.optimizer.schedule.maximum, 0.02);
  EXPECT_EQ(experiment.optimizer.schedule.mode, ScheduleMode::linear);
  EXPECT_DOUBLE_EQ(experiment.optimizer.schedule.warmupEpochs, 0.2) << "10 % of two epochs";
}

TEST_F(PlanFile, CheckWarnsOfWhatIsMissingHereAndRejectsWhatIsWrong) {
  EXPECT_EQ(checkFile(files_.write("a.json", digits), environmentOf()).verdict, Verdict::accept);
  EXPECT_EQ(checkFile(files_.write("b.json", mnist), environmentOf()).verdict, Verdict::warn) << "no data here";
  const FileCheck elsewhere = checkFile(
      files_.write("c.json", R"({"network": "mlp", "dataset": "digits", "device": "cuda"})"), environmentOf());
  EXPECT_EQ(elsewhere.verdict, Verdict::accept) << "what GPUs there are is asked where it runs";
  const FileCheck wrong =
      checkFile(files_.write("d.json", R"({"network": "mlp", "sede": 1, "boost": "O7"})"), environmentOf());
  EXPECT_EQ(wrong.verdict, Verdict::reject);
  EXPECT_EQ(wrong.findings.size(), 2U);
  EXPECT_EQ(checkFile(files_.path() / "none.json", environmentOf()).verdict, Verdict::reject);
}

}  // namespace
}  // namespace slipstream
