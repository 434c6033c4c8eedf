// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdexcept>

#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

nlohmann::json changesOf(const std::string& form, int steps) {
  if (form == "plain") return nlohmann::json::object();
  if (form == "sharded") {
    return nlohmann::json::parse(R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 0}}})");
  }
  if (form == "stages") {
    const int first = steps * 2 / 3;
    nlohmann::json stages;
    stages["train"]["steps"] = nullptr;
    stages["stages"] = {{{"name", "first"}, {"train", {{"steps", first}}}},
                        {{"name", "second"}, {"train", {{"steps", steps - first}}}}};
    return stages;
  }
  if (form == "adasum") {
    return nlohmann::json::parse(R"({"boost": {"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "adasum": true, "less_bn": false, "grad_freeze": false},
      "adasum": {"mode": "deltas"}}}})");
  }
  throw std::invalid_argument("no such training: " + form);
}

}  // namespace

nlohmann::json smallTraining(const std::string& form, int steps, int ranks) {
  nlohmann::json experiment = nlohmann::json::parse(R"({"name": "trial", "seed": 3,
    "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 24}, {"type": "relu"},
                           {"type": "dense", "outputs": 10}]},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 640, "evaluation_samples": 64},
    "loss": "cross_entropy",
    "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.05},
    "train": {"log_every_steps": 50, "evaluate_every_steps": 80,
              "checkpoint": {"save_checkpoint_steps": 40, "keep_checkpoint_max": 3}}})");
  experiment["train"]["steps"] = steps;
  experiment["parallel"]["ranks"] = ranks;
  experiment.merge_patch(changesOf(form, steps));
  return experiment;
}

}  // namespace slipstream::test
