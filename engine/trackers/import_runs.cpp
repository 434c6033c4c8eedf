// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trackers/import_runs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/boost/metrics.h"
#include "engine/runs/run_outcome.h"
#include "engine/trackers/tagged_run.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestRunName = 200;

Result<TaggedRuns> readSource(const std::string& source, bool partial) {
  std::error_code error;
  const fs::path path(source);
  if (!fs::exists(path, error)) return fail("SOURCE", source, "there is no such file or folder", "check the path");
  const bool isFolder = fs::is_directory(path, error);
  if (isFolder || isEventFile(path.filename().string())) {
    SLIPSTREAM_TRY(found, readTensorBoard(source, partial));
    if (!found.runs.empty() || !isFolder) return found;
    return fail("SOURCE", source, "the folder holds no TensorBoard event files with numbers",
                "name another folder, or CSV files one by one");
  }
  const std::string ending = path.extension().string();
  if (ending == ".csv" || ending == ".tsv") return readCsv(source);
  return fail("SOURCE", source, "is neither an event file (…tfevents…) nor a table (.csv, .tsv)",
              "name a log folder of TensorBoard, one of its files, or a table");
}

/// Names of runs are shown in lists and typed into commands, where eight hexadecimal digits are an id.
std::string runName(const std::string& name, const std::string& project = "imported") {
  std::string shown = printable(isRunId(name) ? project + "/" + name : name);
  if (shown.size() <= longestRunName) return shown;
  std::size_t end = longestRunName;
  while ((shown[end] & 0xC0) == 0x80) --end;
  return shown.substr(0, end);
}

/// Steps and values of all metrics: what a second import of the same files has again.
std::string hashOf(const std::map<std::string, Series>& series) {
  Sha256 hash;
  for (const auto& [name, samples] : series) {
    hash.add(std::as_bytes(std::span(name.data(), name.size())));
    hash.add(std::as_bytes(std::span(samples.steps)));
    hash.add(std::as_bytes(std::span(samples.values)));
  }
  return hash.text();
}

/// Counted as a run's own steps are: the loss of step 9 is that of the tenth, an evaluation is after its step.
std::int64_t stepsOf(const std::map<std::string, Series>& series) {
  std::int64_t steps = 0;
  for (const auto& [name, samples] : series) {
    const MetricInfo* info = findMetric(name);
    const bool isEvaluation = info != nullptr && info->ofEvaluation;
    steps = std::max(steps, samples.steps.back() + (isEvaluation ? 0 : 1));
  }
  return steps;
}

void setTimes(RunToImport& run) {
  for (const auto& [name, samples] : run.series) {
    for (const std::int64_t wall : samples.wallNanoseconds) {
      if (wall == 0) continue;
      run.startedAt = run.startedAt == 0 ? wall : std::min(run.startedAt, wall);
      run.endedAt = std::max(run.endedAt, wall);
    }
  }
  if (run.startedAt == 0) run.startedAt = run.endedAt = wallNanoseconds();
}

Result<RunToImport> runToImport(TaggedRun tagged, const std::string& format, const ImportRequest& request,
                                std::vector<std::string>& notes) {
  RunToImport run;
  run.name = runName(tagged.name, tagged.project);
  run.experiment = runName(request.experiment.empty() ? tagged.project : request.experiment);
  SLIPSTREAM_CHECK(nameMetrics(tagged, request.metrics, run, notes));
  run.origin = {format, fs::absolute(tagged.source).lexically_normal().string(), hashOf(run.series),
                std::move(tagged.settings), stepsOf(run.series)};
  setTimes(run);
  return run;
}

