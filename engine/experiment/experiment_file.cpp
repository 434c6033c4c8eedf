// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_file.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/config/python_literals.h"
#include "engine/experiment/boost_resolve.h"
#include "engine/experiment/boost_spelling.h"
#include "engine/experiment/config_overlay.h"
#include "engine/experiment/experiment_check.h"
#include "engine/experiment/experiment_fields.h"
#include "engine/experiment/experiment_texts.h"
#include "engine/experiment/key_hints.h"
#include "engine/probe/dataset_kind.h"
#include "engine/rank_table/rank_table.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

void collectStatus(const Status& status, Failures& failures) {
  if (!status) addOnce(failures, status.error());
}

/// The whole number that a variable of the tutorials' scripts must hold.
std::optional<std::int64_t> numberIn(const EnvironmentLookup& environment, const char* name, std::int64_t least,
                                     Failures& failures) {
  const auto text = environment(name);
  if (!text) return std::nullopt;
  const auto number = parseInteger(*text);
  if (number && *number >= least && *number <= 4096) return number;
  addOnce(failures, {{name, *text, fmt::format("is not a whole number from {} to 4096", least),
                      fmt::format("correct the environment variable, or unset {}", name)}});
  return std::nullopt;
}

Allocation hostsToBeNamed(int count) {
  Allocation allocation{"--nodes", {}};
  if (count == 1) allocation.hosts.push_back({"localhost", 0});  // whichever it will be, it starts all ranks by itself
  for (int node = 1; node <= count && count > 1; ++node) allocation.hosts.push_back({fmt::format("node{}", node), 0});
  return allocation;
}

/// Turns one variant of the file into an experiment.
class Loading {
 public:
  Loading(ConfigOverlay layers, const ExperimentOverrides& overrides, const EnvironmentLookup& environment,
          Failures& failures)
      : layers_(std::move(layers)), overrides_(overrides), environment_(environment), failures_(failures) {}

  LoadedExperiment run(const std::string& stem, const std::string& variant) {
    applyFlags();
    applyEnvironment();
    Failures found = layers_.contradictions();
    refuseForeignBytes(layers_.value(), "", found);
    checkName(layers_.value(), "", found);
    const bool alone = !layers_.has("stages");
    loaded_.experiment = read(layers_, found, alone, !alone);
    if (!alone) readStages(found);
    if (alone && readsStageSnapshots(loaded_.experiment.boost)) {
      found.push_back({"boost.dictionary.boost.dim_reduce", "true", "has no past weights to look back at",
                       "name a folder of them in dim_reduce.weight_load_dir or a ready matrix in "
                       "dim_reduce.pca_mat_path, or train in `stages`, of which an earlier one keeps snapshots"});
    }
    layers_.relabel(found);
    addOnce(failures_, found);
    if (loaded_.experiment.name.empty()) loaded_.experiment.name = printable(stem);
    loaded_.experiment.variant = variant;
    return std::move(loaded_);
  }

 private:
  void applyFlags() {
    for (const std::string& setting : overrides_.settings) collectStatus(layers_.set(setting), failures_);
    if (overrides_.ranks) collectStatus(layers_.set("parallel.ranks", *overrides_.ranks, "--ranks"), failures_);
    if (overrides_.rankTable) {
      collectStatus(layers_.set("parallel.rank_table", *overrides_.rankTable, "--rank-table"), failures_);
    }
    if (overrides_.hosts) collectStatus(layers_.set("parallel.hosts", *overrides_.hosts, "--hosts"), failures_);
    applyDevice();
    if (overrides_.seed) collectStatus(layers_.set("seed", *overrides_.seed, "--seed"), failures_);
    if (overrides_.name) collectStatus(layers_.set("name", *overrides_.name, "--name"), failures_);
    for (const auto& [path, value, by] : layers_.replaced())
      decide(path, value, phrase("not used: {} replaces it", {by}));
  }

  void applyDevice() {
    if (!overrides_.device) return;
    if (isDeviceCheck(*overrides_.device)) {
      failures_.push_back({"--device", *overrides_.device, "compares two devices and trains nothing",
                           "use slipstream devices --device " + *overrides_.device});
    } else {
      collectStatus(layers_.set("device", *overrides_.device, "--device"), failures_);
    }
  }

