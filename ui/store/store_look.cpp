#include "ui/store/store_look.h"

#include <algorithm>

#include "engine/base/files.h"

namespace slipstream::ui {
namespace {

/// Measuring walks through every file of the store.
constexpr std::chrono::seconds measurePause{5};

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

StoreLook::Found StoreLook::look(RunStore& store, int connection, const StoreSnapshot& last) {
  const std::int64_t dataVersion = store.dataVersion();
  const bool reconnected = connection != connection_;
  const bool changed = reconnected || dataVersion != dataVersion_;
  hasGrown_ = hasGrown_ || changed;
  const std::int64_t bytesBefore = bytes_;
  const bool due = std::chrono::steady_clock::now() - measuredAt_ >= measurePause;
  if (reconnected || (hasGrown_ && due)) measure(store.folder());
  if (!changed && bytes_ == bytesBefore) return {nullptr, orphaned(last.runs)};
  auto snapshot = std::make_shared<StoreSnapshot>();
  snapshot->folder = store.folder();
  snapshot->runs = changed ? rowsOf(store) : last.runs;
  snapshot->bytes = bytes_;
  snapshot->version = changed ? version_ + 1 : version_;
  version_ = snapshot->version;
  connection_ = connection;
  dataVersion_ = dataVersion;
  const bool orphan = orphaned(snapshot->runs);
  return {std::move(snapshot), orphan};
}

void StoreLook::measure(const std::filesystem::path& folder) {
  bytes_ = bytesUnder(folder);
  hasGrown_ = false;
  measuredAt_ = std::chrono::steady_clock::now();
}

}  // namespace slipstream::ui
