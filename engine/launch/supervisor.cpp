// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/process.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/attempt.h"
#include "engine/launch/awaited_hosts.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/loopback_only.h"
#include "engine/launch/restart_decision.h"
#include "engine/launch/stop_signals.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/checkpoint_removal.h"
#include "engine/store/verified_checkpoint.h"

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

/// Ends what began with RunState::starting. A run that was done before, and that nothing was added to, stays done: it
/// could not be continued, and is what it was.
void writeEnd(RunStore& store, const std::string& runId, const RunEnd& end, const Supervision& supervision,
              bool began) {
  if (supervision.wasDone && !began) {
    store.setState(runId, RunState::done, "");
  } else {
    store.setState(runId, end.state, end.why);
  }
}

class Supervisor {
 public:
  /// `began` becomes true with the first attempt that begins.
  Supervisor(RunStore& store, const std::string& runId, const RunPlan& plan, const Supervision& supervision,
             RunObserver& observer, DiskReserve reserve, bool& began)
      : store_(store),
        runId_(runId),
        plan_(plan),
        current_(plan),
        supervision_(supervision),
        observer_(observer),
        reserve_(std::move(reserve)),
        began_(began),
        checkpoints_(openCheckpoints(store, runId)) {}

  RunEnd run(std::optional<CheckpointManifest> from) {
    forgetUnlistedCheckpoints(store_, *checkpoints_, runId_);
    std::optional<FailedAttempt> before;
    for (int restarts = 0;; ++restarts) {
      AttemptEnd end = attempt(from);
      began_ = began_ || end.began;
      if (!asksForRestart(end)) return conclude(end);
      if (end.began) from = newestCheckpoint();
      const FailedAttempt now{end.failureSignature, end.step, end.unreportedSteps, from ? from->step : -1};
      if (const auto why = whyNotAgain(before, now, restarts, limitFor(end))) {
        end.why += "; " + *why;
        return conclude(end);
      }
      sayThatItWaits(fmt::format("attempt {} failed, and another one follows", number_));
      note(EventLevel::warning, "run.restarted", end.why);
      if (!pauseUnlessStopped(restartPause(restarts))) return conclude(stoppedInPause(end));
      if (const auto why = placeAgain()) {
        end.why += "; " + *why;
        return conclude(isStopAsked() ? stoppedInPause(end) : end);
      }
      before = now;
    }
  }

 private:
  std::chrono::duration<double> restartPause(int restarts) const {
    const double doubled = supervision_.restart.firstPauseSeconds * std::exp2(std::min(restarts, 10));
    return std::chrono::duration<double>(std::min(doubled, longestPauseSeconds));
  }

  OnLost onLost() const { return plan_.experiment.train.onLost; }

  int limitFor(const AttemptEnd& end) const {
    const RestartPolicy& policy = supervision_.restart;
    return end.lost && onLost() != OnLost::stop ? policy.lossLimit : policy.limit;
  }

  bool asksForRestart(const AttemptEnd& end) const {
    return end.state == RunState::failed && limitFor(end) > 0 && StopSignals::count() == 0 && store_.isInPlace();
  }

  /// Decides where the next attempt runs. Returns why there is none.
  std::optional<std::string> placeAgain() {
    if (plan_.local || onLost() == OnLost::stop) return std::nullopt;
    const double longest = plan_.experiment.train.waitForHosts;
    bool told = false;
    const auto tell = [&](const std::vector<SilentHost>& silent) {
      sayThatItWaits(waitingText(silent));
      if (std::exchange(told, true)) return;
      note(EventLevel::warning, "run.waits",
           fmt::format("waits up to {:.0f} s for hosts that do not answer: {}", longest, causesText(silent)));
    };
    const auto silent = awaitHosts({hostsOf(plan_), supervision_.worker, longest}, tell, [&] { return isStopAsked(); });
    if (isStopAsked()) return "it was to stop while it waited for hosts";
    if (told && silent.empty()) note(EventLevel::information, "run.waits", "all hosts answer again");
    NextPlan next = planWithout(plan_, silent);
    if (!next.plan) return next.said;
    if (!next.said.empty()) note(EventLevel::warning, shrunkEvent, next.said);
    current_ = std::move(*next.plan);
    return std::nullopt;
  }

