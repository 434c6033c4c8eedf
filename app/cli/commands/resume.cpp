// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/cli/reading.h"
#include "app/cli/repeatable.h"
#include "app/cli/supervising.h"
#include "app/cli/through_door.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/stop_signals.h"
#include "engine/launch/supervisor.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/placement.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/environment_switches.h"
#include "engine/probe/processor.h"
#include "engine/probe/this_host.h"
#include "engine/runs/run_selection.h"
#include "engine/slurm/this_job.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream::cli {
namespace {

/// Whether the run was given to the job of Slurm that this process is. Who submits a run may not have written down its
/// job yet when that begins.
bool isOfThisJob(const RunRecord& run) {
  const auto job = thisJob();
  if (!job) return false;
  return run.slurmJob == job->id || (run.slurmJob.empty() && run.state == RunState::queued && run.attempt == 0);
}

/// Whether somebody carries the run on; only another host's processes cannot be asked.
Status unclaimed(const RunRecord& run, bool hostIsGone) {
  // What was there of the job before has ended: Slurm runs it once at a time.
  if (isTerminal(run.state) || isOfThisJob(run)) return {};
  if (!run.slurmJob.empty() && !hostIsGone) {
    return fail("RUN", run.id,
                fmt::format("the run is {}, and Slurm job {} carries it on", nameOf(run.state), run.slurmJob),
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

void setDecision(RunPlan& plan, const char* subject, const std::string& state) {
  const auto decision = std::ranges::find(plan.decisions, subject, &Decision::subject);
  if (decision != plan.decisions.end()) decision->state = state;
}

/// A plan that was made where the run was submitted, as it is made where it begins.
void fitToThisMachine(RunPlan& plan) {
  std::map<std::string, int> ranks;
  for (const RankPlacement& place : plan.places) ++ranks[place.host];
  const auto most = std::ranges::max_element(ranks, {}, [](const auto& one) { return one.second; })->second;
  plan.threadsPerRank = std::max(1, coresOnHost() / most);
  plan.instructionSet = nameOf(instructionSet());
  setDecision(plan, "threads_per_rank", std::to_string(plan.threadsPerRank));
  setDecision(plan, "instruction_set", plan.instructionSet);
}

/// Inside a scheduler's job: on its hosts.
Status moveHere(RunPlan& plan) {
  SLIPSTREAM_TRY(allocation, findAllocation([](const char* name) { return environment(name); }));
  return allocation ? moveToAllocation(plan, *allocation) : Status();
}

Result<Resumption> prepare(RunStore& store, const ResumeArguments& arguments) {
  SLIPSTREAM_TRY(run, findRun(store, arguments.run));
  SLIPSTREAM_CHECK(resumable(store, run, arguments));
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  SLIPSTREAM_CHECK(moveHere(plan));
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

/// Whether somebody stopped the run, or it ended, before its job began again.
bool isOver(RunStore& store, const ResumeArguments& arguments) {
  const auto run = findRun(store, arguments.run);
  if (!run || run->slurmJob.empty() || !isOfThisJob(*run)) return false;
  if (run->state == RunState::stopped || run->state == RunState::done) return true;
  if (store.stopRequest(run->id) == StopKind::none) return false;
  store.setState(run->id, RunState::stopped, "stopped while it waited");
  return true;
}

/// What an interruption by Slurm makes of the run that is supervised here, and of its job afterwards.
struct OfJob {
  std::optional<ThisJob> job;
  std::optional<Interruption> interruption = {};

  Judgement judgement() {
    if (!job) return {};
    return [this](const RunEnd& end) {
      InterruptedRun interrupted = judgeInterruption(*job, end.why);
      interruption = interrupted.cause;
      return RunEnd{interrupted.state, std::move(interrupted.why)};
    };
  }
};

/// Fails, and the run has stopped, where Slurm refuses to queue the job again.
int leave(RunStore& store, const std::string& run, const OfJob& ofJob, int exitCode) {
  if (!ofJob.interruption) return exitCode;
  const Status left = leaveJob(*ofJob.job, *ofJob.interruption);
  if (left) return exitCode;
  store.setState(run, RunState::stopped, "Slurm did not queue its job again: " + trim(toText(left.error())));
  return report(left.error());
}

/// Nobody sees what a job prints: its run says why it cannot go on.
int refuse(RunStore& store, const ResumeArguments& arguments, const Failures& failures) {
  const auto run = findRun(store, arguments.run);
  if (run && !isTerminal(run->state) && isOfThisJob(*run))
    store.setState(run->id, RunState::failed, trim(toText(failures)));
  return report(failures);
}

int goOn(const ResumeArguments& arguments, const CommandLine& line, const Announce& announce) {
  const StopSignals signals(thisJob().has_value());
  const auto store = openToSupervise(line);
  if (!store) return report(store.error());
  if (isOver(**store, arguments)) return ExitCode::done;
  const auto resumption = prepare(**store, arguments);
  if (!resumption) return refuse(**store, arguments, resumption.error());
  const std::string& id = resumption->run.id;
  OfJob ofJob{isOfThisJob(resumption->run) ? thisJob() : std::nullopt};
  const auto wasDone = claim(**store, resumption->run, arguments);
  if (!wasDone) return report(wasDone.error());
  killLeftoverProcesses(id);
  (*store)->requestStop(id, StopKind::none);
  if (resumption->isPlannedAnew) (*store)->setPlan(id, toJsonText(resumption->plan));
  announce(id);
  const ShownSupervision how{resumption->worker, chooseDisplay(arguments.quiet || arguments.json), *wasDone,
                             ofJob.judgement()};
  const std::vector<EndedRun> runs{{id, superviseShown(**store, id, resumption->plan, resumption->from, how)}};
  if (!isTerminal(runs.front().end.state)) return leave(**store, id, ofJob, ExitCode::done);
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
