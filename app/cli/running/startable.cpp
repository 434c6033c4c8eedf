// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/startable.h"

#include "engine/launch/hosts_of_plan.h"
#include "engine/launch/scratch_memory.h"
#include "engine/launch/supervisor.h"
#include "engine/launch/worker_query.h"
#include "engine/probe/environment_switches.h"

namespace slipstream::cli {
namespace {

Status startable(const PlannedFile& planned) {
  Failures failures;
  for (const RunPlan& plan : planned.plans) {
    if (const Status runnable = runnableHere(plan); !runnable) addOnce(failures, runnable.error());
  }
  collect(restartPolicyFromEnvironment(), failures);
  collect(switchesAreValid(), failures);
  collect(programsAreThere(workerProgram()), failures);
  if (!failures.empty()) return tl::unexpected(failures);
  return {};
}

}  // namespace

Result<std::filesystem::path> makeStartable(PlannedFile& planned, bool stage, std::vector<std::string>& remarks) {
  forecastScratch(planned.plans);
  SLIPSTREAM_CHECK(startable(planned));
  SLIPSTREAM_CHECK(resolveDevices(planned.plans));
  SLIPSTREAM_TRY(worker, workerOnHosts(planned.plans, stage));
  SLIPSTREAM_CHECK(resolveHosts(planned.plans, worker, remarks));
  return worker;
}

}  // namespace slipstream::cli
