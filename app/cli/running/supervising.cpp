// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/supervising.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "app/cli/streams/print_line.h"
#include "engine/analysis/comparison.h"
#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/private_files.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/worker_query.h"
#include "engine/report/comparison_document.h"
#include "engine/report/report.h"

namespace slipstream::cli {
namespace {

/// A name that is safe as a file's: file systems end at 255 bytes.
std::string fileName(const std::string& name) {
  std::string safe = name.substr(0, 100);
  std::replace_if(
      safe.begin(), safe.end(),
      [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '-' && letter != '_'; }, '_');
  return safe.empty() ? "run" : safe;
}

std::vector<RunRecord> recordsOf(RunStore& store, const std::vector<EndedRun>& runs) {
  std::vector<RunRecord> records;
  for (const EndedRun& run : runs) {
    if (auto record = store.find(run.id)) records.push_back(std::move(*record));
  }
  return records;
}

std::optional<std::filesystem::path> reportOf(RunStore& store, const std::vector<RunRecord>& records,
                                              const std::string& name) {
  const auto folder = std::filesystem::absolute(store.folder()) / "reports";
  const auto file = folder / fmt::format("{}-{}.html", fileName(name), records.front().id);
  Status written = makePrivateFolder(folder);
  if (written) written = writeReport(store, records, file);
  if (written) return file;
  report(written.error());
  return std::nullopt;
}

void printJson(const RunStore& store, const std::vector<EndedRun>& runs,
               const std::optional<std::filesystem::path>& report) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const EndedRun& run : runs) {
    list.push_back({{"run", run.id}, {"state", nameOf(run.end.state)}, {"why", run.end.why}});
  }
  print({{"runs", list},
         {"store", std::filesystem::absolute(store.folder()).string()},
         {"report", report ? nlohmann::ordered_json(report->string()) : nlohmann::ordered_json()}});
}

}  // namespace

std::string newGroup() {
  return sha256(fmt::format("{} {}", wallNanoseconds(), ::getpid())).substr(0, 12);
}

std::string createRun(RunStore& store, const NewRun& run) {
  store.begin();
  const std::string id = store.createRun(run);
  store.setSupervisor(id, thisProcess());
  store.commit();
  return id;
}

Result<std::unique_ptr<RunStore>> openToSupervise(const CommandLine& line) {
  SLIPSTREAM_TRY(store, RunStore::open(line.storeFolder, StoreAccess::write));
  store->markLost();
  removeAbandonedFolders();
  return store;
}

RunEnd superviseShown(RunStore& store, const std::string& runId, const RunPlan& plan,
                      const std::optional<CheckpointManifest>& from, const ShownSupervision& how) {
  const auto restart = restartPolicyFromEnvironment();
  if (!restart) throw Error(toText(restart.error()));
  auto display = makeDisplay(how.display, plan);
  RunEnd end = supervise(store, runId, plan, from, {how.worker, {}, *restart, how.wasDone, how.judge}, *display);
  display.reset();  // ends the bar's line
  if (!isTerminal(end.state)) {
    remark("note", fmt::format("run {} {}: {}", runId, nameOf(end.state), end.why));
  } else if (end.state != RunState::done) {
    report({{fmt::format("run {} {}", runId, nameOf(end.state)), "", end.why, ""}});
  }
  return end;
}

int exitCodeOf(const std::vector<EndedRun>& runs) {
  const auto any = [&](RunState state) {
    return std::any_of(runs.begin(), runs.end(), [&](const EndedRun& run) { return run.end.state == state; });
  };
  if (any(RunState::failed)) return ExitCode::runFailed;
  return any(RunState::stopped) ? ExitCode::stopped : ExitCode::done;
}

void close(RunStore& store, const std::vector<EndedRun>& runs, const Closing& closing) {
  if (!store.isInPlace()) {
    if (closing.json) printJson(store, runs, std::nullopt);
    return;
  }
  const auto records = recordsOf(store, runs);
  if (records.empty()) return;
  const bool compares = records.size() > 1 && !closing.quiet && !closing.json;
  if (compares) {
    const auto comparison = compareRuns(store, records);
    if (comparison) {
      printLine(stdout, "\n{}\n", printable(toText(*comparison), "\n"));
    } else {
      report(comparison.error());
    }
  }
  const auto report = reportOf(store, records, closing.reportName);
  if (closing.json) return printJson(store, runs, report);
  if (closing.quiet) return;
  printLine(stdout, "store: {}\n", std::filesystem::absolute(store.folder()).string());
  if (report) printLine(stdout, "report: {}\n", report->string());
}

int runAt(Place place, const CommandLine& line, const std::function<int(const Announce&)>& body) {
  if (place == Place::here) return body([](const std::string&) {});
  const auto folder = std::filesystem::path(line.storeFolder) / "logs";
  if (const Status made = makePrivateFolder(folder); !made) return report(made.error());
  const auto output = folder / fmt::format("detached-{}-{}.log", wallNanoseconds() / 1'000'000, ::getpid());
  const DetachedStart start = runDetached(output, body);
  if (start.announced.empty()) {
    // What it wrote is in the form that was asked for.
    printLine(stderr, "{}", start.output);
    return start.exitCode;
  }
  if (place == Place::detached) {
    printLine(stdout, "{}\n", start.announced);
  } else {
    print({{"run", start.announced},
           {"store", std::filesystem::absolute(line.storeFolder).string()},
           {"log", std::filesystem::absolute(output).string()}});
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
