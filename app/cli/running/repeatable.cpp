// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/repeatable.h"

#include <vector>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/plan_file.h"
#include "engine/probe/environment_switches.h"
#include "engine/probe/processor.h"
#include "engine/probe/this_host.h"

namespace slipstream::cli {
namespace {

/// The plan may have been edited in the store, or taken over by another program.
Status ranksAsRecorded(const RunRecord& run, const RunPlan& plan) {
  if (run.ranks == plan.ranks()) return {};
  return fail("RUN", run.id,
              fmt::format("was recorded with {}, its plan has {}", counted(run.ranks, "rank"), plan.ranks()),
              "verify a run whose record is whole");
}

/// Threads share a core where there are too few; what a library sums in which order may then be another.
Status threadsAsRecorded(const RunRecord& run, const RunPlan& plan) {
  if (plan.threadsPerRank <= coresOnHost()) return {};
  return fail("RUN", run.id,
              fmt::format("computed with {} a rank, and this machine has {}", counted(plan.threadsPerRank, "thread"),
                          counted(coresOnHost(), "core")),
              fmt::format("verify it on a machine with {} cores", plan.threadsPerRank));
}

}  // namespace

Status sameBits(const RunPlan& plan) {
  if (computesAs(plan.instructionSet)) return {};
  return fail("RUN", plan.experiment.name,
              fmt::format("its steps were computed with the instruction set {}, this machine has {}: the same "
                          "experiment would end with other bits",
                          plan.instructionSet, nameOf(instructionSet())),
              "continue on a machine with " + plan.instructionSet + ", or accept it with --allow-different-bits");
}

Status repeatableHere(const RunRecord& run, const RunPlan& plan) {
  Failures failures;
  if (!computesAs(plan.instructionSet)) {
    failures.push_back({"RUN", run.id,
                        fmt::format("computed with the instruction set {}, and this machine has {}",
                                    plan.instructionSet, nameOf(instructionSet())),
                        "verify it on a machine with " + plan.instructionSet});
  }
  collect(ranksAsRecorded(run, plan), failures);
  collect(threadsAsRecorded(run, plan), failures);
  if (plan.allowDifferentBits) {
    failures.push_back({"RUN", run.id,
                        "was resumed with --allow-different-bits, so its steps have no bits of their own",
                        "verify a run that was not"});
  }
  collect(runnableHere(plan), failures);
  collect(switchesAreValid(), failures);
  std::vector<RunPlan> plans{plan};
  collect(resolveDevices(plans), failures);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream::cli
