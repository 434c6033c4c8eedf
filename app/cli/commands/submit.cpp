// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/batch_job.h"
#include "app/cli/reading.h"
#include "app/cli/repeat_line.h"
#include "app/cli/supervising.h"
#include "app/cli/variants.h"
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
  std::string job;
};

/// What keeps anything from being submitted.
Status submittable(const SlurmRequest& request, const std::string& storeFolder) {
  Failures failures;
  collect(checkSlurmRequest(request, storeFolder), failures);
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

/// Until the job has the run, it is this process's: nobody is to take it for lost, nor for waiting where this dies.
Result<Submitted> submitOne(RunStore& store, const std::string& run, const RunPlan& plan, const SlurmRequest& request) {
  const std::string folder = std::filesystem::absolute(store.folder()).string();
  SLIPSTREAM_CHECK(makeLogFolder(folder, run));
  auto job = submitJob(store, run, scriptOf(request, plan, run, folder));
  if (job) return Submitted{run, std::move(*job)};
  store.setState(run, RunState::failed, "Slurm did not take it: " + trim(toText(job.error())));
  return tl::unexpected(job.error());
}

Result<std::vector<Submitted>> submitFile(RunStore& store, const SubmitArguments& arguments, PlannedFile& planned) {
  const RunArguments asRun{.file = arguments.file, .overrides = arguments.overrides};
  const std::string command = repeatLine(asRun, store.folder().string());
  const std::string group = newGroup();
  std::vector<Submitted> submitted;
  for (const RunPlan& plan : planned.plans) {
    const std::string run = createRun(store, describeRun(planned, plan, command, group));
    SLIPSTREAM_TRY(one, submitOne(store, run, plan, arguments.request));
    submitted.push_back(std::move(one));
  }
  return submitted;
}

Result<std::vector<Submitted>> submitAgain(RunStore& store, const SubmitArguments& arguments) {
  SLIPSTREAM_TRY(run, findRun(store, arguments.resumed));
  if (!isTerminal(run.state) || run.state == RunState::done) {
    return fail("--resume", run.id, fmt::format("the run is {}", nameOf(run.state)),
                "name a run that was stopped, failed or was lost");
  }
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  SlurmRequest request = arguments.request;
  request.nodes = plan.local ? 1 : static_cast<int>(hostsOf(plan).size());
  store.begin();
  store.setJob(run.id, "");
  store.setSupervisor(run.id, thisProcess());
  store.setState(run.id, RunState::queued, "");
  store.commit();
  SLIPSTREAM_TRY(one, submitOne(store, run.id, plan, request));
  return std::vector<Submitted>{std::move(one)};
}

Result<std::vector<Submitted>> submitAll(const SubmitArguments& arguments, const std::string& storeFolder) {
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

}  // namespace

int submit(const SubmitArguments& arguments, const CommandLine& line) {
  if (arguments.file.empty() && arguments.resumed.empty()) {
    return report({{"file", "", "is missing", "name an experiment file, or a run to continue: --resume RUN"}});
  }
  if (const Status can = submittable(arguments.request, line.storeFolder); !can) return report(can.error());
  const auto submitted = submitAll(arguments, line.storeFolder);
  if (!submitted) return report(submitted.error());
  if (!arguments.json) {
    for (const Submitted& one : *submitted) fmt::print("run {} waits as Slurm job {}\n", one.run, one.job);
    return ExitCode::done;
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Submitted& one : *submitted) list.push_back({{"run", one.run}, {"job", one.job}});
  print({{"runs", list}, {"store", std::filesystem::absolute(line.storeFolder).string()}});
  return ExitCode::done;
}

}  // namespace slipstream::cli
