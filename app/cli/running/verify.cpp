// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/running/commands.h"
#include "app/cli/running/repeatable.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/hosts/run_folder.h"
#include "engine/launch/repeat_steps.h"
#include "engine/launch/stop_signals.h"
#include "engine/launch/supervisor.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/version.h"
#include "engine/runs/run_outcome.h"
#include "engine/runs/run_selection.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream::cli {
namespace {

/// What there is to repeat, and everything that keeps this machine from doing so.
struct Verification {
  RunRecord run;
  RunPlan plan;
  std::vector<StepInterval> intervals;  ///< chosen ones
};

std::uint64_t seedOf(const VerifyArguments& arguments) {
  return arguments.seed.value_or(static_cast<std::uint64_t>(wallNanoseconds()));
}

/// Fewer ranks than planned have other sums.
Status madeByAllRanks(RunStore& store, const RunRecord& run) {
  const std::string shrunk = shrinkingOf(store, run.id);
  if (shrunk.empty()) return {};
  return fail("RUN", run.id, "the run lost hosts, and its steps cannot be repeated as planned: " + shrunk,
              "verify a run that kept all its ranks");
}

Result<Verification> prepare(RunStore& store, const VerifyArguments& arguments) {
  SLIPSTREAM_TRY(run, findRun(store, arguments.run));
  if (isLiving(run.state)) {
    return fail("RUN", run.id, "the run is " + std::string(nameOf(run.state)), "wait for its end, or stop it first");
  }
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  Failures failures;
  collect(madeByAllRanks(store, run), failures);
  collect(repeatableHere(run, plan), failures);
  collect(checkPlannedImages(plan), failures);
  collect(checkPreTrained(plan), failures);
  collect(programsAreThere(workerProgram()), failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  std::vector<StepInterval> all = repeatableIntervals(store, run.id);
  if (all.empty()) {
    return fail("RUN", run.id, "the run has no checkpoint that its steps could be held against",
                "save some with train.checkpoint in the experiment");
  }
  return Verification{std::move(run), std::move(plan),
                      chooseIntervals(std::move(all), arguments.steps, seedOf(arguments))};
}

/// Every stored tensor against its own hash.
Result<Failures> damagedTensors(RunStore& store, const std::string& runId) {
  SLIPSTREAM_TRY(checkpoints, CheckpointStore::openToRead(store.folder(), runId));
  return checkpoints->verify();
}

nlohmann::ordered_json toJson(const Repetition& one) {
  return {{"from", one.interval.from}, {"to", one.interval.to},      {"steps", one.interval.steps()},
          {"tensors", one.compared},   {"different", one.different}, {"only_in_one", one.missing}};
}

std::string listText(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, names.size()));
  const std::vector<std::string> shown(names.begin(), names.begin() + count);
  return join(shown, ", ") + (names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

void printRepetition(const Repetition& one) {
  fmt::print("steps {} to {}: ", countText(one.interval.from), countText(one.interval.to));
  if (one.equal()) {
    fmt::print("equal, {}\n", counted(static_cast<std::int64_t>(one.compared), "tensor"));
    return;
  }
  fmt::print("differs\n");
  if (!one.different.empty()) fmt::print("  other values: {}\n", listText(one.different));
  if (!one.missing.empty()) fmt::print("  only in one of the two checkpoints: {}\n", listText(one.missing));
}

int conclude(const VerifyArguments& arguments, const Verification& verification, const Failures& damaged,
             const std::vector<Repetition>& done) {
  std::int64_t steps = 0;
  bool equal = damaged.empty();
  for (const Repetition& one : done) {
    steps += one.interval.steps();
    equal = equal && one.equal();
  }
  const char* verdict = !damaged.empty() ? "damaged" : equal ? "equal" : "differs";
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Repetition& one : done) list.push_back(toJson(one));
    print({{"run", verification.run.id}, {"verdict", verdict}, {"steps", steps}, {"repeated", list}});
  } else {
    fmt::print("run {}: {}, {} repeated\n", verification.run.id, verdict, counted(steps, "step"));
  }
  return equal ? ExitCode::done : ExitCode::runFailed;
}

}  // namespace

int verifyRun(const VerifyArguments& arguments, const CommandLine& line) {
  const StopSignals signals;
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto verification = prepare(**store, arguments);
  if (!verification) return report(verification.error());
  const auto damaged = damagedTensors(**store, verification->run.id);
  if (!damaged) return report(damaged.error());
  if (!damaged->empty()) {
    report(*damaged);
    return conclude(arguments, *verification, *damaged, {});
  }
  if (verification->run.sourceRevision != sourceRevision()) {
    remark("note", fmt::format("the run was made by revision '{}', this program is '{}': another order of sums in it "
                               "would differ too",
                               verification->run.sourceRevision, sourceRevision()));
  }
  removeAbandonedFolders();
  std::vector<Repetition> done;
  for (const StepInterval& interval : verification->intervals) {
    const auto scratch = makeScratchFolder();
    auto repetition = repeatSteps(**store, verification->run, verification->plan, interval, scratch->path());
    if (StopSignals::count() > 0) return ExitCode::stopped;
    if (!repetition) {
      report(repetition.error());
      return ExitCode::runFailed;
    }
    if (!arguments.json) printRepetition(*repetition);
    done.push_back(std::move(*repetition));
  }
  return conclude(arguments, *verification, {}, done);
}

}  // namespace slipstream::cli
