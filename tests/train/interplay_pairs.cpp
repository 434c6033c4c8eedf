// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/interplay_pairs.h"

#include <set>

namespace slipstream::test {

using nlohmann::json;

const std::vector<Algorithm>& interplayAlgorithms() {
  static const std::vector<Algorithm> algorithms{
      {"less_bn", R"({"boost": {"dictionary": {"boost": {"less_bn": true}}}})"},
      {"grad_freeze", R"({"boost": {"dictionary": {"boost": {"grad_freeze": true},
      "grad_freeze": {"param_groups": 3, "freeze_p": 0.5}}}})"},
      {"grad_centralization", R"({"optimizer": {"grad_centralization": true}})"},
      {"loss_scale", R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 1024}}})"},
      {"loss_scale_group", R"({"boost": {"dictionary": {"boost": {"loss_scale_group": true}}},
      "optimizer": {"groups": [{"match": ["conv*"]}]}})"},
      {"micro-batches", R"({"train": {"micro_size": 2}})"},
      {"grad_accumulation", R"({"boost": {"dictionary": {"boost": {"grad_accumulation": true},
      "grad_accumulation": {"grad_accumulation_step": 2}}}})"},
      {"optimizer_parallel", R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})"},
      {"adasum, gradients",
       R"({"boost": {"dictionary": {"boost": {"adasum": true}, "adasum": {"mode": "gradients"}}}})"},
      {"adasum, deltas of servers",
       R"({"boost": {"dictionary": {"boost": {"adasum": true}, "common": {"device_number": 2},
      "adasum": {"mode": "deltas", "scope": "servers"}}}})"},
      {"adasum, flat deltas", R"({"boost": {"dictionary": {"boost": {"adasum": true},
      "adasum": {"mode": "deltas", "scope": "flat"}}}})"},
      {"dim_reduce",
       R"({"boost": {"dictionary": {"boost": {"dim_reduce": true}, "dim_reduce": {"n_components": 1}}}})"},
  };
  return algorithms;
}

bool isPair(const Algorithm& a, const Algorithm& b) {
  const auto stem = [](const Algorithm& algorithm) { return std::string(algorithm.name).substr(0, 7); };
  return stem(a) != stem(b) || stem(a) == "grad_fr";
}

bool mayBeRefused(const std::string& a, const std::string& b) {
  const std::set<std::string> pair{a, b};
  const auto has = [&](const char* name) { return pair.contains(name); };
  const bool adasum = a.starts_with("adasum") || b.starts_with("adasum");
  if (has("dim_reduce")) return adasum || has("optimizer_parallel") || has("grad_accumulation");
  return has("optimizer_parallel") && has("adasum, flat deltas");
}

json inStages(json experiment, const json& snapshots) {
  json& boost = experiment["boost"]["dictionary"]["boost"];
  if (!boost.value("dim_reduce", false)) return experiment;
  const json with = experiment["boost"];
  boost["dim_reduce"] = false;
  experiment["boost"]["dictionary"].erase("dim_reduce");
  experiment["stages"] =
      json::array({{{"name", "before"}, {"train", {{"snapshots", snapshots}}}}, {{"name", "after"}, {"boost", with}}});
  return experiment;
}

}  // namespace slipstream::test
