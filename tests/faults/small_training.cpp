// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <stdexcept>

#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

nlohmann::json changesOf(const std::string& kind) {
  if (kind == "plain") return nlohmann::json::object();
  if (kind == "sharded") {
    return nlohmann::json::parse(
        R"({"parallel": {"ranks": 3, "optimizer_parallel": {"level": "level3", "threshold": 0}}})");
  }
  if (kind == "stages") {
    return nlohmann::json::parse(R"({"train": {"steps": null}, "stages": [
      {"name": "first", "train": {"steps": 200}}, {"name": "second", "train": {"steps": 100}}]})");
  }
  if (kind == "adasum") {
    return nlohmann::json::parse(R"({"parallel": {"ranks": 4}, "boost": {"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "adasum": true, "less_bn": false, "grad_freeze": false}}}})");
  }
  throw std::invalid_argument("no such training: " + kind);
}

}  // namespace

nlohmann::json smallTraining(const std::string& kind, int steps) {
  nlohmann::json experiment = nlohmann::json::parse(R"({"name": "trial", "seed": 3,
    "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 24}, {"type": "relu"},
                           {"type": "dense", "outputs": 10}]},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 640, "evaluation_samples": 64},
    "loss": "cross_entropy",
    "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.05},
    "parallel": {"ranks": 2},
    "train": {"log_every_steps": 50, "evaluate_every_steps": 200,
              "checkpoint": {"save_checkpoint_steps": 40, "keep_checkpoint_max": 3}}})");
  experiment["train"]["steps"] = steps;
  experiment.merge_patch(changesOf(kind));
  return experiment;
}

void tellFailure(const std::string& kind, int trial, const std::string& what) {
  std::printf("FAILED %s %d: %s\n", kind.c_str(), trial, what.c_str());
  std::fflush(stdout);
}

int below(std::mt19937_64& random, int end) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(end));
}

}  // namespace slipstream::test
