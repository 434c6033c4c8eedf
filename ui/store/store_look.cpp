// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/store_look.h"

#include <algorithm>

namespace slipstream::ui {
namespace {

std::vector<RunRow> rowsOf(RunStore& store) {
  std::vector<RunRow> rows;
  const std::map<std::string, RunLabel> labels = store.labels();
  for (RunRecord& run : store.heads()) {
    const auto label = labels.find(run.id);
    rows.push_back({std::move(run), label == labels.end() ? RunLabel{} : label->second});
  }
  return rows;
}

/// A run that nobody carries on is not running.
bool orphaned(const std::vector<RunRow>& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const RunRow& row) {
    return !isTerminal(row.run.state) && row.run.supervisor.pid != 0 &&
           livenessOf(row.run.supervisor) == Liveness::gone;
  });
}

}  // namespace

StoreFound StoreLook::look(RunStore& store, const StoreReader& reader, std::int64_t bytes, const StoreSnapshot& last) {
  const std::int64_t dataVersion = store.dataVersion();
  const bool changed = reader.connection() != connection_ || dataVersion != dataVersion_;
  if (!changed && bytes == last.bytes) return {nullptr, orphaned(last.runs), false, reader.store()};
  auto snapshot = std::make_shared<StoreSnapshot>();
  snapshot->folder = store.folder();
  snapshot->runs = changed ? rowsOf(store) : last.runs;
  snapshot->bytes = bytes;
  snapshot->version = changed ? version_ + 1 : version_;
  version_ = snapshot->version;
  connection_ = reader.connection();
  dataVersion_ = dataVersion;
  const bool orphan = orphaned(snapshot->runs);
  return {std::move(snapshot), orphan, changed, reader.store()};
}

}  // namespace slipstream::ui