  /// Between two attempts nothing runs: the run's state says so, and what it waits for.
  void sayThatItWaits(const std::string& what) {
    if (std::exchange(waitsFor_, what) == what) return;
    retryWhileBusy([&] { store_.setState(runId_, RunState::starting, what); });
  }

  bool isStopAsked() {
    try {
      return StopSignals::count() > 0 || store_.stopRequest(runId_) != StopKind::none;
    } catch (const StoreBlocked&) {
      return false;
    }
  }

  /// False where the run is to stop meanwhile.
  bool pauseUnlessStopped(std::chrono::duration<double> pause) {
    constexpr std::chrono::milliseconds pollInterval{50};
    for (const Stopwatch watch; watch.seconds() < pause.count();) {
      if (isStopAsked()) return false;
      std::this_thread::sleep_for(pollInterval);
    }
    return true;
  }

  static AttemptEnd stoppedInPause(const AttemptEnd& end) {
    return {RunState::stopped, "stopped, as asked, before it started again; before that: " + end.why, -1, -1, ""};
  }

  AttemptEnd attempt(const std::optional<CheckpointManifest>& from) {
    const std::int64_t fromStep = from ? from->step : 0;
    waitsFor_.clear();
    retryWhileBusy([&] { number_ = store_.startAttempt(runId_, fromStep); });
    retryWhileBusy([&] { store_.setState(runId_, RunState::starting, ""); });
    note(EventLevel::information, "attempt.started",
         fmt::format("attempt {} from step {} on {}", number_, fromStep, counted(current_.ranks(), "rank")));
    warnOfOpenPorts();
    observer_.attemptStarted(number_, fromStep);
    std::unique_ptr<Attempt> attempt;
    try {
      attempt =
          std::make_unique<Attempt>(store_, *checkpoints_, runId_, number_, current_, from, supervision_, observer_);
      return attempt->run();
    } catch (const std::exception& error) {
      const std::string why = trim(error.what());
      // Other hosts were asked before; what keeps an attempt from starting there has come since.
      return {RunState::failed, why, -1, -1, why, 0, attempt && attempt->hasBegun(), !plan_.local};
    }
  }

  /// Open MPI asks nobody who connects for a secret.
  void warnOfOpenPorts() {
    const std::string problem = plan_.local ? findLoopbackModule().problem : "";
    if (problem.empty()) return;
    note(EventLevel::warning, "launch.ports_open",
         problem +
             ": while the run lasts, mpirun's ports are open to other machines; install slipstream again, in a "
             "folder whose path has neither blanks nor colons");
  }

