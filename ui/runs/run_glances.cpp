// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_glances.h"

#include <QTimer>

namespace slipstream::ui {
namespace {

/// Of the picture in a row, in device pixels of a dense screen.
constexpr int columns = 88;

}  // namespace

RunGlances::RunGlances(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  connect(&store, &StoreWatcher::opened, this, [this] {
    known_.clear();
    wanted_.clear();
  });
}

/// A run that has ended changes no more; a living one with every write to the store.
std::string RunGlances::stampOf(const RunRow& row) const {
  const RunRecord& run = row.run;
  std::string stamp =
      std::to_string(run.attempt) + ' ' + std::string(nameOf(run.state)) + ' ' + std::to_string(run.endedAt);
  if (!isTerminal(run.state)) stamp += ' ' + std::to_string(store_.snapshot()->version);
  return stamp;
}

const RunGlance* RunGlances::of(const RunRow& row) {
  Known& known = known_[row.run.id];
  std::string stamp = stampOf(row);
  if (!known.asked && known.stamp != stamp) {
    known.asked = true;
    if (wanted_.empty()) QTimer::singleShot(0, this, &RunGlances::ask);
    wanted_.emplace_back(row.run.id, std::move(stamp));
  }
  return known.read ? &known.glance : nullptr;
}

/// One job a run, so that what pages ask meanwhile need not wait for a whole screen of them.
void RunGlances::ask() {
  for (auto& [run, stamp] : std::exchange(wanted_, {})) {
    store_.reader().read(
        this,
        [run = run](RunStore& store) {
          const auto whole = store.find(run);
          return whole ? glanceAt(store, *whole, columns) : RunGlance{};
        },
        [this, run = run, stamp = stamp](RunGlance glance) {
          Known& known = known_[run];
          known = {std::move(glance), stamp, true, false};
          Q_EMIT arrived(run);
        },
        [this, run = run](const QString&) { known_[run].asked = false; });
  }
}

}  // namespace slipstream::ui
