// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/run_alerts.h"

#include <QLocale>
#include <algorithm>
#include <utility>

#include "engine/record/launch_progress.h"
#include "ui/parts/run_names.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {
namespace {

/// What the store tells of a run that has ended.
struct EndFacts {
  std::string why;
  std::int64_t steps = 0;                  ///< that it did
  std::optional<std::int64_t> checkpoint;  ///< the newest one to resume from
  std::vector<std::string> notRun;         ///< variants that its launch has not begun
};

EndFacts factsOf(RunStore& store, const std::string& id) {
  EndFacts facts;
  const auto run = store.find(id);
  if (!run) return facts;
  facts.why = run->why;
  for (const RankProgress& rank : store.rankProgress(id)) facts.steps = std::max(facts.steps, rank.step + 1);
  for (const CheckpointRow& row : store.checkpoints(id)) {
    if (row.full) facts.checkpoint = row.step;
  }
  if (wasResumed(store, *run)) return facts;
  facts.notRun = variantsOfLaunch(*run);
  for (const RunRecord& other : store.heads()) {
    if (other.group == run->group) std::erase(facts.notRun, other.variant);
  }
  return facts;
}

QString endOf(const QString& name, RunState state, const EndFacts& facts) {
  const QString step = QLocale().toString(static_cast<qlonglong>(facts.steps));
  const auto why = facts.why.empty() ? RunAlerts::tr("no cause was recorded") : QString::fromStdString(facts.why);
  if (state == RunState::stopped) return RunAlerts::tr("%1 was stopped after step %2.").arg(name, step);
  if (facts.steps == 0) return RunAlerts::tr("%1 failed before its first step: %2.").arg(name, why);
  if (state == RunState::lost) return RunAlerts::tr("%1 was lost after step %2: %3.").arg(name, step, why);
  return RunAlerts::tr("%1 failed after step %2: %3.").arg(name, step, why);
}

QString remedyOf(RunState state, const EndFacts& facts) {
  if (state == RunState::stopped) return {};
  if (!facts.checkpoint) return RunAlerts::tr("It has no checkpoint: resumed, it begins again.");
  return RunAlerts::tr("Resumed, it continues from the checkpoint of step %1.")
      .arg(QLocale().toString(static_cast<qlonglong>(*facts.checkpoint)));
}

/// A launch goes on after a failure, and ends with a stop or with its supervisor.
QString restOf(RunState state, const EndFacts& facts) {
  if (state == RunState::failed || facts.notRun.empty()) return {};
  QStringList names;
  for (const std::string& variant : facts.notRun) names << QString::fromStdString(variant);
  return RunAlerts::tr("The launch ended with it: %1 did not run.").arg(names.join(QStringLiteral(", ")));
}

bool isAlarming(RunState state) {
  return state == RunState::failed || state == RunState::lost || state == RunState::stopped;
}

}  // namespace

RunAlerts::RunAlerts(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  connect(&store, &StoreWatcher::opened, this, [this] {
    hasLooked_ = false;
    known_.clear();
    alerts_.clear();
    Q_EMIT changed();
  });
  connect(&store, &StoreWatcher::looked, this, &RunAlerts::look);
}

std::optional<RunAlert> RunAlerts::newest() const {
  return alerts_.empty() ? std::nullopt : std::optional(alerts_.back());
}

void RunAlerts::dismiss(const std::string& run) {
  std::erase_if(alerts_, [&](const RunAlert& alert) { return alert.run == run; });
  Q_EMIT changed();
}

void RunAlerts::look() {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  const bool first = !std::exchange(hasLooked_, true);
  for (const RunRow& row : snapshot->runs) {
    const std::pair now(row.run.state, row.run.attempt);
    const auto [known, isNew] = known_.try_emplace(row.run.id, now);
    const bool same = !isNew && known->second == now;
    known->second = now;
    if (!first && !same && isAlarming(row.run.state)) examine(row);
  }
  withdrawMended();
}

void RunAlerts::examine(const RunRow& row) {
  const QString name = runName(*store_.snapshot(), row);
  store_.reader().read(
      this, [run = row.run.id](RunStore& store) { return factsOf(store, run); },
      [this, name, run = row.run.id, state = row.run.state](const EndFacts& facts) {
        const QString rest = restOf(state, facts);
        if (state == RunState::stopped && rest.isEmpty()) return;  // as somebody wished
        QStringList words{endOf(name, state, facts), remedyOf(state, facts), rest};
        words.removeAll(QString());
        std::erase_if(alerts_, [&](const RunAlert& alert) { return alert.run == run; });
        alerts_.push_back({run, state, words.join(QLatin1Char(' '))});
        Q_EMIT raised(words.front());
        Q_EMIT changed();
      });
}

void RunAlerts::withdrawMended() {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  const std::size_t gone = std::erase_if(alerts_, [&](const RunAlert& alert) {
    const RunRow* row = snapshot->find(alert.run);
    return row == nullptr || row->run.state != alert.state;
  });
  if (gone > 0) Q_EMIT changed();
}

}  // namespace slipstream::ui