  void applyEnvironment() {
    applyDataPath();
    applyRanks();
    if (const auto number = numberIn(environment_, "DEVICE_NUM", 1, failures_)) {
      loaded_.deviceNumberHint = static_cast<int>(*number);
    }
    for (const char* name : {"RANK_ID", "DEVICE_ID", "SERVER_ID"}) {
      if (const auto number = numberIn(environment_, name, 0, failures_)) {
        decide(name, std::to_string(*number),
               phrase("not used: the supervisor starts every rank and numbers it itself"));
      }
    }
  }

  static Text notUsedBy(const DatasetKind& kind) {
    if (kind.ofProgram)
      return phrase("not used by Slipstream: the program reads its samples itself, and is given the variable");
    return phrase("not used: {} are generated", {kind.name});
  }

  void applyDataPath() {
    loaded_.dataFromFlag = layers_.labelOf("dataset.path").starts_with("--set");
    if (layers_.has("dataset.path") && layers_.value()["dataset"]["path"] != "") {
      const std::string label = layers_.labelOf("dataset.path");
      loaded_.dataSource = label.empty() ? "dataset.path" : label;
    }
    const auto folder = environment_("DATA_PATH");
    if (!folder) return;
    if (!loaded_.dataSource.empty()) {
      decide("DATA_PATH", *folder, phrase("not used: {} names the data folder", {loaded_.dataSource}));
      return;
    }
    const Json& root = layers_.value();
    const Json* name = layers_.has("dataset.name") ? &root["dataset"]["name"] : nullptr;
    const DatasetKind* kind = name != nullptr && name->is_string() ? findDatasetKind(*name) : nullptr;
    if (kind != nullptr && kind->generated) {
      decide("DATA_PATH", *folder, notUsedBy(*kind));
      return;
    }
    collectStatus(layers_.set("dataset.path", *folder, "DATA_PATH"), failures_);
    loaded_.dataSource = "DATA_PATH";
    decide("DATA_PATH", *folder, phrase("used as the data folder: no flag and no key names one"));
  }

  void applyRanks() {
    const auto table = environment_("RANK_TABLE_FILE");
    const auto size = numberIn(environment_, "RANK_SIZE", 1, failures_);
    const bool written =
        layers_.has("parallel.ranks") || layers_.has("parallel.rank_table") || layers_.has("parallel.hosts");
    if (table && !written) {
      collectStatus(layers_.set("parallel.rank_table", *table, "RANK_TABLE_FILE"), failures_);
      if (size) layers_.keepBoth("parallel.ranks", *size);
    } else if (size && !written) {
      collectStatus(layers_.set("parallel.ranks", *size, "RANK_SIZE"), failures_);
    }
    const Text use =
        written ? phrase("not used: the file or a flag gives the ranks") : phrase("used: nothing else gives the ranks");
    if (table) decide("RANK_TABLE_FILE", *table, use);
    if (size) decide("RANK_SIZE", std::to_string(*size), use);
    if (overrides_.nodes > 0) {
      loaded_.allocation = hostsToBeNamed(overrides_.nodes);
    } else {
      applyAllocation(written || table || size);
    }
  }

  /// Of the scheduler's job that this process is in, where there is one.
  void applyAllocation(bool ranksAreGiven) {
    auto allocation = findAllocation(environment_);
    if (!allocation) {
      if (!ranksAreGiven) addOnce(failures_, allocation.error());
      return;
    }
    if (!*allocation) return;
    if (!ranksAreGiven) {
      loaded_.allocation = std::move(*allocation);
    } else if ((*allocation)->hosts.size() > 1) {
      decide((*allocation)->source, environment_((*allocation)->source.c_str()).value_or(""),
             phrase("not used: the file or a flag gives the ranks"));
    }
  }

