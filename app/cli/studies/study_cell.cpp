// SPDX-License-Identifier: GPL-3.0-or-later
// One cell of a study: the run of an experiment, as `slipstream run` makes it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/running/startable.h"
#include "app/cli/running/supervising.h"
#include "app/cli/streams/output.h"
#include "app/cli/studies/study_queue.h"
#include "engine/base/files.h"
#include "engine/base/shell_line.h"
#include "engine/launch/describe_run.h"
#include "engine/launch/stop_signals.h"
#include "engine/probe/this_host.h"
#include "engine/study/cell_plan.h"
#include "engine/study_results/verdict.h"

namespace slipstream::cli {
namespace {

/// How many processes wanted a core, in hundredths.
int loadNow() {
  return static_cast<int>(std::lround(100 * runningOnHost()));
}

Result<StudyCell> findCell(RunStore& store, const StudyRecord& record, int number) {
  const std::vector<StudyCell> cells = store.studies().cells(record.number);
  const auto found = std::ranges::find(cells, number, &StudyCell::cell);
  if (found != cells.end()) return *found;
  return fail("--cell", std::to_string(number), fmt::format("the study has the cells 1 to {}", cells.size()),
              "name one of them");
}

struct PreparedCell {
  NewRun run;
  RunPlan plan;
  std::string settings;
  std::filesystem::path worker;
};

Result<PreparedCell> prepareCell(RunStore& store, const StudyRecord& record, const StudyCell& cell,
                                 const CommandLine& line) {
  SLIPSTREAM_TRY(study, studyOfFrozen(record.frozenText));
  const StudyVariant* variant = study.variant(cell.variant);
  if (variant == nullptr) return fail("STUDY", record.name, "has no variant " + cell.variant, "begin it anew");
  std::int64_t trial = cell.trial;
  if (trial == 0 && study.trialsOf(variant->name) > 0) {
    const auto chosen = decideTrial(store, study, {record.number, cell.variant, cell.factors});
    if (!chosen)
      return fail("--cell", std::to_string(cell.cell), "its trials of tuning have not ended", "train those first");
    trial = *chosen;
  }
  SLIPSTREAM_TRY(settings, cellSettings(study, *variant, settingsOf(cell.factors), trial));
  SLIPSTREAM_TRY(planned, planCell(study, *variant, settings, cell.seed));
  std::vector<std::string> remarks;
  SLIPSTREAM_TRY(worker, makeStartable(planned, false, remarks));
  const std::string command = shellLine({(programFolder() / "slipstream").string(), "study", "run", record.name,
                                         "--cell", std::to_string(cell.cell), "--store", line.storeFolder});
  const RunPlan& plan = planned.plans.front();
  return PreparedCell{describeRun(planned, plan, command, record.name), plan, storedForm(settings), std::move(worker)};
}

/// Creates the run of the cell, in one transaction; nothing where somebody else did.
std::optional<std::string> claimCell(RunStore& store, const StudyRecord& record, int number,
                                     const PreparedCell& prepared, int load) {
  store.begin();
  const auto now = findCell(store, record, number);
  if (!now || !now->run.empty()) {
    store.rollback();
    return std::nullopt;
  }
  const std::string id = store.createRun(prepared.run);
  store.setSupervisor(id, thisProcess());
  store.studies().setRun(record.number, number, id, prepared.settings, load);
  store.commit();
  return id;
}

}  // namespace

int runCell(const std::string& study, int number, const CommandLine& line) {
  const StopSignals signals;
  std::optional<std::string> begun;
  {
    const auto store = openToSupervise(line);
    if (!store) return report(store.error());
    const auto record = (*store)->studies().find(study);
    if (!record) return report(record.error());
    const auto cell = findCell(**store, *record, number);
    if (!cell) return report(cell.error());
    if (endOf(**store, *cell) != CellEnd::open) return ExitCode::done;
    if (cell->run.empty()) {
      auto prepared = prepareCell(**store, *record, *cell, line);
      if (!prepared) {
        (*store)->studies().setFailed(record->number, number, toText(prepared.error()));
        return report(prepared.error());
      }
      const auto id = claimCell(**store, *record, number, *prepared, loadNow());
      if (!id) return ExitCode::done;
      return exitCodeOf(
          {{*id, superviseShown(**store, *id, prepared->plan, std::nullopt, {prepared->worker, DisplayKind::quiet})}});
    }
    begun = cell->run;
  }
  ResumeArguments again;
  again.run = *begun;
  again.quiet = true;
  return resume(again, line);
}

}  // namespace slipstream::cli
