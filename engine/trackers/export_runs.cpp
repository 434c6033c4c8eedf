// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trackers/export_runs.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "engine/analysis/plan_differences.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/trackers/run_export.h"

namespace slipstream {
namespace {

/// Long values are of no use as a setting among others, and some programs refuse them.
constexpr std::size_t longestSetting = 250;
constexpr const char* layers = "network.layers";

/// What was asked, by key; "stages.NAME.KEY" where the stages of a run differ in it.
std::map<std::string, std::string> askedSettings(const std::string& planText) {
  const AskedRun asked = askedOf(planText);
  std::map<std::string, std::string> settings;
  // With itself, a plan differs in nothing: every key is among the equal ones.
  for (const PlanDifference& key : comparePlans({asked, asked}).equals) settings[key.key] = key.values.front();
  return settings;
}

std::map<std::string, std::string> settingsOf(const RunRecord& run) {
  std::map<std::string, std::string> settings = askedSettings(run.planText);
  std::erase_if(settings, [](const auto& entry) {
    return entry.second.size() > longestSetting || endsWith(entry.first, layers);
  });
  settings["variant"] = run.variant;
  settings["seed"] = std::to_string(run.seed);
  return settings;
}

/// Those that were asked for and the run has, or all.
std::vector<std::string> metricsOf(RunStore& store, const std::string& runId, const std::vector<std::string>& asked) {
  std::vector<std::string> names = store.metricNames(runId);
  if (asked.empty()) return names;
  std::erase_if(names, [&](const std::string& name) { return std::ranges::find(asked, name) == asked.end(); });
  return names;
}

std::vector<RunToExport> runsToExport(RunStore& store, const std::vector<RunRecord>& runs,
                                      const std::vector<std::string>& metrics) {
  const auto labels = store.labels();
  std::vector<RunToExport> all;
  for (const RunRecord& run : runs) {
    const auto found = labels.find(run.id);
    RunToExport one{run, found == labels.end() ? RunLabel{} : found->second, run.name, settingsOf(run),
                    metricsOf(store, run.id, metrics)};
    if (!run.variant.empty()) one.title += " / " + run.variant;
    if (!one.label.title.empty()) one.title = one.label.title;
    all.push_back(std::move(one));
  }
  return all;
}

/// A metric that none of the runs has is a slip of the pen.
Status checkMetrics(RunStore& store, const std::vector<RunToExport>& runs, const std::vector<std::string>& asked) {
  std::set<std::string> known, missing(asked.begin(), asked.end());
  for (const RunToExport& run : runs) {
    for (const std::string& name : run.metrics) missing.erase(name);
  }
  if (missing.empty()) return {};
  for (const RunToExport& run : runs) {
    const auto names = store.metricNames(run.record.id);
    known.insert(names.begin(), names.end());
  }
  Failures failures;
  for (const std::string& name : missing) {
    const auto near = nearestWord(name, {known.begin(), known.end()});
    failures.push_back({"--metric", name, "none of the runs has a metric of this name",
                        near ? "did you mean " + *near + "?" : "slipstream show RUN names them"});
  }
  return tl::unexpected(std::move(failures));
}

std::vector<std::filesystem::path> placesOf(const std::vector<RunToExport>& runs, const ExportRequest& request) {
  std::vector<std::filesystem::path> places;
  for (const RunToExport& run : runs) {
    if (request.format == TrackerFormat::tensorboard) places.push_back(request.folder / tensorBoardPlace(run));
    if (request.format == TrackerFormat::mlflow) places.push_back(request.folder / mlflowPlace(run));
  }
  for (const std::string& table : csvTables()) {
    if (request.format == TrackerFormat::csv) places.push_back(request.folder / table);
  }
  return places;
}

Status checkPlaces(const std::vector<std::filesystem::path>& places) {
  Failures failures;
  for (const std::filesystem::path& place : places) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(place, error))) continue;
    failures.push_back({"output", place.string(), "is there already", "remove it, or choose another folder with -o"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace

Series seriesOf(RunStore& store, const RunToExport& run, const std::string& metric) {
  return store.series(run.record.id, metric);
}

std::string folderName(const std::string& text) {
  constexpr std::size_t longest = 80;
  std::string name;
  for (const char letter : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '_';
    if (plain) name += letter;
    if (!plain && !name.empty() && name.back() != '-') name += '-';
    if (name.size() == longest) break;
  }
  name.erase(0, name.find_first_not_of('.'));
  return endsWith(name, "-") ? name.substr(0, name.size() - 1) : name;
}

std::string folderNameOf(const RunToExport& run) {
  std::vector<std::string> parts{folderName(run.label.title.empty() ? run.record.name : run.label.title),
                                 folderName(run.record.variant), fmt::format("seed{}", run.record.seed), run.record.id};
  std::erase(parts, "");
  return join(parts, "-");
}

Result<std::vector<ExportedRun>> exportRuns(RunStore& store, const std::vector<RunRecord>& runs,
                                            const ExportRequest& request) {
  const std::vector<RunToExport> all = runsToExport(store, runs, request.metrics);
  SLIPSTREAM_CHECK(checkMetrics(store, all, request.metrics));
  const std::vector<std::filesystem::path> places = placesOf(all, request);
  SLIPSTREAM_CHECK(checkPlaces(places));
  SLIPSTREAM_CHECK(makeFolder(request.folder));
  if (request.format == TrackerFormat::csv) return exportToCsv(store, all, request.folder);
  std::vector<ExportedRun> exported;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto write = request.format == TrackerFormat::tensorboard ? exportToTensorBoard : exportToMlflow;
    SLIPSTREAM_TRY(one, write(store, all[i], places[i]));
    exported.push_back(std::move(one));
  }
  return exported;
}

}  // namespace slipstream
