#include "engine/launch/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/launch/attempt.h"
#include "engine/launch/process.h"
#include "engine/launch/stop_signals.h"
#include "engine/launch/sweep.h"
#include "engine/record/sound_checkpoint.h"

namespace slipstream {
namespace {

constexpr double longestPauseSeconds = 60;

constexpr int triesWhileBlocked = 20;
constexpr std::chrono::milliseconds pauseWhileBlocked{500};

std::unique_ptr<CheckpointStore> openCheckpoints(const RunStore& store, const std::string& runId) {
  auto opened = CheckpointStore::openToWrite(store.folder(), runId);
  if (!opened) throw Error(toText(opened.error()));
  return std::move(*opened);
}

class Supervisor {
 public:
  Supervisor(RunStore& store, const std::string& runId, const RunPlan& plan, const Supervision& supervision,
             RunObserver& observer)
      : store_(store),
        runId_(runId),
        plan_(plan),
        supervision_(supervision),
        observer_(observer),
        checkpoints_(openCheckpoints(store, runId)) {}

  RunEnd run(std::optional<CheckpointManifest> from) {
    forgetUnlisted();
    forgetLaterThan(from ? from->step : 0);
    std::optional<AttemptEnd> before;
    for (int restarts = 0;; ++restarts) {
      const AttemptEnd end = attempt(from);
      if (!mayRestart(end, before, restarts)) return conclude(end);
      from = newestCheckpoint();
      forgetLaterThan(from ? from->step : 0);
      note(EventLevel::warning, "run.restarted", end.why);
      std::this_thread::sleep_for(restartPause(restarts));
      before = end;
    }
  }

 private:
  std::chrono::duration<double> restartPause(int restarts) const {
    const double doubled = supervision_.restart.firstPauseSeconds * std::exp2(std::min(restarts, 10));
    return std::chrono::duration<double>(std::min(doubled, longestPauseSeconds));
  }

  AttemptEnd attempt(const std::optional<CheckpointManifest>& from) {
    const std::int64_t fromStep = from ? from->step : 0;
    patiently([&] { number_ = store_.startAttempt(runId_, fromStep); });
    patiently([&] { store_.setState(runId_, RunState::starting, ""); });
    note(EventLevel::information, "attempt.started",
         fmt::format("attempt {} from step {} on {}", number_, fromStep, counted(plan_.ranks(), "rank")));
    observer_.attemptStarted(number_, fromStep);
    try {
      return Attempt(store_, *checkpoints_, runId_, number_, plan_, from, supervision_, observer_).run();
    } catch (const std::exception& error) {
      const std::string why = trim(error.what());
      return {RunState::failed, why, -1, -1, why};
    }
  }

  bool mayRestart(const AttemptEnd& end, const std::optional<AttemptEnd>& before, int restarts) const {
    if (end.state != RunState::failed || restarts >= supervision_.restart.limit) return false;
    if (StopSignals::count() > 0 || !store_.isInPlace()) return false;
    return !before || before->step != end.step || before->manner != end.manner;
  }

  /// Damaged ones are passed over.
  std::optional<CheckpointManifest> newestCheckpoint() {
    const auto rows = store_.checkpoints(runId_);
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      if (!row->full) continue;
      auto checkpoint = openSoundCheckpoint(store_, runId_, row->step);
      if (checkpoint) return std::move(checkpoint->manifest);
      note(EventLevel::warning, "checkpoint.damaged", trim(toText(checkpoint.error())));
    }
    return std::nullopt;
  }

  /// A supervisor that died between the two databases leaves a checkpoint that the store does not list.
  void forgetUnlisted() {
    const auto listed = store_.checkpoints(runId_);
    for (const std::int64_t step : checkpoints_->steps()) {
      const bool known = std::any_of(listed.begin(), listed.end(), [&](const auto& row) { return row.step == step; });
      if (!known) checkpoints_->remove(step);
    }
  }

  /// Who goes back to an earlier checkpoint leaves the later course: nothing may continue from it any more.
  void forgetLaterThan(std::int64_t step) {
    for (const CheckpointRow& row : store_.checkpoints(runId_)) {
      if (!row.full || row.step <= step) continue;
      store_.removeCheckpoint(runId_, row.step);
      checkpoints_->remove(row.step);
    }
  }

