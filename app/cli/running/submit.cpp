// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/planning/batch_job.h"
#include "app/cli/planning/variants.h"
#include "app/cli/running/commands.h"
#include "app/cli/running/repeat_line.h"
#include "app/cli/running/supervising.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/clock.h"
#include "engine/base/private_files.h"
#include "engine/base/text.h"
#include "engine/hosts/process.h"
#include "engine/launch/describe_run.h"
#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/scratch_memory.h"
#include "engine/plan/plan_file.h"
#include "engine/probe/environment_switches.h"
#include "engine/slurm/batch_script.h"
#include "engine/slurm/jobs.h"
#include "engine/store/store_folder.h"

namespace slipstream::cli {
namespace {

struct Submitted {
  std::string run;
  SubmittedJob job;
};

/// Runs that Slurm has, beside why it does not have the others.
struct Submission {
  std::vector<Submitted> submitted;
  Failures failures;
};

/// A run goes on as it was planned: what asks for something else is refused instead of passed over. One node is what a
/// request says where nobody asked for any.
Status nothingAboveResumed(const SubmitArguments& arguments) {
  const Overrides& above = arguments.overrides;
  const std::array<std::pair<const char*, bool>, 11> flags{{{"--stdin", arguments.fromInput},
                                                            {"--ranks", above.ranks.has_value()},
                                                            {"--rank-table", above.rankTable.has_value()},
                                                            {"--hosts", above.hosts.has_value()},
                                                            {"--local", above.local},
                                                            {"--device", above.device.has_value()},
                                                            {"--seed", above.seed.has_value()},
                                                            {"--variant", !above.variants.empty()},
                                                            {"--set", !above.settings.empty()},
                                                            {"--name", above.name.has_value()},
                                                            {"--nodes", arguments.request.nodes != 1}}};
  Failures failures;
  for (const auto& [flag, isGiven] : flags) {
    if (isGiven)
      failures.push_back({flag, "", "does not go with --resume: the run goes on as it was planned", "leave it out"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

/// What keeps anything from being submitted.
Status submittable(const SubmitArguments& arguments, const std::string& storeFolder) {
  Failures failures;
  if (!arguments.resumed.empty()) collect(nothingAboveResumed(arguments), failures);
  collect(checkSlurmRequest(arguments.request, storeFolder), failures);
  collect(switchesAreValid(), failures);
  collect(findProgram("sbatch", "submit from a machine that has Slurm (on Debian: apt-get install slurm-client)"),
          failures);
  collect(fitForAStore(storeFolder), failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

/// Slurm writes what the job prints beside the logs of its ranks.
Status makeLogFolder(const std::string& storeFolder, const std::string& run) {
  const auto logs = std::filesystem::path(storeFolder) / "logs";
  SLIPSTREAM_CHECK(makePrivateFolder(logs));
  return makePrivateFolder(logs / run);
}

/// Until it is given to Slurm, the run is this process's: nobody is to take it for lost, nor for waiting where this
/// dies.
Result<Submitted> submitOne(RunStore& store, const std::string& run, const std::string& jobName, const RunPlan& plan,
                            const SlurmRequest& request) {
  const std::string folder = std::filesystem::absolute(store.folder()).string();
  SLIPSTREAM_CHECK(makeLogFolder(folder, run));
  SLIPSTREAM_TRY(job, submitJob(store, run, jobName, scriptOf(request, plan, run, jobName, folder)));
  return Submitted{run, std::move(job)};
}

/// Whether the run still waits for the job that Slurm has not taken.
bool isStillHere(RunStore& store, const std::string& run, const std::string& jobName) {
  const auto now = store.find(run);
  const bool isUnsubmitted = now && (now->job == jobName || (now->job.empty() && now->supervisor == thisProcess()));
  return isUnsubmitted && now->state == RunState::queued;
}

void endUnsubmitted(RunStore& store, const std::string& run, const std::string& jobName, const Failures& failures) {
  store.begin();
  if (isStillHere(store, run, jobName)) {
    store.setJob(run, "");
    store.setState(run, RunState::failed, "Slurm did not take it: " + trim(toText(failures)));
  }
  store.commit();
}

/// One that is refused keeps none of the others from being submitted.
Submission submitFile(RunStore& store, const SubmitArguments& arguments, PlannedFile& planned) {
  const RunArguments asRun{.file = arguments.file, .overrides = arguments.overrides};
  const std::string command = repeatLine(asRun, store.folder().string());
  const std::string group = newGroup();
  Submission submission;
  for (const RunPlan& plan : planned.plans) {
    const std::string run = createRun(store, describeRun(planned, plan, command, group));
    const std::string jobName = newJobName(run);
    auto one = submitOne(store, run, jobName, plan, arguments.request);
    if (one) {
      submission.submitted.push_back(std::move(*one));
      continue;
    }
    endUnsubmitted(store, run, jobName, one.error());
    for (Failure& failure : one.error()) {
      failure.problem += fmt::format(" (run {})", run);
      submission.failures.push_back(std::move(failure));
    }
  }
  return submission;
}

Status hasEndedEarly(const RunRecord& run) {
  if (isTerminal(run.state) && run.state != RunState::done) return {};
  return fail("--resume", run.id, fmt::format("the run is {}", nameOf(run.state)),
              "name a run that was stopped, failed or was lost");
}

/// Takes the run over in one transaction: of two that would continue it at once, one does. Returns it as it was.
Result<RunRecord> takeEnded(RunStore& store, const std::string& run) {
  store.begin();
  const auto now = store.find(run);
  const Status can = now ? hasEndedEarly(*now) : Status(tl::unexpected(now.error()));
  if (!can) {
    store.rollback();
    return tl::unexpected(can.error());
  }
  store.setJob(run, "");
  store.setSupervisor(run, thisProcess());
  store.setState(run, RunState::queued, "");
  store.commit();
  return *now;
}

/// As it was before somebody tried to continue it.
void putBack(RunStore& store, const RunRecord& before, const std::string& jobName) {
  store.begin();
  if (isStillHere(store, before.id, jobName)) {
    store.setJob(before.id, before.job);
    store.setState(before.id, before.state, before.why);
  }
  store.commit();
}

Result<Submission> submitAgain(RunStore& store, const SubmitArguments& arguments) {
  SLIPSTREAM_TRY(run, findRun(store, arguments.resumed));
  SLIPSTREAM_CHECK(hasEndedEarly(run));
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  SlurmRequest request = arguments.request;
  request.nodes = plan.local ? 1 : static_cast<int>(hostsOf(plan).size());
  SLIPSTREAM_TRY(before, takeEnded(store, run.id));
  const std::string jobName = newJobName(run.id);
  auto one = submitOne(store, run.id, jobName, plan, request);
  if (one) return Submission{{std::move(*one)}, {}};
  putBack(store, before, jobName);
  return tl::unexpected(std::move(one.error()));
}

Result<Submission> submitAll(const SubmitArguments& arguments, const std::string& storeFolder) {
  if (!arguments.resumed.empty()) {
    SLIPSTREAM_TRY(store, RunStore::open(storeFolder, StoreAccess::write));
    return submitAgain(*store, arguments);
  }
  const Overrides& overrides = arguments.overrides;
  ExperimentOverrides above = overrides;
  above.nodes = arguments.request.nodes;
  SLIPSTREAM_TRY(planned, arguments.fromInput ? planText(standardInput(), arguments.file, above)
                                              : planFile(arguments.file, above));
  SLIPSTREAM_CHECK(keepVariants(planned.plans, overrides.variants));
  for (const std::string& note : notesOf(planned.plans)) remark("note", note);
  SLIPSTREAM_TRY(store, RunStore::open(storeFolder, StoreAccess::write));
  return submitFile(*store, arguments, planned);
}

void tellSubmitted(const std::vector<Submitted>& submitted, bool json, const std::string& storeFolder) {
  for (const Submitted& one : submitted) {
    if (!one.job.number.empty()) {
      if (!json) fmt::print("run {} waits as Slurm job {}\n", one.run, one.job.number);
      continue;
    }
    remark("warning", fmt::format("Slurm has not said yet whether it has taken run {} (its job would be named {}): do "
                                  "not submit it again, 'slipstream runs {}' asks for it",
                                  one.run, one.job.name, one.run));
  }
  if (!json) return;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Submitted& one : submitted) {
    list.push_back({{"run", one.run}, {"job", one.job.number}, {"job_name", one.job.name}});
  }
  print({{"runs", list}, {"store", std::filesystem::absolute(storeFolder).string()}});
}

}  // namespace

int submit(const SubmitArguments& arguments, const CommandLine& line) {
  if (arguments.file.empty() && arguments.resumed.empty()) {
    return report({{"file", "", "is missing", "name an experiment file, or a run to continue: --resume RUN"}});
  }
  if (const Status can = submittable(arguments, line.storeFolder); !can) return report(can.error());
  const auto submission = submitAll(arguments, line.storeFolder);
  if (!submission) return report(submission.error());
  if (!submission->submitted.empty()) tellSubmitted(submission->submitted, arguments.json, line.storeFolder);
  if (!submission->failures.empty()) return report(submission->failures);
  return ExitCode::done;
}

}  // namespace slipstream::cli
