// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/cases.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "tests/train/support/interplay_pairs.h"

namespace slipstream::reference {
namespace {

using nlohmann::json;

const char* const plainExperiment = R"({
  "name": "by value",
  "network": {"layers": [
    {"type": "conv2d", "name": "conv1", "outputs": 4, "kernel": 7, "stride": 7, "bias": false},
    {"type": "batch_norm", "name": "bn1"}, {"type": "relu"},
    {"residual": "bottleneck", "name": "block1", "channels": 8, "expansion": 2},
    {"type": "global_avg_pool"},
    {"type": "dense", "name": "end_point", "outputs": 10}]},
  "dataset": {"name": "digits", "batch_size": 4, "train_samples": 128, "evaluation_samples": 8, "shuffle": false},
  "optimizer": {"name": "momentum", "learning_rate": 0.02, "momentum": 0.9, "weight_decay": 0.01},
  "train": {"steps": 6},
  "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})";

/// Two ranks a server, as far as there are so many; the last server may have one.
void groupByServers(Case& both) {
  const int ranks = both.settings.ranks();
  const int perServer = ranks < 4 && ranks != 3 ? 1 : 2;
  both.unevenServers = ranks % perServer != 0;
  json& dictionary = both.experiment["boost"]["dictionary"];
  if (both.unevenServers) {
    dictionary.erase("common");
  } else {
    dictionary["common"]["device_number"] = perServer;
  }
  for (int rank = 0; rank < ranks; ++rank) both.settings.leafOfRank[static_cast<std::size_t>(rank)] = rank / perServer;
}

std::map<std::string, std::function<void(Case&)>>& meanings() {
  static std::map<std::string, std::function<void(Case&)>> all{
      {"less_bn",
       [](Case& both) {
         both.lessBn = true;
         both.settings.optimizer.centralizes = true;  // gc_flag
       }},
      {"grad_freeze",
       [](Case& both) {
         both.patch(R"({"boost": {"dictionary": {"grad_freeze": {"freeze_type": 0}}}})");
         both.settings.freezing = {.groups = 3, .fullShare = 0.5};
       }},
      {"grad_centralization", [](Case& both) { both.settings.optimizer.centralizes = true; }},
      {"loss_scale", [](Case&) {}},        // without an overflow it changes nothing
      {"loss_scale_group", [](Case&) {}},  // likewise
      {"micro-batches", [](Case& both) { both.settings.microBatches = 2; }},
      {"grad_accumulation", [](Case& both) { both.settings.batchesPerStep = 2; }},
      {"optimizer_parallel",  // the mathematics of `averaged`
       [](Case& both) { both.patch(R"({"parallel": {"optimizer_parallel": {"threshold": 0}}})"); }},
      {"adasum, gradients", [](Case& both) { both.settings.update = Update::adasumOfGradients; }},
      {"adasum, deltas of servers",
       [](Case& both) {
         groupByServers(both);
         both.settings.update = Update::adasumOfDeltas;
       }},
      {"adasum, flat deltas", [](Case& both) { both.settings.update = Update::adasumOfDeltas; }},
      {"dim_reduce",  // snapshots far apart: what float32 rounds off them turns the directions between them
       [](Case& both) {
         both.patch(R"({"optimizer": {"learning_rate": 0.05}})");
         both.settings.optimizer.rate = 0.05;
         both.settings.update = Update::subspace;
       }},
  };
  return all;
}

Network perceptron(const std::vector<std::size_t>& hidden) {
  Network network({28, 28, 1});
  int last = -1;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    last = network.relu(network.dense(fmt::format("layer{}", i + 1), last, hidden[i]));
  }
  network.dense(fmt::format("layer{}", hidden.size() + 1), last, 10);
  return network;
}

Network bottleneckNetwork(bool lessBn) {
  Network network({28, 28, 1});
  const auto innerNorm = [&](const std::string& name, int from) {
    return lessBn ? from : network.batchNorm(name, from);
  };
  const int stem = network.relu(network.batchNorm("bn1", network.convolution("conv1", -1, 4, 7, 7, 0)));
  int branch = network.convolution("block1.conv1", stem, 4, 1, 1, 0);
  branch = network.relu(innerNorm("block1.bn1", branch));
  branch = network.convolution("block1.conv2", branch, 4, 3, 1, 1);
  branch = network.relu(innerNorm("block1.bn2", branch));
  branch = network.batchNorm("block1.bn3", network.convolution("block1.conv3", branch, 8, 1, 1, 0));
  const int projection = network.convolution("block1.down_sample_layer.0", stem, 8, 1, 1, 0);
  const int shortcut = network.batchNorm("block1.down_sample_layer.1", projection);
  const int means = network.channelMeans(network.relu(network.sum(branch, shortcut)));
  if (lessBn) {
    network.normalizedDense("end_point", means, 10);
  } else {
    network.dense("end_point", means, 10);
  }
  return network;
}

}  // namespace

