// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include "app/cli/planning/variants.h"
#include "app/cli/running/commands.h"
#include "app/cli/running/repeat_line.h"
#include "app/cli/running/startable.h"
#include "app/cli/running/supervising.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/launch/describe_run.h"
#include "engine/launch/stop_signals.h"
#include "engine/launch/supervisor.h"
#include "engine/plan/plan_file.h"
#include "engine/scheduler/scheduler.h"
#include "engine/store/store_folder.h"

namespace slipstream::cli {
namespace {

int runVariants(const PlannedFile& planned, const RunArguments& arguments, const CommandLine& line,
                const std::filesystem::path& worker, const Announce& announce) {
  const StopSignals signals(isTerminatedWithJob());
  const auto store = openToSupervise(line);
  if (!store) return report(store.error());
  const std::string group = newGroup();
  const std::string command = repeatLine(arguments, line.storeFolder);
  const DisplayKind display = chooseDisplay(arguments.quiet || arguments.json);
  std::vector<EndedRun> runs;
  for (const RunPlan& plan : planned.plans) {
    if (StopSignals::count() > 0) break;
    const std::string id = createRun(**store, describeRun(planned, plan, command, group));
    if (runs.empty()) announce(id);
    runs.push_back({id, superviseShown(**store, id, plan, std::nullopt, {worker, display})});
    if (runs.back().end.state == RunState::stopped || !(*store)->isInPlace()) break;
  }
  close(**store, runs, {planned.experimentName, arguments.quiet, arguments.json});
  return exitCodeOf(runs);
}

}  // namespace

int run(const RunArguments& arguments, const CommandLine& line) {
  const Overrides& overrides = arguments.overrides;
  auto planned =
      arguments.fromInput ? planText(standardInput(), arguments.file, overrides) : planFile(arguments.file, overrides);
  if (!planned) return report(planned.error());
  if (const Status named = keepVariants(planned->plans, overrides.variants); !named) return report(named.error());
  std::vector<std::string> remarks;
  const auto worker = makeStartable(*planned, arguments.stage, remarks);
  if (!worker) return report(worker.error());
  for (const std::string& text : remarks) remark("note", text);
  if (const Status fit = fitForAStore(line.storeFolder); !fit) return report(fit.error());
  for (const std::string& note : notesOf(planned->plans)) remark("note", note);
  if (const auto store = RunStore::open(line.storeFolder, StoreAccess::write); !store) return report(store.error());
  if (const auto room = reserveRoom(line.storeFolder); !room) return report(room.error());
  const Place background = arguments.json ? Place::detachedJson : Place::detached;
  return runAt(arguments.detach ? background : Place::here, line,
               [&](const Announce& announce) { return runVariants(*planned, arguments, line, *worker, announce); });
}

}  // namespace slipstream::cli
