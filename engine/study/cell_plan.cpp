// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/cell_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/config/python_literals.h"
#include "engine/probe/this_host.h"
#include "engine/runs/measure.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

/// The base experiment with this variant alone.
Json documentOf(const Study& study, const StudyVariant& variant) {
  Json root = Json::parse(experimentAsJson(study.baseText));
  root.erase("variants");
  root.erase("seeds");
  Json own = variant.overrides;
  own["name"] = variant.name;
  root["variants"] = Json::array({std::move(own)});
  return root;
}

const Json* valueAt(const Json& object, const std::string& path) {
  const Json* at = &object;
  for (const std::string& key : split(path, '.')) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return at;
}

/// What the key is before the rate is scaled: the cell's settings, the variant's section, or the base's.
const Json* written(const Json& root, const StudySettings& settings, const std::string& path) {
  if (const auto found = settings.find(path); found != settings.end()) return &found->second;
  if (const Json* own = valueAt(root["variants"][0], path)) return own;
  return valueAt(root, path);
}

Status scaleRate(const Study& study, const StudyVariant& variant, StudySettings& settings) {
  if (variant.scaleRate == RateScale::none) return {};
  const Json root = documentOf(study, variant);
  const std::string place = variant.name + ": scale_rate";
  const Json* ranks = written(root, settings, "parallel.ranks");
  if (ranks == nullptr || !ranks->is_number_integer()) {
    return fail(place, "", "asks for a number of ranks, and none is written", "write parallel.ranks");
  }
  for (const char* path : {"optimizer.learning_rate.lr_max", "optimizer.learning_rate.lr", "optimizer.learning_rate"}) {
    const Json* rate = written(root, settings, path);
    if (rate == nullptr || !rate->is_number()) continue;
    const double count = ranks->get<double>();
    settings[path] = rate->get<double>() * (variant.scaleRate == RateScale::linear ? count : std::sqrt(count));
    return {};
  }
  return fail(place, "", "finds no learning rate to scale", "write optimizer.learning_rate, or its lr_max");
}

}  // namespace

Result<StudySettings> cellSettings(const Study& study, const StudyVariant& variant, const StudySettings& factors,
                                   std::int64_t trial) {
  StudySettings settings = factors;
  for (const auto& [key, value] : variant.settings) {
    if (!settings.emplace(key, value).second) {
      return fail(variant.name + ": set." + key, shortText(value), "is a factor of the study too",
                  "leave one of them out");
    }
  }
  if (trial > 0) {
    for (const auto& [key, value] : trialSettings(study.spaceOf(variant.name), trial)) settings[key] = value;
  }
  SLIPSTREAM_CHECK(scaleRate(study, variant, settings));
  if (study.question.target) settings["train.target_accuracy"] = *study.question.target;
  return settings;
}

Result<PlannedFile> planCell(const Study& study, const StudyVariant& variant, const StudySettings& settings,
                             std::uint64_t seed, const EnvironmentLookup& environment, const DataInspection& inspect) {
  ExperimentOverrides overrides;
  overrides.seed = seed;
  for (const auto& [key, value] : settings) overrides.settings.push_back(key + "=" + value.dump());
  PlanProblems problems;
  PlannedFile planned =
      planExperimentText(documentOf(study, variant).dump(2), study.base, overrides, environment, problems, inspect);
  addOnce(problems.wrong, problems.absent);
  for (const RunPlan& plan : planned.plans) {
    if (const Status can = runnableHere(plan); !can) addOnce(problems.wrong, can.error());
  }
  if (!problems.wrong.empty()) return tl::unexpected(std::move(problems.wrong));
  return planned;
}

Result<PlannedFile> planCell(const Study& study, const StudyVariant& variant, const StudySettings& settings,
                             std::uint64_t seed) {
  return planCell(
      study, variant, settings, seed, [](const char* name) { return slipstream::environment(name); }, inspectData);
}

int coresOf(const Study& study) {
  return study.budget.cores > 0 ? static_cast<int>(study.budget.cores) : coresOnHost();
}

CellCost costOf(const Study& study, const RunPlan& plan, int cores) {
  const std::vector<std::string> judged = study.question.judged();
  const bool timed = std::ranges::any_of(measures(), [&](const Measure& measure) {
    return measure.cost && std::ranges::find(judged, measure.key) != judged.end();
  });
  CellCost cost;
  cost.cores = timed ? cores : std::min(cores, plan.ranks() * plan.threadsPerRank);
  for (const auto& [category, bytes] : plan.memoryPerRank) cost.memory += bytes * plan.ranks();
  cost.accelerators = deviceKindOf(plan.experiment).ownMemory ? 1 : 0;
  return cost;
}

}  // namespace slipstream