  /// Damaged ones are passed over.
  std::optional<CheckpointManifest> newestCheckpoint() {
    const auto rows = store_.checkpoints(runId_);
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      if (!row->full) continue;
      auto checkpoint = openVerifiedCheckpoint(store_, runId_, row->step);
      if (checkpoint) return std::move(checkpoint->manifest);
      note(EventLevel::warning, "checkpoint.damaged", trim(toText(checkpoint.error())));
    }
    return std::nullopt;
  }

  /// What must still be written finds room now, whoever has filled the disk.
  RunEnd conclude(AttemptEnd end) {
    reserve_.letGo();
    judgeTermination(end);
    if (end.state == RunState::failed) note(EventLevel::error, "run.failed", end.why, end.rank);
    if (end.state == RunState::stopped) note(EventLevel::information, "run.stopped", end.why);
    if (end.state == RunState::done) note(EventLevel::information, "run.done", "all steps are done");
    if (!isTerminal(end.state)) note(EventLevel::information, "run.interrupted", end.why);
    retryWhileBusy([&] { writeEnd(store_, runId_, {end.state, end.why}, supervision_, began_); });
    try {
      retryWhileBusy([&] { store_.compact(runId_); });
      if (isTerminal(end.state)) keepMeasures(store_, runId_);
    } catch (const StoreBlocked&) {
      // The values stay where they are, and are read from there; whoever opens the store next measures them.
    }
    return {end.state, end.why};
  }

  /// What somebody asked for by `slipstream stop` is what it is.
  void judgeTermination(AttemptEnd& end) {
    if (!supervision_.judgeTermination || !StopSignals::wasTerminated() || end.state == RunState::done) return;
    if (store_.stopRequest(runId_) != StopKind::none) return;
    const RunEnd judged = supervision_.judgeTermination({end.state, end.why});
    end.state = judged.state;
    end.why = judged.why;
  }

  void note(EventLevel level, const std::string& code, const std::string& text, int rank = -1) {
    const Event event{0, wallNanoseconds(), number_, rank, level, code, text};
    retryWhileBusy([&] { store_.addEvent(runId_, event); });
    observer_.event(event);
  }

  /// Tries again for some seconds where the store is blocked.
  template <class Write>
  void retryWhileBusy(Write write) {
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
  RunPlan current_;  ///< with the ranks of the hosts that are there
  const Supervision& supervision_;
  RunObserver& observer_;
  DiskReserve reserve_;
  bool& began_;
  std::unique_ptr<CheckpointStore> checkpoints_;
  int number_ = 0;
  std::string waitsFor_;  ///< as its state says it
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
  return RestartPolicy{static_cast<int>(*limit), static_cast<int>(*limit)};
}

namespace {

/// With fewer mpirun stops instead of saying so.
std::optional<Failure> tooFewFiles() {
  constexpr rlim_t fewest = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= fewest) return std::nullopt;
  return Failure{"ulimit -n", std::to_string(limit.rlim_cur), "are too few open files for a run",
                 fmt::format("allow at least {}: ulimit -n {}", fewest, fewest)};
}

}  // namespace

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
  if (auto few = tooFewFiles()) failures.push_back(std::move(*few));
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

Result<DiskReserve> reserveRoom(const std::filesystem::path& store) {
  constexpr std::int64_t bytes = 768 << 10;  // a last transaction of events and state, and SQLite's files beside it
  return DiskReserve::take(store, bytes);
}

namespace {

/// A supervisor that is ending goes a moment after it has written how the run ended.
std::unique_ptr<OwnFolder> claimWhenFree(const std::string& runId) {
  constexpr double longest = 5;
  constexpr std::chrono::milliseconds pause{20};
  for (const Stopwatch watch; otherSupervisorOf(runId) && watch.seconds() < longest;)
    std::this_thread::sleep_for(pause);
  return claimRun(runId);
}

}  // namespace

RunEnd supervise(RunStore& store, const std::string& runId, const RunPlan& plan,
                 const std::optional<CheckpointManifest>& from, const Supervision& supervision, RunObserver& observer) {
  // Nothing is made in the place of a store that was taken away.
  const RunEnd gone{RunState::failed, storeIsGone(store)};
  if (!store.isInPlace()) return gone;
  bool began = false;
  // Nobody shall take a run that cannot be carried on for one whose supervisor has died.
  const auto failed = [&](const std::string& why) {
    const RunEnd end{RunState::failed, trim(why)};
    writeEnd(store, runId, end, supervision, began);
    return end;
  };
  try {
    const auto claim = claimWhenFree(runId);
    adoptOrphans();
    killLeftoverProcesses(runId);
    store.setSupervisor(runId, thisProcess());
    auto reserve = reserveRoom(store.folder());
    if (!reserve) return failed(toText(reserve.error()));
    const RunEnd end = Supervisor(store, runId, plan, supervision, observer, std::move(*reserve), began).run(from);
    return store.isInPlace() ? end : gone;
  } catch (const std::exception& error) {
    if (!store.isInPlace()) return gone;
    return failed(error.what());
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