  /// Each stage is an experiment of its own: the file's, and above it the stage's keys.
  void readStages(Failures& found) {
    const std::vector<StageEntry> entries = readStageEntries(layers_.value()["stages"], found);
    ConfigOverlay shared = layers_;
    shared.erase("stages");
    const Failures before = found;
    StageFailures inShared;
    for (const StageEntry& entry : entries) {
      ConfigOverlay own = shared;
      own.merge(entry.overrides, entry.path);
      Failures failures = own.contradictions();
      const Experiment experiment = read(own, failures, true, !entry.start.stage.empty());
      own.relabel(failures);
      loaded_.stages.push_back({entry.name, entry.path, entry.start, experiment, failures.empty()});
      std::erase_if(failures,
                    [&](const Failure& failure) { return std::ranges::find(before, failure) != before.end(); });
      const auto elsewhere = std::ranges::stable_partition(
          failures, [&](const Failure& failure) { return failure.where.starts_with(entry.path); });
      addOnce(found, {failures.begin(), elsewhere.begin()});
      inShared.add(entry.name, {elsewhere.begin(), elsewhere.end()});
    }
    inShared.appendTo(found, entries.size());
    addOnce(found, checkStages(loaded_.stages));
  }

  /// `alone`: it is trained as it is, so contradictions in it count.
  Experiment read(const ConfigOverlay& layers, Failures& found, bool alone, bool afterStage) {
    ExperimentSections sections;
    Json file = layers.value();
    file.erase("stages");
    Failures unread;
    readFields(file, "", unread, [&](Fields& fields) { describeExperimentFile(fields, sections); });
    hintAtMeaning(unread);
    addOnce(found, unread);
    resolveSections(sections, found, afterStage);
    if (alone) addOnce(found, checkExperiment(sections.experiment, sections.network.classes.has_value()));
    return std::move(sections.experiment);
  }

  /// Network and boost are words with a meaning of their own.
  void resolveSections(ExperimentSections& sections, Failures& found, bool afterStage) {
    Experiment& experiment = sections.experiment;
    kindOf(experiment.dataset).discover(experiment.dataset);
    auto network = networkOf(sections.network, experiment.dataset.classes);
    if (collect(network, found)) experiment.network = std::move(*network);
    resolveDictionary(sections, found, afterStage);
    const bool ranksGiven =
        layers_.has("parallel.ranks") || (!experiment.parallel.onNamedHosts() && !loaded_.allocation);
    if (!ranksGiven) experiment.parallel.ranks = 0;
    loaded_.fallBackToDigits = !sections.datasetFallback.empty();
    const std::string key = experiment.parallel.hosts.empty() ? "parallel.rank_table" : "parallel.hosts";
    const std::string label = layers_.labelOf(key);
    loaded_.rankTableSource = label.empty() ? key : label;
  }

  void resolveDictionary(ExperimentSections& sections, Failures& found, bool afterStage) {
    const auto dictionary = boostDictionary(sections.boostDictionary);
    if (!collect(dictionary, found)) return;
    if (sections.boostDictionary.is_string()) sayWhichFile(sections.boostDictionary.get<std::string>());
    auto boost = resolveBoost(sections.boostLevel, *dictionary, "boost.dictionary", afterStage);
    if (collect(boost, found)) sections.experiment.boost = std::move(*boost);
  }

  /// Once, however many stages read it.
  void sayWhichFile(const std::string& file) {
    const auto said = std::ranges::find(loaded_.decisions, std::string("boost.dictionary"), &Decision::subject);
    if (said == loaded_.decisions.end()) decide("boost.dictionary", file, phrase("the dictionary in this file"));
  }

  void decide(std::string subject, const std::string& state, Text why) {
    loaded_.decisions.push_back(adjusted(std::move(subject), printable(state), Reason::environment, std::move(why)));
  }

  ConfigOverlay layers_;
  const ExperimentOverrides& overrides_;
  const EnvironmentLookup& environment_;
  Failures& failures_;
  LoadedExperiment loaded_;
};

