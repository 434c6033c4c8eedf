// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/coming_runs.h"

#include <algorithm>

#include "engine/record/launch_progress.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {
namespace {

/// Its launch goes on after it: only a stop, or the loss of its supervisor, ends the launch with it.
bool mayGoOn(const RunRecord& run) {
  if (isLiving(run.state)) return true;
  const bool ended = run.state == RunState::done || run.state == RunState::failed;
  return ended && livenessOf(run.supervisor) == Liveness::alive;
}

/// The newest run of each launch under way.
std::vector<const RunRow*> newestOfLaunches(const StoreSnapshot& snapshot) {
  std::map<std::string, const RunRow*> newest;
  for (const RunRow& row : snapshot.runs) {
    if (!row.run.group.empty()) newest[row.run.group] = &row;
  }
  std::vector<const RunRow*> rows;
  for (const auto& [group, row] : newest) {
    if (mayGoOn(row->run)) rows.push_back(row);
  }
  return rows;
}

std::string keyOf(const RunRow& row) {
  return row.run.id + '/' + std::to_string(row.run.attempt);
}

}  // namespace

ComingRuns::ComingRuns(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  connect(&store, &StoreWatcher::opened, this, [this] { variants_.clear(); });
  connect(&store, &StoreWatcher::changed, this, &ComingRuns::refresh);
}

void ComingRuns::refresh() {
  std::vector<ComingRun> coming;
  const StoreSnapshotPointer snapshot = store_.snapshot();
  for (const RunRow* row : newestOfLaunches(*snapshot)) {
    if (variants_.contains(keyOf(*row))) {
      collect(*row, coming);
    } else {
      askFor(*row);
    }
  }
  if (coming == coming_) return;
  coming_ = std::move(coming);
  Q_EMIT changed();
}

void ComingRuns::askFor(const RunRow& newest) {
  const std::string key = keyOf(newest);
  variants_[key] = {};
  store_.reader().read(
      this,
      [run = newest.run.id](RunStore& store) {
        const auto whole = store.find(run);
        return whole && !wasResumed(store, *whole) ? variantsOfLaunch(*whole) : std::vector<std::string>();
      },
      [this, key](std::vector<std::string> variants) {
        variants_[key] = std::move(variants);
        refresh();
      });
}

void ComingRuns::collect(const RunRow& newest, std::vector<ComingRun>& coming) const {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  for (const std::string& variant : variants_.at(keyOf(newest))) {
    const bool made = std::any_of(snapshot->runs.begin(), snapshot->runs.end(), [&](const RunRow& row) {
      return row.run.group == newest.run.group && row.run.variant == variant;
    });
    if (!made) coming.push_back({newest.run.group, newest.run.experimentName, variant});
  }
}

}  // namespace slipstream::ui