/// A tag that nothing has is a slip of the pen.
Status checkAsked(const ImportRequest& request, const std::set<std::string>& tags) {
  Failures failures;
  const std::vector<std::string> known(tags.begin(), tags.end());
  for (const auto& [tag, metric] : request.metrics) {
    if (tags.contains(tag)) continue;
    const auto near = nearestWord(tag, known);
    failures.push_back({"--metric", tag, "is no tag or column of the sources",
                        near ? "did you mean " + *near + "?" : "they have: " + join(known, ", ")});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

std::uint64_t seedOf(const ImportedRun& origin) {
  const auto found = origin.settings.find("seed");
  const auto seed = found == origin.settings.end() ? std::nullopt : parseInteger(found->second);
  return seed && *seed > 0 ? static_cast<std::uint64_t>(*seed) : 0;
}

NewRun newRunOf(const RunToImport& run, const std::string& command, const std::string& group) {
  NewRun asked;
  asked.name = run.name;
  asked.experimentName = run.experiment;
  const auto variant = run.origin.settings.find("variant");
  if (variant != run.origin.settings.end()) asked.variant = runName(variant->second);
  asked.group = group;
  asked.planText = toJsonText(run.origin);
  asked.commandText = command;
  asked.seed = seedOf(run.origin);
  asked.device = importedDevice;
  return asked;
}

/// In blocks that the store keeps in one piece.
std::int64_t appendSeries(RunStore& store, const std::string& id, const std::string& name, const Series& series,
                          std::int64_t& sequence) {
  constexpr std::size_t rows = 1 << 16;
  for (std::size_t first = 0; first < series.steps.size(); first += rows) {
    const auto from = static_cast<std::ptrdiff_t>(first);
    const auto to = static_cast<std::ptrdiff_t>(std::min(series.steps.size(), first + rows));
    store.appendMetrics(id, 1, 0, ++sequence,
                        {{name},
                         {series.steps.begin() + from, series.steps.begin() + to},
                         {series.wallNanoseconds.begin() + from, series.wallNanoseconds.begin() + to},
                         {series.values.begin() + from, series.values.begin() + to}});
  }
  return std::ssize(series.steps);
}

AddedRun addRun(RunStore& store, const RunToImport& run, const std::string& command, const std::string& group) {
  AddedRun added{store.addEndedRun(newRunOf(run, command, group), run.startedAt, run.endedAt), run.name,
                 std::ssize(run.series)};
  std::int64_t sequence = 0;
  for (const auto& [name, series] : run.series) added.points += appendSeries(store, added.id, name, series, sequence);
  store.compact(added.id);
  keepMeasures(store, added.id);
  return added;
}

/// Hashes of the values that were imported before, and the runs that have them.
std::map<std::string, std::string> importedBefore(RunStore& store) {
  std::map<std::string, std::string> before;
  for (const RunRecord& head : store.heads()) {
    if (head.device != importedDevice || !head.remote.empty()) continue;
    const auto run = store.find(head.id);
    const auto imported = run ? parseImportedRun(run->planText) : std::nullopt;
    if (imported) before[imported->hash] = head.id;
  }
  return before;
}

Status checkNew(RunStore& store, const RunsToImport& found) {
  const std::map<std::string, std::string> before = importedBefore(store);
  Failures failures;
  for (const RunToImport& run : found.runs) {
    const auto known = before.find(run.origin.hash);
    if (known == before.end()) continue;
    failures.push_back({run.origin.source, "", fmt::format("is in the store already, as run {}", known->second),
                        fmt::format("leave it out, or delete that run first: slipstream delete {}", known->second)});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

/// Runs of files that a source of the same request has named before.
void leaveOutKnown(TaggedRuns& runs, std::set<fs::path>& known, std::vector<std::string>& notes) {
  std::set<fs::path> own;
  std::erase_if(runs.runs, [&](const TaggedRun& run) {
    std::error_code error;
    fs::path file = fs::canonical(run.source, error);
    if (error) file = run.source;
    if (!known.contains(file)) {
      own.insert(std::move(file));
      return false;
    }
    notes.push_back(run.source + ": is named twice, and imported once");
    return true;
  });
  known.merge(own);
}

}  // namespace

Result<RunsToImport> readRunsToImport(const ImportRequest& request) {
  RunsToImport found;
  Failures failures;
  std::set<std::string> tags;
  std::set<fs::path> known;
  for (const std::string& source : request.sources) {
    auto runs = readSource(source, request.partial);
    if (!collect(runs, failures)) continue;
    found.notes.insert(found.notes.end(), runs->notes.begin(), runs->notes.end());
    leaveOutKnown(*runs, known, found.notes);
    for (TaggedRun& tagged : runs->runs) {
      for (const auto& [tag, series] : tagged.tags) tags.insert(tag);
      auto run = runToImport(std::move(tagged), runs->format, request, found.notes);
      if (collect(run, failures)) found.runs.push_back(std::move(*run));
    }
  }
  if (failures.empty()) collect(checkAsked(request, tags), failures);
  if (failures.empty() && found.runs.empty()) {
    failures.push_back({"SOURCE", join(request.sources, ", "), "holds no numbers", "name files with scalars"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return found;
}

Result<std::vector<AddedRun>> addImportedRuns(RunStore& store, const RunsToImport& found, const std::string& command,
                                              const std::string& group) {
  store.begin();
  try {
    if (Status fresh = checkNew(store, found); !fresh) {
      store.rollback();
      return tl::unexpected(std::move(fresh.error()));
    }
    std::vector<AddedRun> added;
    for (const RunToImport& run : found.runs) added.push_back(addRun(store, run, command, group));
    store.commit();
    return added;
  } catch (...) {
    store.rollback();
    throw;
  }
}

}  // namespace slipstream