Meaning::Meaning(const std::string& algorithm, std::function<void(Case&)> apply) {
  meanings().emplace(algorithm, std::move(apply));
}

Case plainCase(int ranks) {
  Case both{json::parse(plainExperiment), {}};
  both.experiment["parallel"]["ranks"] = ranks;
  for (int rank = 0; rank < ranks; ++rank) both.settings.leafOfRank.push_back(rank);
  both.settings.samples = 128;
  both.settings.batch = 4;
  both.settings.steps = 6;
  both.settings.optimizer = {.rate = 0.02, .decay = 0.01};
  return both;
}

Case plainPerceptronCase(int ranks) {
  Case both = plainCase(ranks);
  both.hidden = {8, 8, 8, 8, 8};
  both.experiment["network"] = {{"name", "mlp"}, {"hidden", both.hidden}};
  return both;
}

void switchOn(Case& both, const std::string& algorithm) {
  const auto& all = test::interplayAlgorithms();
  const auto found = std::ranges::find(all, algorithm, &test::Algorithm::name);
  const auto meaning = meanings().find(algorithm);
  if (found == all.end() || meaning == meanings().end()) {
    throw std::runtime_error("the reference does not know the algorithm " + algorithm);
  }
  both.patch(found->changes);
  meaning->second(both);
}

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> all{
      {"nothing else", {}, [](Case&) {}},
      {"a scale that the optimizer divides by",
       {"loss_scale", "loss_scale_group"},
       [](Case& both) {
         both.patch(R"({"precision": {"loss_scale": {"kind": "fixed", "scale": 1024, "drop_overflow_update": false}},
                        "optimizer": {"loss_scale": 1024}})");
       }},
      {"a first step that overflows",
       {"loss_scale", "loss_scale_group"},
       [](Case& both) {
         both.patch(R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 1024, "factor": 1e9}}})");
         both.overflowingScale = 1e45;
         both.settings.lossScale = 1e45;
         both.settings.lossScaleFactor = 1e9;
       }},
      {"sgd",
       {},
       [](Case& both) {
         both.patch(R"({"optimizer": {"name": "sgd", "dampening": 0.25}})");
         both.settings.optimizer.sgd = true;
         both.settings.optimizer.dampening = 0.25;
       }},
      {"nesterov",
       {},
       [](Case& both) {
         both.patch(R"({"optimizer": {"nesterov": true}})");
         both.settings.optimizer.nesterov = true;
       }},
      {"summed micro-batches",
       {"micro-batches"},
       [](Case& both) {
         both.patch(R"({"train": {"micro_size": 2, "micro_reduction": "sum"}})");
         both.settings.microBatches = 2;
         both.settings.sumsMicroBatches = true;
       }},
      {"gradients summed over ranks",
       {},
       [](Case& both) {
         both.patch(R"({"parallel": {"gradients_mean": false}})");
         both.settings.sumsRanks = true;
       }},
      {"optimizer state in shards",
       {"optimizer_parallel", "adasum, flat deltas", "dim_reduce"},
       [](Case& both) { both.patch(R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 0}}})"); }},
      {"gradients in shards",
       {"optimizer_parallel", "adasum, flat deltas", "dim_reduce"},
       [](Case& both) { both.patch(R"({"parallel": {"optimizer_parallel": {"level": "level2", "threshold": 0}}})"); }},
      {"a short last batch",
       {},
       [](Case& both) {
         both.patch(R"({"dataset": {"train_samples": 45, "drop_remainder": false}})");
         both.settings.samples = 45;
         both.settings.dropRemainder = false;
       }},
  };
  return all;
}

Network networkOf(const Case& both) {
  return both.hidden.empty() ? bottleneckNetwork(both.lessBn) : perceptron(both.hidden);
}

}  // namespace slipstream::reference
