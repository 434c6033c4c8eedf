// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_status.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/record/metric_info.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"
#include "ui/store/store_snapshot.h"
#include "ui/store/store_watcher.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// Its launch goes on after it: only a stop, or the loss of its supervisor, ends the launch with it.
bool mayGoOn(const RunRecord& run) {
  if (isLiving(run.state)) return true;
  if (!run.remote.empty()) return false;  // nobody here can tell
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

QString nameOf(const LaunchedRun& run, const std::string& experiment) {
  return nameWithSeed(QString::fromStdString(run.variant.empty() ? experiment : run.variant), run.seed);
}

/// What the store tells of a run that has ended.
struct RunEnd {
  std::string why;
  std::string experiment;
  std::int64_t steps = 0;                  ///< that it did
  std::optional<std::int64_t> checkpoint;  ///< the newest one to resume from
  std::vector<LaunchedRun> notRun;         ///< that its launch has not begun
};

RunEnd endOfRun(RunStore& store, const std::string& id) {
  RunEnd ended;
  const auto run = store.find(id);
  if (!run) return ended;
  ended.why = run->why;
  ended.experiment = run->experimentName;
  for (const RankProgress& rank : store.rankProgress(id)) ended.steps = std::max(ended.steps, rank.step + 1);
  for (const CheckpointRow& row : store.checkpoints(id)) {
    if (row.full) ended.checkpoint = row.step;
  }
  if (wasResumed(store, *run)) return ended;
  ended.notRun = runsOfLaunch(*run);
  for (const RunRecord& other : store.heads()) {
    if (other.group == run->group) std::erase(ended.notRun, LaunchedRun{other.variant, other.seed});
  }
  return ended;
}

QString endOf(const QString& name, RunState state, const RunEnd& ended) {
  const QString step = QLocale().toString(static_cast<qlonglong>(ended.steps));
  const auto why = ended.why.empty() ? RunAlerts::tr("no cause was recorded") : QString::fromStdString(ended.why);
  if (state == RunState::stopped) return RunAlerts::tr("%1 was stopped after step %2.").arg(name, step);
  if (ended.steps == 0) return RunAlerts::tr("%1 failed before its first step: %2.").arg(name, why);
  if (state == RunState::lost) return RunAlerts::tr("%1 was lost after step %2: %3.").arg(name, step, why);
  return RunAlerts::tr("%1 failed after step %2: %3.").arg(name, step, why);
}

QString remedyOf(RunState state, const RunEnd& ended) {
  if (state == RunState::stopped) return {};
  if (!ended.checkpoint) return RunAlerts::tr("It has no checkpoint: resumed, it begins again.");
  return RunAlerts::tr("Resumed, it continues from the checkpoint of step %1.")
      .arg(QLocale().toString(static_cast<qlonglong>(*ended.checkpoint)));
}

/// A launch goes on after a failure, and ends with a stop or with its supervisor.
QString restOf(RunState state, const RunEnd& ended) {
  if (state == RunState::failed || ended.notRun.empty()) return {};
  constexpr std::size_t mostNamed = 3;
  const std::size_t named = std::min(mostNamed, ended.notRun.size());
  QStringList names;
  for (std::size_t i = 0; i < named; ++i) names << nameOf(ended.notRun[i], ended.experiment);
  const QString list = enumerated(names);
  const int more = static_cast<int>(ended.notRun.size() - named);
  return more == 0 ? RunAlerts::tr("The launch ended with it: %1 did not run.").arg(list)
                   : RunAlerts::tr("The launch ended with it: %1 and %n more did not run.", nullptr, more).arg(list);
}

/// Looking at a loss reads the whole of it.
constexpr std::chrono::seconds lossPause{2};

/// What a run that is done came to.
struct DoneRun {
  std::optional<double> accuracy, loss;
  std::int64_t steps = 0;
};

DoneRun doneRun(RunStore& store, const std::string& id) {
  DoneRun done;
  std::vector<std::string> damaged;
  const Series loss = readIntactSeries(store, id, metric::loss, damaged);
  const Series accuracy = readIntactSeries(store, id, metric::accuracy, damaged);
  if (!loss.values.empty()) done.loss = finalLoss(loss);
  if (!loss.steps.empty()) done.steps = loss.steps.back() + 1;
  if (!accuracy.values.empty()) done.accuracy = accuracy.values.back();
  return done;
}

QString textOf(const QString& name, const DoneRun& done) {
  const QString steps = QLocale().toString(static_cast<qlonglong>(done.steps));
  if (done.accuracy) {
    return RunAlerts::tr("%1 is done after step %2: test accuracy %3 %.")
        .arg(name, steps, QLocale().toString(100 * *done.accuracy, 'f', 2));
  }
  if (!done.loss) return RunAlerts::tr("%1 is done.").arg(name);
  return RunAlerts::tr("%1 is done after step %2: training loss %3.")
      .arg(name, steps, QLocale().toString(*done.loss, 'g', 3));
}

bool isAlarming(RunState state) {
  return state == RunState::failed || state == RunState::lost || state == RunState::stopped;
}

}  // namespace

QString ComingRun::name() const {
  return nameOf(run, experiment);
}

ComingRuns::ComingRuns(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  connect(&store, &StoreWatcher::opened, this, [this] { launches_.clear(); });
  connect(&store, &StoreWatcher::changed, this, &ComingRuns::refresh);
}

