// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/support/protected_cases.h"

#include "engine/base/error.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream::test {
namespace {

using nlohmann::json;

const json plain = json::parse(R"({
  "name": "locked", "network": "small_resnet_bottleneck",
  "dataset": {"name": "digits", "batch_size": 4, "train_samples": 128, "evaluation_samples": 16},
  "optimizer": {"name": "momentum", "learning_rate": 0.01, "weight_decay": 0.001},
  "parallel": {"ranks": 3, "bucket_bytes": 20000},
  "train": {"steps": 4, "checkpoint": {"save_checkpoint_steps": 2}},
  "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})");

RunPlan planOf(const json& experiment) {
  TextFiles files;
  const auto planned = planFile(files.write("locked.json", experiment.dump()), {}, environmentOf());
  if (!planned) throw Error(toText(planned.error()));
  return planned->plans.front();
}

}  // namespace

const std::vector<ProtectedCase>& protectedCases() {
  static const std::vector<ProtectedCase> cases{
      {"averaged", "{}"},
      {"plain_sgd", R"({"optimizer": {"name": "sgd", "momentum": 0}})"},
      {"adamw_clipped",
       R"({"optimizer": {"name": "adamw", "eps": 0.01, "clip_norm": 1}, "train": {"average_decay": 0.5}})"},
      {"lamb_level2", R"({"optimizer": {"name": "lamb", "eps": 0.01},
        "parallel": {"optimizer_parallel": {"level": "level2", "threshold": 1}}})"},
      {"lars_level3", R"({"optimizer": {"name": "lars", "clip_norm": 1}, "train": {"average_decay": 0.5},
        "parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})"},
      {"adasum_of_adam", R"({"optimizer": {"name": "adam", "eps": 0.01},
        "boost": {"dictionary": {"boost": {"adasum": true}, "adasum": {"mode": "deltas"}}}})"},
      {"without_overlap", R"({"parallel": {"overlap": false}})"},
      {"less_bn", R"({"boost": {"dictionary": {"boost": {"less_bn": true}}}})"},
      {"grad_freeze", R"({"boost": {"dictionary": {"boost": {"grad_freeze": true},
        "grad_freeze": {"param_groups": 3, "freeze_p": 0.5}}}})"},
      {"grad_centralization", R"({"optimizer": {"grad_centralization": true}})"},
      {"loss_scale", R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 1024}}})"},
      {"micro_batches", R"({"train": {"micro_size": 2}})"},
      {"level1", R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 1}}})"},
      {"level2", R"({"parallel": {"optimizer_parallel": {"level": "level2", "threshold": 1}}})"},
      {"level3", R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})"},
      {"adasum_of_gradients_gram",
       R"({"boost": {"dictionary": {"boost": {"adasum": true}, "adasum": {"mode": "gradients", "exchange": "gram"}}}})"},
      {"adasum_of_deltas_halving",
       R"({"boost": {"dictionary": {"boost": {"adasum": true}, "adasum": {"mode": "deltas", "exchange": "halving"}}}})"},
      {"adasum_of_servers", R"({"parallel": {"ranks": 4}, "boost": {"dictionary": {"boost": {"adasum": true},
        "common": {"device_number": 2}, "adasum": {"mode": "deltas", "scope": "servers"}}}})"},
      {"sharded_deltas_of_servers",
       R"({"parallel": {"ranks": 4, "optimizer_parallel": {"level": "level1", "threshold": 1}},
        "boost": {"dictionary": {"boost": {"adasum": true}, "common": {"device_number": 2},
        "adasum": {"mode": "deltas", "scope": "servers"}}}})"},
  };
  return cases;
}

RunPlan protectedPlan(const char* changes) {
  json experiment = plain;
  experiment.merge_patch(json::parse(changes));
  return planOf(experiment);
}

RunPlan stagedProtectedPlan(const char* method, int ranks) {
  json experiment = plain;
  experiment["parallel"]["ranks"] = ranks;
  experiment["dataset"]["train_samples"] = 128 * ranks / 3;  // as many steps an epoch with any number of ranks
  experiment["stages"] = json::parse(R"([
    {"name": "before", "train": {"snapshots": {"first_epoch": 0, "per_epoch": 10, "keep": 4}}},
    {"name": "refreshed", "start": "before", "train": {"steps": 0, "refresh_statistics": true}},
    {"name": "after", "start": "before"}])");
  json& after = experiment["stages"][2];
  after["boost"] = experiment["boost"];
  after["boost"]["dictionary"]["boost"]["dim_reduce"] = true;
  after["boost"]["dictionary"]["dim_reduce"] = {{"n_components", 2}, {"method", method}};
  return planOf(experiment);
}

}  // namespace slipstream::test
