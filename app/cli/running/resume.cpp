// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "app/cli/remotes/on_remote.h"
#include "app/cli/running/commands.h"
#include "app/cli/running/job_of_run.h"
#include "app/cli/running/repeatable.h"
#include "app/cli/running/supervising.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/clock.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/stop_signals.h"
#include "engine/launch/supervisor.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/environment_switches.h"
#include "engine/runs/run_selection.h"
#include "engine/scheduler/scheduler.h"
#include "engine/slurm/this_job.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream::cli {
namespace {

/// Whether somebody carries the run on; only another host's processes cannot be asked.
Status unclaimed(const RunRecord& run, bool hostIsGone) {
  // What was there of the job before has ended: a scheduler runs it once at a time.
  if (isTerminal(run.state) || isOfThisJob(run)) return {};
  if (!run.job.empty() && !hostIsGone) {
    return fail("RUN", run.id,
                fmt::format("the run is {}, and {} job {} carries it on", nameOf(run.state), submittingScheduler().name,
                            run.job),
                fmt::format("wait for it, or stop it first: slipstream stop {}", run.id));
  }
  if (run.supervisor.pid == 0) return {};
  const Liveness liveness = livenessOf(run.supervisor);
  if (liveness == Liveness::gone || (liveness == Liveness::unknown && hostIsGone)) return {};
  std::string remedy = "wait for its end, or stop it first: slipstream stop " + run.id;
  if (liveness == Liveness::unknown) {
    remedy += fmt::format("; if {} is gone for good: slipstream resume {} --abandon-host", run.supervisor.host, run.id);
  }
  return fail(
      "RUN", run.id,
      fmt::format("the run is {} (process {} on {})", nameOf(run.state), run.supervisor.pid, run.supervisor.host),
      remedy);
}

/// The copy of a store does not know who trains the run from the original: that process alone says so, on the machine.
/// A supervisor that is ending goes a moment after it has written how the run ended.
Status unclaimedHere(const RunRecord& run) {
  constexpr double longest = 5;
  constexpr double longestEnding = 60;  // to pack the values of a long run
  constexpr std::chrono::milliseconds pause{20};
  const Stopwatch watch;
  while (const auto other = otherSupervisorOf(run.id)) {
    const bool isEnding = *other == run.supervisor;
    if (watch.seconds() < (isEnding ? longestEnding : longest)) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    if (isEnding) {
      return fail("RUN", run.id, fmt::format("its supervisor (process {}) has not ended yet", other->pid), "try again");
    }
    return fail("RUN", run.id,
                fmt::format("the run is being trained on this machine from another store (process {})", other->pid),
                fmt::format("stop it there: slipstream stop {} --store FOLDER", run.id));
  }
  return {};
}

/// A run that is done goes on from one of its full checkpoints alone.
Status resumable(RunStore& store, const RunRecord& run, const ResumeArguments& arguments) {
  SLIPSTREAM_CHECK(unclaimed(run, arguments.abandonHost));
  if (run.state != RunState::done) return {};
  const auto checkpoints = store.checkpoints(run.id);
  if (std::ranges::none_of(checkpoints, &CheckpointRow::full)) {
    return fail("RUN", run.id, "the run is done, and it kept no full checkpoint to go on from",
                "run its experiment again: " + run.commandText);
  }
  if (arguments.fromStep) return {};
  return fail("RUN", run.id, "the run is done", "give --from STEP to continue from one of its checkpoints again");
}

struct Resumption {
  RunRecord run;
  RunPlan plan;
  bool isPlannedAnew = false;  ///< its machine is known only now
  std::optional<CheckpointManifest> from;
  std::filesystem::path worker;
};

/// The checkpoint to continue from, read to its last byte; nothing: from the beginning. Makes no file.
Result<std::optional<CheckpointManifest>> startingPoint(RunStore& store, const std::string& runId,
                                                        std::optional<std::int64_t> fromStep) {
  SLIPSTREAM_TRY(step, startingStep(store, runId, fromStep));
  if (step) {
    SLIPSTREAM_TRY(checkpoint, openVerifiedCheckpoint(store, runId, *step));
    return checkpoint.manifest;
  }
  std::error_code error;
  const auto size = std::filesystem::file_size(checkpointFile(store.folder(), runId), error);
  if (!error && size > 0) SLIPSTREAM_CHECK(CheckpointStore::openToRead(store.folder(), runId));
  return std::nullopt;
}

Result<Resumption> prepare(RunStore& store, const ResumeArguments& arguments) {
  SLIPSTREAM_TRY(run, findRun(store, arguments.run));
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  SLIPSTREAM_CHECK(resumable(store, run, arguments));
  SLIPSTREAM_CHECK(unclaimedHere(run));
  SLIPSTREAM_CHECK(moveToJob(plan));
  const bool isPlannedAnew = run.attempt == 0 && isOfThisJob(run);
  if (isPlannedAnew) fitToThisMachine(plan);
  SLIPSTREAM_CHECK(runnableHere(plan));
  std::vector<RunPlan> plans{std::move(plan)};
  SLIPSTREAM_CHECK(resolveDevices(plans));
  plan = std::move(plans.front());
  plan.allowDifferentBits = arguments.allowDifferentBits;
  if (!arguments.allowDifferentBits) SLIPSTREAM_CHECK(sameBits(plan));
  SLIPSTREAM_CHECK(checkPlannedImages(plan));
  std::vector<std::string> remarks;  // told when it was run
  SLIPSTREAM_TRY(worker, workerOnHosts({plan}, arguments.stage));
  if (isPlannedAnew) {
    std::vector<RunPlan> fitted{std::move(plan)};
    SLIPSTREAM_CHECK(resolveHosts(fitted, worker, remarks));
    plan = std::move(fitted.front());
  } else {
    SLIPSTREAM_CHECK(checkHosts(plan, worker, remarks));
  }
  SLIPSTREAM_CHECK(restartPolicyFromEnvironment());
  SLIPSTREAM_CHECK(switchesAreValid());
  SLIPSTREAM_CHECK(programsAreThere(workerProgram()));
  SLIPSTREAM_CHECK(reserveRoom(store.folder()));
  SLIPSTREAM_TRY(from, startingPoint(store, run.id, arguments.fromStep));
  // Whoever begins again takes the file's weights again.
  if (!from && !arguments.allowDifferentBits) SLIPSTREAM_CHECK(checkPreTrained(plan));
  return Resumption{std::move(run), std::move(plan), isPlannedAnew, std::move(from), std::move(worker)};
}

/// Takes the run over in one transaction: of two resumes at once one wins, and the other hears that the run is alive.
/// Returns whether it was done.
Result<bool> claim(RunStore& store, const RunRecord& run, const ResumeArguments& arguments) {
  store.begin();
  const auto now = store.find(run.id);
  const Status can = now ? resumable(store, *now, arguments) : Status(tl::unexpected(now.error()));
  if (!can) {
    store.rollback();
    return tl::unexpected(can.error());
  }
  const auto job = isOfThisJob(run) ? thisJob() : std::nullopt;
  store.setJob(run.id, job ? job->id : "");
  store.setSupervisor(run.id, thisProcess());
  store.setState(run.id, RunState::starting, "");
  store.commit();
  return now->state == RunState::done;
}

int goOn(const ResumeArguments& arguments, const CommandLine& line, const Announce& announce) {
  const StopSignals signals(isTerminatedWithJob());
  const auto store = openToSupervise(line);
  if (!store) return report(store.error());
  if (isOver(**store, arguments.run)) return ExitCode::done;
  const auto resumption = prepare(**store, arguments);
  if (!resumption) return refuse(**store, arguments.run, resumption.error());
  const std::string& id = resumption->run.id;
  JobOfRun job(**store, resumption->run);
  const auto wasDone = claim(**store, resumption->run, arguments);
  if (!wasDone) return report(wasDone.error());
  (*store)->requestStop(id, StopKind::none);
  if (resumption->isPlannedAnew) (*store)->setPlan(id, toJsonText(resumption->plan));
  announce(id);
  const ShownSupervision how{resumption->worker, chooseDisplay(arguments.quiet || arguments.json), *wasDone,
                             job.judgement()};
  const std::vector<EndedRun> runs{{id, superviseShown(**store, id, resumption->plan, resumption->from, how)}};
  if (!isTerminal(runs.front().end.state)) return job.leave(ExitCode::done);
  close(**store, runs, {resumption->run.experimentName, arguments.quiet, arguments.json});
  return exitCodeOf(runs);
}

/// Every mistake is told before anything goes into the background.
Status check(const ResumeArguments& arguments, const CommandLine& line) {
  SLIPSTREAM_TRY(existing, openToRead(line));  // creates nothing
  SLIPSTREAM_TRY(store, RunStore::open(line.storeFolder, StoreAccess::write));
  SLIPSTREAM_CHECK(prepare(*store, arguments));
  return {};
}

/// The remote of a copy; nothing of a run of this store, or of none.
std::optional<RunRecord> copyOf(const ResumeArguments& arguments, const CommandLine& line) {
  auto opened = openRun(line, arguments.run);
  return opened && !opened->run.remote.empty() ? std::optional(std::move(opened->run)) : std::nullopt;
}

int resumeThere(const RunRecord& copy, const ResumeArguments& arguments) {
  std::vector<std::string> words{"resume", copy.id};
  if (arguments.fromStep) words.insert(words.end(), {"--from", std::to_string(*arguments.fromStep)});
  if (arguments.stage) words.emplace_back("--stage");
  if (arguments.detach) words.emplace_back("--detach");
  if (arguments.quiet) words.emplace_back("--quiet");
  if (arguments.allowDifferentBits) words.emplace_back("--allow-different-bits");
  if (arguments.abandonHost) words.emplace_back("--abandon-host");
  if (arguments.json) words.emplace_back("--json");
  return doThere(copy.remote, words);
}

}  // namespace

int resume(const ResumeArguments& arguments, const CommandLine& line) {
  if (const auto copy = copyOf(arguments, line)) return resumeThere(*copy, arguments);
  // In a job signals have to be heard from the beginning, and hosts are asked once.
  if (thisJob() && !arguments.detach) return goOn(arguments, line, [](const std::string&) {});
  if (const Status can = check(arguments, line); !can) return report(can.error());
  const Place background = arguments.json ? Place::detachedJson : Place::detached;
  return runAt(arguments.detach ? background : Place::here, line,
               [&](const Announce& announce) { return goOn(arguments, line, announce); });
}

}  // namespace slipstream::cli
