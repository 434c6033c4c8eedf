// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that MLflow's file store keeps: EXPERIMENT/RUN/ with meta.yaml and a file for each metric, parameter and
// tag (mlflow.org, "Backend Stores"; read back by MLflow 3.17).
#include <cctype>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/trackers/run_export.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t nanosecondsPerMillisecond = 1'000'000;

// Numbers of MLflow's RunStatus and SourceType.
enum class RunStatus { running = 1, scheduled = 2, finished = 3, failed = 4, killed = 5 };
constexpr int localSource = 4;

RunStatus statusOf(RunState state) {
  switch (state) {
    case RunState::done:
      return RunStatus::finished;
    case RunState::failed:
    case RunState::lost:
      return RunStatus::failed;
    case RunState::stopped:
      return RunStatus::killed;
    case RunState::draft:
    case RunState::queued:
    case RunState::preempted:
      return RunStatus::scheduled;
    default:
      return RunStatus::running;
  }
}

/// A text of YAML, of which JSON's texts are a part.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// The same for the same experiment, so that a second export joins it.
std::string experimentId(const std::string& experiment) {
  constexpr std::size_t digits = 15;  // of 4 bits: fits 18 decimal ones
  return std::to_string(std::stoull(sha256(experiment).substr(0, digits), nullptr, 16));
}

std::string runId(const RunRecord& run) {
  constexpr std::size_t digits = 32;
  return sha256(fmt::format("{} {}", run.id, run.createdAt)).substr(0, digits);
}

/// Names of metrics and parameters: those that MLflow takes. '/' makes folders, of which none leads elsewhere.
std::string entryName(const std::string& text) {
  std::vector<std::string> parts = split(text, '/');
  for (std::string& part : parts) {
    for (char& letter : part) {
      const bool taken = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                         std::string_view("_-. ").find(letter) != std::string_view::npos;
      letter = taken ? letter : '_';
    }
    if (part.empty() || part == "." || part == "..") part = "_";
  }
  return join(parts, "/");
}

/// A URI of the path, of which nothing may look like a part of the URI.
std::string uriOf(const fs::path& path) {
  std::string uri = "file://";
  for (const char letter : fs::absolute(path).lexically_normal().string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                       std::string_view("/_-.~").find(letter) != std::string_view::npos;
    uri += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return uri;
}

/// Builds a folder that nobody looks at until it is renamed.
class FolderWriter {
 public:
  explicit FolderWriter(fs::path place)
      : place_(std::move(place)),
        unfinished_(place_.parent_path() / ("." + place_.filename().string() + ".unfinished")) {
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
  }
  FolderWriter(const FolderWriter&) = delete;
  FolderWriter& operator=(const FolderWriter&) = delete;
  ~FolderWriter() {
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
  }

  Status write(const std::string& name, const std::string& text) {
    const fs::path file = unfinished_ / name;
    SLIPSTREAM_CHECK(makeFolder(file.parent_path()));
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (stream) return {};
    return fail(file.string(), "", "cannot be written to its end",
                "give the folder room, or choose another one with -o");
  }

  Status commit() {
    std::error_code error;
    fs::rename(unfinished_, place_, error);
    if (!error) return {};
    return fail(place_.string(), "", "cannot be made: " + error.message(), "choose another folder with -o");
  }

 private:
  fs::path place_;
  fs::path unfinished_;
};

std::string metaOfRun(const RunToExport& run, const fs::path& place) {
  const RunRecord& record = run.record;
  const std::int64_t started = record.startedAt > 0 ? record.startedAt : record.createdAt;
  const std::string ended =
      isTerminal(record.state) ? std::to_string(record.endedAt / nanosecondsPerMillisecond) : "null";
  return fmt::format(
      "artifact_uri: {}\nend_time: {}\nentry_point_name: ''\nexperiment_id: '{}'\nlifecycle_stage: active\n"
      "run_id: '{}'\nrun_name: {}\nrun_uuid: '{}'\nsource_name: ''\nsource_type: {}\nsource_version: ''\n"
      "start_time: {}\nstatus: {}\ntags: []\nuser_id: ''\n",
      quoted(uriOf(place / "artifacts")), ended, experimentId(record.experimentName), runId(record), quoted(run.title),
      runId(record), localSource, started / nanosecondsPerMillisecond, static_cast<int>(statusOf(record.state)));
}

/// Joins the experiment that is there.
Status writeExperiment(const RunToExport& run, const fs::path& folder) {
  const fs::path meta = folder / "meta.yaml";
  std::error_code error;
  if (fs::exists(meta, error)) return {};
  SLIPSTREAM_CHECK(makeFolder(folder));
  const std::int64_t created = run.record.createdAt / nanosecondsPerMillisecond;
  return writeFile(meta, fmt::format("artifact_location: {}\ncreation_time: {}\nexperiment_id: '{}'\n"
                                     "last_update_time: {}\nlifecycle_stage: active\nname: {}\n",
                                     quoted(uriOf(folder)), created, experimentId(run.record.experimentName), created,
                                     quoted(run.record.experimentName)));
}

/// One line a value: milliseconds since 1970, value, step.
std::string linesOf(const Series& series) {
  std::string lines;
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    lines += fmt::format("{} {} {}\n", series.wallNanoseconds[i] / nanosecondsPerMillisecond,
                         numberText(series.values[i]), series.steps[i]);
  }
  return lines;
}

