// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "engine/analysis/run_colours.h"
#include "engine/config/python_literals.h"
#include "engine/report/report_sections.h"
#include "engine/store/study_table.h"

namespace slipstream {
namespace {

/// FNV-1a (Fowler, Noll, Vo), which is the same everywhere.
std::uint32_t hashOf(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return hash;
}

/// The variants that an experiment file names.
void addOfFile(const std::string& text, std::set<std::string>& names) {
  const auto experiment = nlohmann::json::parse(experimentAsJson(text), nullptr, false);
  if (!experiment.is_object() || !experiment.contains("variants") || !experiment["variants"].is_array()) return;
  for (const auto& variant : experiment["variants"]) {
    if (variant.is_object() && variant.contains("name") && variant["name"].is_string()) {
      names.insert(variant["name"].get<std::string>());
    }
  }
}

/// The variants of the studies that trained any of the runs.
void addOfStudies(RunStore& store, const std::set<std::string>& runs, std::set<std::string>& names) {
  for (const StudyRecord& study : store.studies().all()) {
    const std::vector<StudyCell> cells = store.studies().cells(study.number);
    const bool isOne = std::ranges::any_of(cells, [&](const StudyCell& cell) { return runs.contains(cell.run); });
    for (const StudyCell& cell : cells) {
      if (isOne) names.insert(cell.variant);
    }
  }
}

struct Colours {
  std::map<std::string, int> slots = {};
  std::set<int> taken = {};

  void add(const std::string& name) {
    if (slots.contains(name)) return;
    const auto colour = static_cast<int>((hashOf(name) >> 8) % runColourCount);
    taken.insert(slots[name] = nextFreeSlot(colour, taken));
  }
};

}  // namespace

std::map<std::string, int> printColours(RunStore& store, const std::vector<RunRecord>& runs,
                                        const std::vector<std::string>& labels) {
  std::set<std::string> names, ids, files;
  for (const RunRecord& run : runs) {
    ids.insert(run.id);
    files.insert(run.experimentText);
  }
  for (const std::string& file : files) addOfFile(file, names);
  addOfStudies(store, ids, names);
  Colours colours;
  for (const std::string& name : names) colours.add(name);
  for (const std::string& label : std::set<std::string>(labels.begin(), labels.end())) colours.add(label);
  return colours.slots;
}

void giveColours(const std::map<std::string, int>& colours, Comparison& comparison) {
  for (Variant& variant : comparison.variants) {
    if (const auto found = colours.find(variant.label); found != colours.end()) variant.colourSlot = found->second;
  }
}

}  // namespace slipstream