void ComingRuns::refresh() {
  std::vector<ComingRun> coming;
  const StoreSnapshotPointer snapshot = store_.snapshot();
  for (const RunRow* row : newestOfLaunches(*snapshot)) {
    if (launches_.contains(keyOf(*row))) {
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
  launches_[key] = {};
  store_.reader().read(
      this,
      [run = newest.run.id](RunStore& store) {
        const auto whole = store.find(run);
        return whole && !wasResumed(store, *whole) ? runsOfLaunch(*whole) : std::vector<LaunchedRun>();
      },
      [this, key](std::vector<LaunchedRun> runs) {
        launches_[key] = std::move(runs);
        refresh();
      });
}

void ComingRuns::collect(const RunRow& newest, std::vector<ComingRun>& coming) const {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  for (const LaunchedRun& run : launches_.at(keyOf(newest))) {
    const bool made = std::any_of(snapshot->runs.begin(), snapshot->runs.end(), [&](const RunRow& row) {
      return row.run.group == newest.run.group && run == LaunchedRun{row.run.variant, row.run.seed};
    });
    if (!made) coming.push_back({newest.run.group, newest.run.experimentName, run});
  }
}

RunAlerts::RunAlerts(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  connect(&store, &StoreWatcher::opened, this, [this] {
    hasPolled_ = false;
    known_.clear();
    watched_.clear();
    alerts_.clear();
    Q_EMIT changed();
  });
  connect(&store, &StoreWatcher::polled, this, &RunAlerts::check);
}

std::optional<RunAlert> RunAlerts::newest() const {
  return alerts_.empty() ? std::nullopt : std::optional(alerts_.back());
}

void RunAlerts::dismiss(const std::string& run) {
  std::erase_if(alerts_, [&](const RunAlert& alert) { return alert.run == run; });
  Q_EMIT changed();
}

void RunAlerts::check() {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  const bool first = !std::exchange(hasPolled_, true);
  for (const RunRow& row : snapshot->runs) {
    const std::pair now(row.run.state, row.run.attempt);
    const auto [known, isNew] = known_.try_emplace(row.run.id, now);
    const bool same = !isNew && known->second == now;
    const bool wentOn = !isNew && isLiving(known->second.first);
    known->second = now;
    if (!first && !same && isAlarming(row.run.state)) examine(row);
    if (!first && !same && wentOn && row.run.state == RunState::done) greetDone(row);
    if (row.run.state == RunState::running) watchLoss(row);
  }
  withdrawResumed();
}

void RunAlerts::examine(const RunRow& row) {
  const QString name = runName(*store_.snapshot(), row);
  store_.reader().read(
      this, [run = row.run.id](RunStore& store) { return endOfRun(store, run); },
      [this, name, run = row.run.id, state = row.run.state](const RunEnd& ended) {
        const QString rest = restOf(state, ended);
        if (state == RunState::stopped && rest.isEmpty()) return;  // as somebody wished
        QStringList parts{endOf(name, state, ended), remedyOf(state, ended), rest};
        parts.removeAll(QString());
        add({run, state, parts.join(QLatin1Char(' '))}, parts.front());
      });
}

void RunAlerts::add(RunAlert alert, const QString& said) {
  std::erase_if(alerts_, [&](const RunAlert& other) { return other.run == alert.run; });
  alerts_.push_back(std::move(alert));
  Q_EMIT raised(said);
  Q_EMIT changed();
}

void RunAlerts::greetDone(const RunRow& row) {
  store_.reader().read(
      this, [run = row.run.id](RunStore& store) { return doneRun(store, run); },
      [this, name = runName(*store_.snapshot(), row)](const DoneRun& done) { Q_EMIT finished(textOf(name, done)); });
}

/// Said once an attempt: most runs end with it, and those that were told to go on do.
void RunAlerts::watchLoss(const RunRow& row) {
  Watched& watched = watched_[row.run.id];
  const auto now = std::chrono::steady_clock::now();
  const bool known = watched.brokenIn == row.run.attempt;
  if (known || watched.isLooking || now - watched.lookedAt < lossPause) return;
  watched.lookedAt = now;
  watched.isLooking = true;
  struct Broken {
    std::int64_t step = -1;
    double value = 0;
  };
  store_.reader().read(
      this,
      [run = row.run.id](RunStore& store) {
        std::vector<std::string> damaged;
        const Series loss = readIntactSeries(store, run, metric::loss, damaged);
        for (std::size_t i = 0; i < loss.values.size(); ++i) {
          if (!std::isfinite(loss.values[i])) return Broken{loss.steps[i], loss.values[i]};
        }
        return Broken{};
      },
      [this, run = row.run.id, name = runName(*store_.snapshot(), row),
       attempt = row.run.attempt](const Broken& broken) {
        watched_[run].isLooking = false;
        const RunRow* still = store_.snapshot()->find(run);
        if (broken.step < 0 || still == nullptr || still->run.state != RunState::running) return;
        watched_[run].brokenIn = attempt;
        const QString value = std::isnan(broken.value) ? QStringLiteral("NaN") : QStringLiteral("inf");
        const QString said = tr("The loss of %1 is %2 from step %3 on, and the run goes on.")
                                 .arg(name, value, QLocale().toString(static_cast<qlonglong>(broken.step)));
        add({run, RunState::running, said}, said);
      },
      [this, run = row.run.id](const QString&) { watched_[run].isLooking = false; });
}

void RunAlerts::withdrawResumed() {
  const StoreSnapshotPointer snapshot = store_.snapshot();
  const std::size_t gone = std::erase_if(alerts_, [&](const RunAlert& alert) {
    const RunRow* row = snapshot->find(alert.run);
    return row == nullptr || row->run.state != alert.state;
  });
  if (gone > 0) Q_EMIT changed();
}

}  // namespace slipstream::ui
