// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/attempt.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/launch/failure_cause.h"
#include "engine/launch/stop_signals.h"
#include "engine/plan/plan_file.h"
#include "engine/wire/link.h"

namespace slipstream {
namespace {

constexpr std::chrono::milliseconds round{50};
constexpr double pollStoreEvery = 0.2;
/// A worker that has sent its final message needs this long at most to leave MPI, or to take the others along.
constexpr double leaveWithin = 3;
constexpr double mediansToStop = 3;
constexpr int roundsToDrain = 3;
constexpr std::size_t linesOfLog = 8;
/// Values come every 200 ms, heartbeats every second.
constexpr double longestUnreported = 1;

StopKind strongest(StopKind one, StopKind other) {
  return std::max(one, other);
}

StopKind stopBySignal() {
  if (StopSignals::count() == 0) return StopKind::none;
  return StopSignals::count() == 1 ? StopKind::afterStep : StopKind::now;
}

/// What cannot be read now is read next time.
StopKind stopInStore(RunStore& store, const std::string& runId) {
  try {
    return store.stopRequest(runId);
  } catch (const StoreBlocked&) {
    return StopKind::none;
  }
}

std::string describe(const RankDeath& death) {
  if (death.signal != 0) {
    const std::string by = "was killed by " + toText(ProcessEnd{0, death.signal});
    return death.signal == SIGBUS ? by + ": memory that ranks share has no room left (df /dev/shm)" : by;
  }
  if (death.exitCode == 0) return "left without a last word (exit code 0)";
  const std::string exit = fmt::format("ended with exit code {}", death.exitCode);
  return death.exitCode == deadLinkExitCode ? exit + " (it lost its line to the supervisor)" : exit;
}

std::vector<std::string> hostOfRank(const RunPlan& plan) {
  std::vector<std::string> hosts;
  for (const RankPlacement& place : plan.places) hosts.push_back(place.host);
  return hosts;
}

/// Returns whether every rank has sent its final message, and what it sent before is in the store. Nothing follows a
/// final message.
bool haveAllFinished(const std::vector<RankStatus>& ranks) {
  return std::ranges::all_of(ranks, &RankStatus::finished);
}

/// Not of its own accord: a program that exits by itself would do so again.
bool isLoss(const RankDeath& death) {
  return death.signal != 0 || death.exitCode == 0 || death.exitCode == deadLinkExitCode;
}

}  // namespace

Attempt::Attempt(RunStore& store, CheckpointStore& checkpoints, const std::string& runId, int number,
                 const RunPlan& plan, const std::optional<CheckpointManifest>& from, const Supervision& supervision,
                 RunObserver& observer)
    : store_(store),
      runId_(runId),
      number_(number),
      plan_(plan),
      supervision_(supervision),
      logs_(attemptLogFolder(store.folder(), runId, number)),
      progress_(plan.ranks(), observer, hostOfRank(plan)),
      watch_(plan.ranks(), timeoutsFor(plan, supervision.timeouts)),
      launcher_(makeLauncher({plan, runId, number, supervision.worker, logs_})),
      hub_({.address = launcher_->hubAddress(),
            .runId = runId,
            .attempt = number,
            .ranks = plan.ranks(),
            .planText = toJsonText(plan),
            .checkpoint = from,
            .keepCheckpoints = plan.experiment.train.checkpoint.keep,
            .pinnedSteps = startingSteps(plan),
            .fromStep = from ? from->step : 0},
           store, checkpoints, progress_) {}

Attempt::~Attempt() {
  try {
    launcher_->endEverywhere();
  } catch (const std::exception&) {
    // Already on the way out with a graver cause, or a process in an uninterruptible sleep that dies on waking.
  }
}

AttemptEnd Attempt::run() {
  start();
  std::optional<AttemptEnd> end;
  while (!end) {
    hub_.serve(round);
    end = poll();
  }
  endRanks();
  drain();
  if (!unreached_.empty()) end->why += "; " + unreached_;
  end->began = hub_.hasBegun();
  return *end;
}

void Attempt::start() {
  if (const Status there = programsAreThere(supervision_.worker); !there) throw Error(trim(toText(there.error())));
  launcher_->start(hub_.endpoint());
}

void Attempt::endRanks() {
  const std::string unreached = launcher_->endEverywhere();
  if (!unreached.empty()) unreached_ = unreached;
}

std::optional<AttemptEnd> Attempt::poll() {
  requireStore();
  const auto ranks = hub_.ranks();
  const auto failedRank = watch_.poll(ranks, progress_.medianStepSeconds());
  if (const auto end = launcher_->poll()) return afterMpirun(*end);
  if (isStuck())
    return asLost(failure(-1, "a process of the run died while mpirun started the others, and mpirun hangs", ""));
  followState(ranks);
  tellSlowHost(ranks);
  if (auto stopped = checkStopRequest(ranks)) return stopped;
  if (const auto rank = firstToFail(ranks)) {
    if (failureReportedAt_ < 0) failureReportedAt_ = watch_.now();
    if (watch_.now() - failureReportedAt_ > leaveWithin) return afterMpirun({});
    return std::nullopt;
  }
  const auto blocked = hub_.blocked();
  // Ranks that wait for a store which cannot be written do not hang.
  if (failedRank && !blocked) return asLost(failureOfRank(failedRank->rank, failedRank->why));
  if (const auto lost = launcher_->lostHost()) return failureOfHost(*lost);
  if (blocked && blocked->seconds > supervision_.timeouts.blockedStore) {
    return failure(-1,
                   fmt::format("the store {} {} for {:.0f} s", store_.folder().string(),
                               blocked->byLock ? "was locked by another program" : "had no room",
                               supervision_.timeouts.blockedStore),
                   "");
  }
  const bool allFinished = haveAllFinished(ranks);
  if (allFinished && allFinishedAt_ < 0) allFinishedAt_ = watch_.now();
  if (allFinished && watch_.now() - allFinishedAt_ > leaveWithin) return afterMpirun({});
  return std::nullopt;
}

/// Open MPI's mpirun (4.1) waits for ever where a child dies at the moment at which it makes the next one.
bool Attempt::isStuck() {
  if (!launcher_->ignoresDeadChild()) {
    deadChildSeenAt_ = -1;
    return false;
  }
  if (deadChildSeenAt_ < 0) deadChildSeenAt_ = watch_.now();
  return watch_.now() - deadChildSeenAt_ > leaveWithin;
}

void Attempt::tellSlowHost(const std::vector<RankStatus>& ranks) {
  std::vector<double> delayed;
  for (const RankStatus& rank : ranks) delayed.push_back(rank.delayedSeconds);
  const auto slow = progress_.slowHosts().poll(watch_.now(), delayed);
  if (!slow) return;
  const Event event{0, wallNanoseconds(), number_, -1, EventLevel::warning, "host.slow", describe(*slow)};
  try {
    store_.addEvent(runId_, event);
  } catch (const StoreBlocked&) {
    // Whoever looks on hears of it.
  }
  progress_.event(event);
}

/// SQLite goes on with the file that it has opened, whatever becomes of its name.
void Attempt::requireStore() {
  if (storeCheckedAt_ >= 0 && watch_.now() - storeCheckedAt_ < pollStoreEvery) return;
  storeCheckedAt_ = watch_.now();
  if (!store_.isInPlace()) throw Error(storeIsGone(store_));
}

void Attempt::followState(const std::vector<RankStatus>& ranks) {
  const bool allThere = std::all_of(ranks.begin(), ranks.end(), [](const RankStatus& rank) { return rank.pid != 0; });
  RunState now = allThere ? RunState::running : RunState::starting;
  if (stop_ != StopKind::none) now = RunState::stopping;
  if (now == state_) return;
  try {
    store_.setState(runId_, now, "");
  } catch (const StoreBlocked&) {
    return;  // said when it can be written again
  }
  state_ = now;
}

std::optional<AttemptEnd> Attempt::checkStopRequest(const std::vector<RankStatus>& ranks) {
  StopKind asked = stopBySignal();
  if (watch_.now() - stopPolledAt_ >= pollStoreEvery || stopPolledAt_ < 0) {
    stopPolledAt_ = watch_.now();
    asked = strongest(asked, stopInStore(store_, runId_));
  }
  if (strongest(asked, stop_) != stop_) {
    stop_ = asked;
    stopAskedAt_ = watch_.now();
    hub_.setStop(stop_);
  }
  if (stop_ == StopKind::now) return AttemptEnd{RunState::stopped, "stopped at once, as asked", -1, -1, ""};
  const bool anyStarted = std::any_of(ranks.begin(), ranks.end(), [](const RankStatus& rank) { return rank.pid != 0; });
  if (stop_ == StopKind::afterStep && !anyStarted)
    return AttemptEnd{RunState::stopped, "stopped before it began", -1, -1, ""};
  const bool insideStep = std::any_of(
      ranks.begin(), ranks.end(), [](const RankStatus& rank) { return rank.phase == "data" || rank.phase == "step"; });
  const double seconds = insideStep
                             ? std::max(supervision_.timeouts.stop, mediansToStop * progress_.medianStepSeconds())
                             : supervision_.timeouts.elsewhere;
  if (stop_ == StopKind::afterStep && watch_.now() - stopAskedAt_ > seconds) {
    return AttemptEnd{RunState::stopped, fmt::format("stopped: it had not come to its end after {:.0f} s", seconds), -1,
                      -1, ""};
  }
  return std::nullopt;
}

std::optional<int> Attempt::firstToFail(const std::vector<RankStatus>& ranks) const {
  const auto found =
      std::find_if(ranks.begin(), ranks.end(), [](const RankStatus& rank) { return !rank.failure.empty(); });
  if (found == ranks.end()) return std::nullopt;
  return static_cast<int>(found - ranks.begin());
}

/// Whether mpirun has ended in order or was killed, or a rank or mpirun itself has told why not.
bool Attempt::causeIsKnown(const ProcessEnd& end) const {
  if (end.exitCode == 0 || end.signal != 0 || firstToFail(hub_.ranks())) return true;
  const std::string output = endOfFile(logs_ / "mpirun.log");
  return readRankDeath(output) || readLostHost(output);
}

/// mpirun has ended (or should have): what the ranks said last counts, then what mpirun noticed.
std::optional<AttemptEnd> Attempt::afterMpirun(const ProcessEnd& end) {
  const auto lost = causeIsKnown(end) ? launcher_->lostHost() : launcher_->awaitLostHost();
  endRanks();
  drain();
  const auto ranks = hub_.ranks();
  if (const auto rank = firstToFail(ranks)) {
    return failureOfRank(*rank, "failed: " + ranks[static_cast<std::size_t>(*rank)].failure);
  }
  if (haveAllFinished(ranks)) return finished(ranks.front());
  const std::string output = endOfFile(logs_ / "mpirun.log");
  if (const auto death = readRankDeath(output)) {
    AttemptEnd failed = failureOfRank(death->rank, describe(*death));
    return isLoss(*death) ? asLost(std::move(failed)) : failed;
  }
  if (lost) return failureOfHost(*lost);
  if (const auto host = readLostHost(output))
    return failureOfHost({*host, "Open MPI's daemon there no longer answers"});
  const std::string how = end.signal != 0 ? "was killed by " + toText(end) : "ended with " + toText(end);
  return asLost(failure(-1, "mpirun " + how, lastLines(output, linesOfLog)));
}

std::string Attempt::unkeptEnd(std::int64_t step) {
  const auto kept = store_.checkpoints(runId_);
  if (std::ranges::any_of(kept, [&](const CheckpointRow& row) { return row.step == step; })) return "";
  std::string cause = "the checkpoint of its last step is missing";
  for (const Event& event : store_.events(runId_)) {
    if (event.attempt == number_ && event.code == "checkpoint.given_up") cause = event.text;
  }
  return cause;
}

AttemptEnd Attempt::finished(const RankStatus& first) {
  const bool wanted = first.stopped || stagesOf(plan_).back().experiment.train.checkpoint.atEnd;
  const std::string unkept = wanted ? unkeptEnd(first.stepsDone) : "";
  const std::string remedy = fmt::format("make room, then 'slipstream resume {}' repeats what is not kept", runId_);
  if (first.stopped) {
    const std::string why = fmt::format("stopped after step {}, as asked", first.stepsDone);
    return {RunState::stopped, unkept.empty() ? why : fmt::format("{}; {}; {}", why, unkept, remedy), -1, -1, ""};
  }
  if (unkept.empty()) return {};
  AttemptEnd end = failure(-1, "trained to its end, but the weights are not kept: " + unkept, "");
  end.why += "; " + remedy;
  return end;
}

/// As far as heartbeats and committed values tell.
std::int64_t Attempt::stepReached(int rank) const {
  const std::int64_t committed = progress_.newestStep();
  return rank < 0 ? committed : std::max(committed, hub_.ranks()[static_cast<std::size_t>(rank)].step);
}

AttemptEnd Attempt::failureOfRank(int rank, const std::string& problem) {
  if (rank < 0) return failure(-1, "the run " + problem, "");
  endRanks();  // hosts send their logs then
  const std::string& host = plan_.places[static_cast<std::size_t>(rank)].host;
  const std::string where = plan_.local ? "" : " on host " + host;
  return failure(rank, fmt::format("rank {}{} {}", rank, where, problem), lastLogLines(logs_, rank, linesOfLog));
}

AttemptEnd Attempt::failureOfHost(const LostHost& lost) {
  const auto place = std::ranges::find(plan_.places, lost.host, &RankPlacement::host);
  const int rank = place == plan_.places.end() ? -1 : place->rank;
  return asLost(failure(rank, fmt::format("host {} is lost: {}", lost.host, lost.why), ""));
}

AttemptEnd Attempt::asLost(AttemptEnd end) {
  end.lost = true;
  return end;
}

AttemptEnd Attempt::failure(int rank, const std::string& problem, const std::string& logLines) {
  AttemptEnd end{RunState::failed, "", rank, -1, problem};
  end.step = stepReached(rank);
  const double median = progress_.medianStepSeconds();
  if (median > 0) end.unreportedSteps = static_cast<std::int64_t>(std::ceil(longestUnreported / median));
  end.why = withLog(problem, logLines);
  return end;
}

/// What the dead had sent is still in the socket's buffers.
void Attempt::drain() {
  for (int count = 0; count < roundsToDrain && !haveAllFinished(hub_.ranks()); ++count) hub_.serve(round);
  hub_.drain();
}

}  // namespace slipstream