  RunEnd conclude(const AttemptEnd& end) {
    if (end.state == RunState::failed) note(EventLevel::error, "run.failed", end.why, end.rank);
    if (end.state == RunState::stopped) note(EventLevel::information, "run.stopped", end.why);
    patiently([&] { store_.setState(runId_, end.state, end.why); });
    patiently([&] { store_.fold(runId_); });
    return {end.state, end.why};
  }

  void note(EventLevel level, const std::string& code, const std::string& text, int rank = -1) {
    const Event event{0, wallNanoseconds(), number_, rank, level, code, text};
    patiently([&] { store_.addEvent(runId_, event); });
    observer_.event(event);
  }

  /// Tries again for some seconds where the store is blocked.
  template <class Write>
  void patiently(Write write) {
    for (int tries = 1;; ++tries) {
      try {
        return write();
      } catch (const StoreBlocked&) {
        if (tries == triesWhileBlocked) throw;
        std::this_thread::sleep_for(pauseWhileBlocked);
      }
    }
  }

  RunStore& store_;
  const std::string runId_;
  const RunPlan& plan_;
  const Supervision& supervision_;
  RunObserver& observer_;
  std::unique_ptr<CheckpointStore> checkpoints_;
  int number_ = 0;
};

}  // namespace

Result<std::optional<std::int64_t>> startingStep(RunStore& store, const std::string& runId,
                                                 std::optional<std::int64_t> step) {
  std::vector<std::string> steps;
  std::optional<std::int64_t> newest;
  for (const CheckpointRow& row : store.checkpoints(runId)) {
    if (!row.full) continue;
    if (row.step == step) return step;
    newest = row.step;
    steps.push_back(std::to_string(row.step));
  }
  if (!step) return newest;
  return fail("--from", std::to_string(*step), "the run has no full checkpoint of this step",
              steps.empty() ? "leave --from out to begin again" : "choose one of " + join(steps, ", "));
}

Result<RestartPolicy> restartPolicyFromEnvironment() {
  const auto text = environment("SLIPSTREAM_RESTARTS");
  if (!text) return RestartPolicy{};
  const auto limit = parseInteger(*text);
  if (!limit || *limit < 0 || *limit > 1000) {
    return fail("SLIPSTREAM_RESTARTS", *text, "is not a number of restarts", "give 0 to 1000");
  }
  return RestartPolicy{static_cast<int>(*limit)};
}

Status programsAreThere(const std::filesystem::path& worker) {
  Failures failures;
  collect(findProgram("mpirun",
                      "install Open MPI (on Debian: apt-get install openmpi-bin), or put the folder of its mpirun into "
                      "PATH"),
          failures);
  if (::access(worker.c_str(), X_OK) != 0) {
    failures.push_back({worker.string(), "",
                        "the worker program cannot be executed: " + std::generic_category().message(errno),
                        "build or install it again, beside slipstream"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

RunEnd supervise(RunStore& store, const std::string& runId, const RunPlan& plan,
                 const std::optional<CheckpointManifest>& from, const Supervision& supervision, RunObserver& observer) {
  // Nothing is made in the place of a store that was taken away.
  const RunEnd gone{RunState::failed, storeIsGone(store)};
  if (!store.isInPlace()) return gone;
  try {
    adoptOrphans();
    sweepRun(runId);
    store.setSupervisor(runId, thisProcess());
    const RunEnd end = Supervisor(store, runId, plan, supervision, observer).run(from);
    return store.isInPlace() ? end : gone;
  } catch (const std::exception&) {
    if (store.isInPlace()) throw;
    return gone;
  }
}

std::string storeIsGone(const RunStore& store) {
  return fmt::format(
      "the store {} was deleted, moved or replaced while the run went on: put it back, or begin again with another "
      "--store",
      store.folder().string());
}

std::filesystem::path attemptLogFolder(const std::filesystem::path& store, const std::string& runId, int attempt) {
  return store / "logs" / runId / fmt::format("attempt-{}", attempt);
}

}  // namespace slipstream