/// What is a folder of other names cannot be a file, nor can two be one.
void checkEntries(const std::string& run, const std::vector<std::string>& names, Failures& failures) {
  std::set<std::string> taken;
  const auto refuse = [&](const std::string& name) {
    failures.push_back({"run " + run, name, "cannot be beside another one of its name in MLflow's folder",
                        "leave one out: choose metrics with --metric"});
  };
  for (const std::string& name : names) {
    if (!taken.insert(entryName(name)).second) refuse(name);
  }
  for (const std::string& name : taken) {
    for (auto end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
      if (taken.contains(name.substr(0, end))) refuse(name.substr(0, end));
    }
  }
}

Status checkEntries(const RunToExport& run) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : run.settings) keys.push_back(key);
  Failures failures;
  checkEntries(run.record.id, run.metrics, failures);
  checkEntries(run.record.id, keys, failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

Status writeTags(const RunToExport& run, FolderWriter& files) {
  SLIPSTREAM_CHECK(files.write("tags/mlflow.runName", run.title));
  SLIPSTREAM_CHECK(files.write("tags/slipstream.run", run.record.id));
  SLIPSTREAM_CHECK(files.write("tags/slipstream.command", run.record.commandText));
  if (!run.label.tags.empty()) SLIPSTREAM_CHECK(files.write("tags/slipstream.tags", join(run.label.tags, ",")));
  if (!run.label.note.empty()) SLIPSTREAM_CHECK(files.write("tags/mlflow.note.content", run.label.note));
  return {};
}

Status writeArtifacts(const RunToExport& run, FolderWriter& files) {
  SLIPSTREAM_CHECK(files.write("artifacts/plan.json", run.record.planText));
  if (run.record.experimentText.empty()) return {};
  SLIPSTREAM_CHECK(files.write("artifacts/experiment.json", run.record.experimentText));
  return files.write("artifacts/environment.json", run.record.environmentText);
}

}  // namespace

fs::path mlflowPlace(const RunToExport& run) {
  return fs::path(experimentId(run.record.experimentName)) / runId(run.record);
}

Result<ExportedRun> exportToMlflow(RunStore& store, const RunToExport& run, const fs::path& place) {
  SLIPSTREAM_CHECK(checkEntries(run));
  SLIPSTREAM_CHECK(writeExperiment(run, place.parent_path()));
  ExportedRun exported{run.record.id, place, std::ssize(run.metrics)};
  FolderWriter files(place);
  for (const std::string& metric : run.metrics) {
    const Series series = seriesOf(store, run, metric);
    exported.points += std::ssize(series.steps);
    SLIPSTREAM_CHECK(files.write("metrics/" + entryName(metric), linesOf(series)));
  }
  for (const auto& [key, value] : run.settings) SLIPSTREAM_CHECK(files.write("params/" + entryName(key), value));
  SLIPSTREAM_CHECK(writeTags(run, files));
  SLIPSTREAM_CHECK(writeArtifacts(run, files));
  SLIPSTREAM_CHECK(files.write("meta.yaml", metaOfRun(run, place)));
  SLIPSTREAM_CHECK(files.commit());
  return exported;
}

}  // namespace slipstream
