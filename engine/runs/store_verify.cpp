// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/store_verify.h"

#include <fmt/format.h>

#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"

namespace slipstream {
namespace {

void verifyMetrics(RunStore& store, const RunRecord& run, Failures& problems) {
  try {
    for (const std::string& name : store.metricNames(run.id)) store.series(run.id, name);
  } catch (const StoreDamaged& damage) {  // names the run
    problems.push_back({"", "", damage.what(), "the other runs of the store can still be read"});
  } catch (const Error& error) {
    problems.push_back({"run " + run.id, "", error.what(), "the other runs of the store can still be read"});
  }
}

void verifyCheckpoints(RunStore& store, const RunRecord& run, StoreCheck& check) {
  const std::vector<CheckpointRow> listed = store.checkpoints(run.id);
  check.checkpoints += listed.size();
  if (listed.empty()) return;
  // Weights of a copy come when somebody asks for them; some may be there.
  std::error_code error;
  if (!run.remote.empty() && !std::filesystem::exists(checkpointFile(store.folder(), run.id), error)) return;
  auto opened = CheckpointStore::openToRead(store.folder(), run.id);
  if (!collect(opened, check.problems)) return;
  CheckpointStore& weights = **opened;
  for (const CheckpointRow& row : listed) {
    if (!run.remote.empty() || weights.manifest(row.step)) continue;
    check.problems.push_back({fmt::format("run {}, checkpoint {}", run.id, row.step), "",
                              "is listed, but its weights are not there", "use another checkpoint of the run"});
  }
  for (Failure problem : weights.verify()) {
    problem.where = fmt::format("run {}, {}", run.id, problem.where);
    check.problems.push_back(std::move(problem));
  }
}

}  // namespace

Result<StoreCheck> verifyStore(const std::filesystem::path& folder) {
  SLIPSTREAM_TRY(store, RunStore::open(folder, StoreAccess::read));
  StoreCheck check;
  check.problems = store->verify();
  for (const RunRecord& run : store->runs()) {
    ++check.runs;
    verifyMetrics(*store, run, check.problems);
    verifyCheckpoints(*store, run, check);
  }
  return check;
}

}  // namespace slipstream
