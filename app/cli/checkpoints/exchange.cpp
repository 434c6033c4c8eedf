// SPDX-License-Identifier: GPL-3.0-or-later
// The far ends of what copies of runs are kept up to date by, and fetching weights.
#include "app/cli/checkpoints/exchange.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/text.h"
#include "engine/remote/fetch.h"
#include "engine/remote/serve.h"
#include "engine/runs/weight_lookup.h"
#include "engine/slurm/jobs.h"
#include "engine/store/store_folder.h"

namespace slipstream::cli {
namespace {

/// A supervisor that was killed says nothing: somebody has to look.
void markLostRuns(const std::string& storeFolder) {
  try {
    if (const auto store = RunStore::open(storeFolder, StoreAccess::write)) (*store)->markLost();
  } catch (const StoreBlocked&) {
    return;  // the next time
  }
}

void askScheduler(const std::string& storeFolder) {
  try {
    const auto store = RunStore::open(storeFolder, StoreAccess::write);
    // What is said here would be taken for why the connection ended.
    if (store && !followJobs(**store)) return;
  } catch (const std::exception&) {
    return;  // the next time
  }
}

/// Nobody may type a command here for days, and what becomes of a job is its scheduler's to tell. It may take long to
/// answer, and whoever is served takes silence for an end: a thread and a store of its own.
void askSchedulerUntil(const std::stop_token& stop, const std::string& storeFolder) {
  constexpr std::chrono::seconds again{30};
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    askScheduler(storeFolder);
    wake.wait_for(lock, stop, again, [] { return false; });
  }
}

}  // namespace

int storeServe(const StoreServeArguments&, const CommandLine& line) {
  if (const Status fit = fitForAStore(line.storeFolder); !fit) return report(fit.error());
  // Whoever asks before the first run was started follows from then on.
  if (const auto store = RunStore::open(line.storeFolder, StoreAccess::write); !store) return report(store.error());
  markLostRuns(line.storeFolder);
  const std::jthread asking([&](const std::stop_token& stop) { askSchedulerUntil(stop, line.storeFolder); });
  const Status served =
      serveReplica({line.storeFolder, STDIN_FILENO, STDOUT_FILENO, [&] { markLostRuns(line.storeFolder); }});
  return served ? ExitCode::done : report(served.error());
}

int checkpointSend(const CheckpointSendArguments& arguments, const CommandLine& line) {
  const auto opened = openRun(line, arguments.run);
  if (!opened) return report(opened.error());
  const Status sent =
      sendWeights(line.storeFolder, {opened->run.id, arguments.step, arguments.snapshot}, STDIN_FILENO, STDOUT_FILENO);
  return sent ? ExitCode::done : report(sent.error());
}

Result<std::int64_t> fetchMissing(RunStore& store, const RunRecord& run, std::int64_t step, bool snapshot) {
  const WeightsPlace place{run.id, step, snapshot};
  if (run.remote.empty() || hasWeights(store.folder(), place)) return 0;
  SLIPSTREAM_TRY(remote, findRemote(run.remote));
  RemoteConnection connection(std::move(remote));
  SLIPSTREAM_CHECK(connection.open());
  return fetchWeights(connection, store.folder(), place);
}

int checkpointFetch(const CheckpointFetchArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto found = findWeights(**store, arguments.run);
  if (!found) return report(found.error());
  if (found->run.remote.empty()) {
    return report({{"RUN", found->run.id, "is no copy: its weights are in this store", "nothing to fetch"}});
  }
  const auto bytes = fetchMissing(**store, found->run, found->step, found->snapshot);
  if (!bytes) return report(bytes.error());
  if (arguments.json) {
    print({{"run", found->run.id}, {"step", found->step}, {"bytes", *bytes}});
  } else {
    fmt::print("step {} of run {}: {} came from {}\n", countText(found->step), found->run.id, sizeText(*bytes),
               found->run.remote);
  }
  return ExitCode::done;
}

}  // namespace slipstream::cli
