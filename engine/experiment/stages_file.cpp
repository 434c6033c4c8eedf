// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/stages_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/config/fields.h"
#include "engine/experiment/resolved_form.h"

namespace slipstream {
namespace {

/// What all stages of a run share.
constexpr std::array<const char*, 6> sharedKeys{"seed", "seeds", "device", "network", "variants", "stages"};
constexpr std::array<const char*, 3> sharedParallelKeys{"ranks", "rank_table", "hosts"};
constexpr std::array<const char*, 6> sharedDataKeys{"name",       "path",    "train_samples", "evaluation_samples",
                                                    "image_size", "fallback"};

/// Moves the keys of the head out of the entry, and leaves the sections.
Json takeHead(Json& entry) {
  Json head = Json::object();
  for (const char* key : {"name", "start", "continue"}) {
    if (!entry.contains(key)) continue;
    head[key] = entry[key];
    entry.erase(key);
  }
  return head;
}

template <class Keys>
void refuseShared(Json& object, const Keys& keys, const std::string& path, Failures& failures) {
  if (!object.is_object()) return;
  for (const char* key : keys) {
    if (!object.contains(key)) continue;
    failures.push_back({path + "." + key, shortText(object[key]), "is the same for all stages of a run",
                        "write it beside `stages`, not inside"});
    object.erase(key);
  }
}

const StageEntry* named(const std::vector<StageEntry>& entries, const std::string& name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::string namesOf(const std::vector<StageEntry>& entries) {
  std::vector<std::string> names;
  for (const StageEntry& entry : entries) names.push_back(entry.name);
  return join(names, ", ");
}

void checkName(const StageEntry& entry, const std::vector<StageEntry>& before, Failures& failures) {
  const bool plain = entry.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                     std::string::npos;
  if (entry.name.empty()) {
    failures.push_back({entry.path + ".name", "", "is missing", "give every stage a name of its own"});
  } else if (!plain) {
    failures.push_back(
        {entry.path + ".name", entry.name, "has other characters than letters, digits, _ and -", "rename the stage"});
  } else if (named(before, entry.name) != nullptr) {
    failures.push_back({entry.path + ".name", entry.name, "is the name of another stage", "rename one"});
  }
}

void resolveStart(StageEntry& entry, bool written, const std::vector<StageEntry>& before, Failures& failures) {
  if (before.empty()) {
    if (written || entry.start.continues) {
      failures.push_back({entry.path + (written ? ".start" : ".continue"), entry.start.stage,
                          "has no stage before it to start from", "remove it: the first stage starts afresh"});
    }
    entry.start = {};
  } else if (entry.start.stage.empty()) {
    entry.start.stage = before.back().name;
  } else if (named(before, entry.start.stage) == nullptr) {
    failures.push_back({entry.path + ".start", entry.start.stage, "is not the name of an earlier stage",
                        "name one of " + namesOf(before)});
  }
  if (entry.start.continues && entry.start.wantsMean()) {
    failures.push_back({entry.path + ".continue", "true", "cannot go on from a mean of snapshots",
                        "remove it, or start from the last weights"});
  }
}

const LoadedStage* sourceOf(const LoadedStage& stage, const std::vector<LoadedStage>& stages) {
  const auto found =
      std::find_if(stages.begin(), stages.end(), [&](const auto& other) { return other.name == stage.start.stage; });
  return found == stages.end() ? nullptr : &*found;
}

void checkWishes(const LoadedStage& stage, const LoadedStage* source, Failures& failures) {
  const bool reads = readsStageSnapshots(stage.experiment.boost);
  if (!reads && !stage.start.wantsMean()) return;
  const std::string where = stage.path + (reads ? ".boost.dictionary.dim_reduce" : ".start.weights");
  const std::string what = reads ? "dim_reduce" : "snapshot_mean";
  if (source == nullptr) {
    failures.push_back({where, what, "reads the snapshots of an earlier stage, and this is the first",
                        "put a stage with train.snapshots before it, or name dim_reduce.weight_load_dir"});
  } else if (!source->experiment.train.snapshots) {
    failures.push_back({where, what, "reads the snapshots of stage " + source->name + ", which keeps none",
                        fmt::format("add {}.train.snapshots, or start from a stage that keeps some", source->path)});
  }
}

/// What a schedule depends on must be the same before and after, or the course is another one.
void checkContinuation(const LoadedStage& stage, const LoadedStage& source, Failures& failures) {
  const Json ours = toJson(stage.experiment);
  const Json theirs = toJson(source.experiment);
  for (const char* section : {"optimizer", "loss", "dataset", "parallel", "precision", "boost"}) {
    if (ours[section] == theirs[section]) continue;
    failures.push_back({stage.path + ".continue", "true",
                        fmt::format("cannot go on: {} differs between this stage and {}", section, source.name),
                        fmt::format("write what both need beside `stages`, or remove \"continue\"")});
  }
  if (stage.experiment.train.averageDecay != source.experiment.train.averageDecay) {
    failures.push_back({stage.path + ".continue", "true",
                        "cannot go on: train.average_decay differs between this stage and " + source.name,
                        "write it beside `stages`, or remove \"continue\""});
  }
  const ScheduleSpec& schedule = stage.experiment.optimizer.schedule;
  const bool longer = schedule.totalEpochs > 0 || (schedule.coveredFraction > 0 && schedule.coveredFraction < 1);
  if (schedule.mode == ScheduleMode::constant || longer) return;
  failures.push_back(
      {stage.path + ".continue", "true",
       "cannot go on: the schedule is as long as stage " + source.name + " and ends with it",
       "write optimizer.learning_rate.total_epochs, longer than that stage, or covered_fraction below 1"});
}

void checkUse(const LoadedStage& stage, const std::vector<LoadedStage>& stages, Failures& failures) {
  if (!stage.experiment.train.snapshots) return;
  const bool used = std::any_of(stages.begin(), stages.end(), [&](const LoadedStage& other) {
    // Also by a stage that this time reads the matrix which an earlier run made of them.
    const BoostConfig& boost = other.experiment.boost;
    const bool projects = boost.isOn<DimReduceOptions>() && boost.of<DimReduceOptions>().weightLoadDir.empty();
    return other.start.stage == stage.name && (other.start.wantsMean() || projects);
  });
  if (used) return;
  failures.push_back({stage.path + ".train.snapshots", "", "are read by no stage",
                      "remove them, or start a stage of dim_reduce or a mean of snapshots from " + stage.name});
}

}  // namespace

std::vector<StageEntry> readStageEntries(const Json& list, Failures& failures) {
  if (!list.is_array() || list.empty()) {
    failures.push_back({"stages", shortText(list), "must be a list of at least one stage",
                        "write [{\"name\": \"train\"}, ...], or remove it"});
    return {};
  }
  std::vector<StageEntry> entries;
  for (std::size_t i = 0; i < list.size(); ++i) {
    StageEntry entry;
    entry.path = fmt::format("stages[{}]", i);
    if (!list[i].is_object()) {
      failures.push_back({entry.path, shortText(list[i]), "must be an object with keys", "write it in curly brackets"});
      continue;
    }
    entry.overrides = list[i];
    const Json head = takeHead(entry.overrides);
    readFields(head, entry.path, failures, [&](Fields& fields) { describeStage(fields, entry); });
    refuseShared(entry.overrides, sharedKeys, entry.path, failures);
    if (entry.overrides.contains("parallel")) {
      refuseShared(entry.overrides["parallel"], sharedParallelKeys, entry.path + ".parallel", failures);
    }
    if (entry.overrides.contains("dataset")) {
      refuseShared(entry.overrides["dataset"], sharedDataKeys, entry.path + ".dataset", failures);
    }
    checkName(entry, entries, failures);
    resolveStart(entry, head.contains("start"), entries, failures);
    entries.push_back(std::move(entry));
  }
  return entries;
}

void StageFailures::add(const std::string& stage, const Failures& failures) {
  for (const Failure& failure : failures) {
    const auto known = std::ranges::find(shared_, failure, &Shared::failure);
    if (known == shared_.end()) {
      shared_.push_back({failure, {stage}});
    } else if (known->stages.back() != stage) {
      known->stages.push_back(stage);
    }
  }
}

void StageFailures::appendTo(Failures& failures, std::size_t stages) const {
  for (const auto& [failure, names] : shared_) {
    Failure named = failure;
    const bool everywhere = names.size() == stages && stages > 1;
    if (!everywhere)
      named.problem += fmt::format(", in {} {}", names.size() == 1 ? "stage" : "stages", join(names, ", "));
    addOnce(failures, {named});
  }
}

void describeStage(Fields& fields, StageEntry& entry) {
  fields.text({"name", "of the stage: letters, digits, _ and -", Key::required}, entry.name, {});
  const auto start = [&](Fields& inner) {
    inner.text({"stage", "name of an earlier stage; default: the one before"}, entry.start.stage, {});
    choice(inner, {"weights", "its last weights, or the mean of its snapshots"}, entry.start.weights, startingWeights);
  };
  fields.section({"start",
                  "an earlier stage to start from; default: the one before; the first starts from network.pre_trained "
                  "or random weights"},
                 start, wordFor("stage", start));
  fields.flag(
      {"continue", "optimizer state, schedule and data order go on as if the stage it starts from had not ended"},
      entry.start.continues);
}

bool isOverriddenByStages(const std::string& key) {
  return key != "name" && std::ranges::find(sharedKeys, key) == sharedKeys.end();
}

Failures checkStages(const std::vector<LoadedStage>& stages) {
  Failures failures;
  // What could not be read would be found to differ or to be missing, which nobody needs to hear beside the reason.
  const bool allSound = std::ranges::all_of(stages, &LoadedStage::sound);
  for (const LoadedStage& stage : stages) {
    const LoadedStage* source = sourceOf(stage, stages);
    const bool sound = stage.sound && (source == nullptr || source->sound);
    if (sound) checkWishes(stage, source, failures);
    if (sound && stage.start.continues && source != nullptr) checkContinuation(stage, *source, failures);
    if (allSound) checkUse(stage, stages, failures);
  }
  return failures;
}

}  // namespace slipstream
