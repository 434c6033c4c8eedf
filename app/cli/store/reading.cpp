// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/store/reading.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/streams/output.h"
#include "engine/base/text.h"
#include "engine/runs/run_outcome.h"
#include "engine/runs/run_removal.h"
#include "engine/scheduler/scheduler.h"
#include "engine/slurm/jobs.h"
#include "engine/store/store_folder.h"
#include "engine/study/study.h"

namespace slipstream::cli {

namespace {

/// What a command may take for runs that ended since the last one, or whose store is of an older version.
constexpr std::chrono::milliseconds timeForMeasures{300};

/// Reading needs no room on the disk, nor anybody's lock.
void markWhatCan(RunStore& store) {
  try {
    store.markLost();
    keepMissingMeasures(store, timeForMeasures);
    if (const Status asked = followJobs(store); !asked) {
      remark("note", fmt::format("runs that jobs of {} carry on keep the state that they had: {}",
                                 submittingScheduler().name, trim(toText(asked.error()))));
    }
  } catch (const StoreBlocked&) {
    // They keep the state that they were left in until there is room.
  }
}

}  // namespace

Result<std::unique_ptr<RunStore>> openToRead(const CommandLine& line) {
  std::error_code error;
  if (std::filesystem::file_size(storeFileIn(line.storeFolder), error) > 0 && !error) {
    // Where the store may not be written to, runs keep the state that they were left in.
    if (auto writer = RunStore::open(line.storeFolder, StoreAccess::write)) markWhatCan(**writer);
  }
  return RunStore::open(line.storeFolder, StoreAccess::read);
}

Result<std::unique_ptr<RunStore>> openToChange(const CommandLine& line) {
  SLIPSTREAM_CHECK(openToRead(line));
  return RunStore::open(line.storeFolder, StoreAccess::write);
}

Result<OpenedRun> openRun(const CommandLine& line, const std::string& word) {
  SLIPSTREAM_TRY(store, openToRead(line));
  SLIPSTREAM_TRY(run, findRun(*store, word));
  return OpenedRun{std::move(store), std::move(run)};
}

Result<OpenedRuns> openRuns(const CommandLine& line, const std::vector<std::string>& words, const std::string& filter) {
  SLIPSTREAM_TRY(store, openToRead(line));
  if (words.empty() && filter.empty()) {
    return fail("RUNS", "", "are missing", "name some, or choose them with --filter; slipstream runs lists them");
  }
  SLIPSTREAM_TRY(runs, findRuns(*store, words, filter));
  return OpenedRuns{std::move(store), std::move(runs)};
}

Result<StudyRecord> findStudy(RunStore& store, const std::string& word) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(word, error)) return store.studies().find(word);
  SLIPSTREAM_TRY(study, readStudy(word));
  return store.studies().find(study.name);
}

Result<ChangedLabels> changeLabels(const CommandLine& line, const std::vector<std::string>& words, RunScope scope,
                                   const std::function<bool(RunLabel&)>& change) {
  SLIPSTREAM_TRY(store, openToChange(line));
  SLIPSTREAM_TRY(runs, findRuns(*store, words, "", scope));
  const auto copy = std::ranges::find_if(runs, [](const RunRecord& run) { return !run.remote.empty(); });
  if (copy != runs.end()) return copyIsReadOnly(*copy);
  ChangedLabels result;
  store->begin();
  const auto labels = store->labels();
  for (const RunRecord& run : runs) {
    const auto found = labels.find(run.id);
    RunLabel label = found == labels.end() ? RunLabel{} : found->second;
    result.selected.push_back(run.id);
    if (!change(label)) continue;
    store->setLabel(run.id, label);
    result.changed.push_back(run.id);
  }
  store->commit();
  return result;
}

std::string titleOf(const RunRecord& run) {
  return run.variant.empty() ? run.name : run.name + " / " + run.variant;
}

}  // namespace slipstream::cli