void checkVariantName(const Json& variant, const std::string& path, std::set<std::string>& names, Failures& failures) {
  const bool named = variant.contains("name") && variant["name"].is_string();
  if (!named || trim(variant["name"].get<std::string>()).empty()) {
    failures.push_back({path + ".name", "", "is missing", "give every variant a name of its own"});
  } else if (!names.insert(variant["name"].get<std::string>()).second) {
    failures.push_back({path + ".name", shortText(variant["name"]), "is the name of another variant", "rename one"});
  } else {
    checkName(variant, path, failures);
  }
}

/// The entries of `variants`; one empty one where the file has none.
std::vector<Json> variantsOf(const Json& root, Failures& failures) {
  if (!root.contains("variants")) return {Json::object()};
  const Json& list = root["variants"];
  if (!list.is_array() || list.empty()) {
    failures.push_back({"variants", shortText(list), "must be a list of at least one variant",
                        "write [{\"name\": \"first\"}, ...], or remove it"});
    return {Json::object()};
  }
  std::set<std::string> names;
  std::vector<Json> variants;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string path = fmt::format("variants[{}]", i);
    if (!list[i].is_object()) {
      failures.push_back({path, shortText(list[i]), "must be an object with keys", "write it in curly brackets"});
      continue;
    }
    checkVariantName(list[i], path, names, failures);
    if (list[i].contains("variants")) {
      failures.push_back({path + ".variants", "", "cannot be inside a variant", "list all variants in one list"});
    }
    if (list[i].contains("seeds")) {
      failures.push_back({path + ".seeds", "", "cannot be inside a variant", "write it outside: it holds for all"});
    }
    variants.push_back(list[i]);
  }
  return variants;
}

/// The entries of `seeds`; one empty one where the file has none.
std::vector<Json> seedsOf(const Json& root, Failures& failures) {
  if (!root.contains("seeds")) return {Json::object()};
  const Json& list = root["seeds"];
  std::set<Json> different;
  std::vector<Json> seeds;
  if (list.is_array()) {
    for (const Json& seed : list) {
      different.insert(seed);
      seeds.push_back({{"seed", seed}});
    }
  }
  if (seeds.empty() || different.size() != seeds.size()) {
    failures.push_back({"seeds", shortText(list), "must be a list of different seeds", "write [1, 2, 3]"});
    return {Json::object()};
  }
  if (root.contains("seed")) {
    failures.push_back({"seeds", shortText(list), "excludes seed", "keep one of the two"});
  }
  return seeds;
}

}  // namespace

Result<LoadedFile> loadExperimentText(std::string text, const std::filesystem::path& file,
                                      const ExperimentOverrides& overrides, const EnvironmentLookup& environment) {
  LoadedFile loaded;
  text = experimentAsJson(text);
  SLIPSTREAM_TRY(root, parseJson(text, file.string()));
  if (!root.is_object()) {
    return fail(file.string(), shortText(root), "is not an experiment", "write one object in curly brackets");
  }
  if (looksLikeRankTable(root)) {
    return fail(file.string(), "", "is a rank table, not an experiment",
                "name the experiment, and give the table by --rank-table");
  }
  Failures failures;
  const std::vector<Json> variants = variantsOf(root, failures);
  root.erase("variants");
  const std::vector<Json> seeds = overrides.seed ? std::vector{Json::object()} : seedsOf(root, failures);
  root.erase("seeds");
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
    for (std::size_t place = 0; place < variants.size(); ++place) {
      // Every second seed goes backwards: what the machine does on the way, it does to all variants alike.
      const std::size_t i = seed % 2 == 0 ? place : variants.size() - 1 - place;
      ConfigOverlay layers(root, folder);
      Json variant = variants[i];
      const std::string name =
          variant.contains("name") && variant["name"].is_string() ? variant["name"].get<std::string>() : "";
      variant.erase("name");
      variant.erase("variants");
      variant.erase("seeds");
      layers.merge(std::move(variant), fmt::format("variants[{}]", i));
      if (!seeds[seed].empty()) layers.merge(seeds[seed], fmt::format("seeds[{}]", seed));
      loaded.experiments.push_back(
          Loading(std::move(layers), overrides, environment, failures).run(file.stem().string(), name));
    }
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  loaded.text = std::move(text);
  return loaded;
}

}  // namespace slipstream
