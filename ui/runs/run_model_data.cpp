// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLocale>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/number_format.h"
#include "engine/spec/device_kind.h"
#include "ui/runs/run_model.h"
#include "ui/theme/icons.h"
#include "ui/widgets/widgets.h"

// What a row of the tree says, and what can be done to it.
namespace slipstream::ui {
namespace {

/// Device pixels of a sparkline on a dense screen.
constexpr int sparklineColumns = 88;

/// Of states of several runs the one with the largest is told.
int attentionTo(RunState state) {
  constexpr std::array rising{RunState::done,     RunState::draft,  RunState::queued, RunState::preempted,
                              RunState::stopped,  RunState::lost,   RunState::failed, RunState::starting,
                              RunState::stopping, RunState::running};
  return static_cast<int>(std::ranges::find(rising, state) - rising.begin());
}

}  // namespace

RunSummaries::RunSummaries(StoreWatcher& store, QObject* parent) : QObject(parent), store_(store) {
  connect(&store, &StoreWatcher::opened, this, [this] {
    known_.clear();
    wanted_.clear();
  });
}

/// A run that has ended changes no more; a living one with every write to the store.
std::string RunSummaries::stampOf(const RunRow& row) const {
  const RunRecord& run = row.run;
  std::string stamp =
      std::to_string(run.attempt) + ' ' + std::string(nameOf(run.state)) + ' ' + std::to_string(run.endedAt);
  if (!isTerminal(run.state)) stamp += ' ' + std::to_string(store_.snapshot()->version);
  return stamp;
}

const RunSummary* RunSummaries::of(const RunRow& row) {
  Known& known = known_[row.run.id];
  std::string stamp = stampOf(row);
  if (!known.asked && known.stamp != stamp) {
    known.asked = true;
    if (wanted_.empty()) QTimer::singleShot(0, this, &RunSummaries::ask);
    wanted_.emplace_back(row.run.id, std::move(stamp));
  }
  return known.read ? &known.summary : nullptr;
}

/// One job a run, so that what pages ask meanwhile need not wait for a whole screen of them.
void RunSummaries::ask() {
  for (auto& [run, stamp] : std::exchange(wanted_, {})) {
    store_.reader().read(
        this,
        [run = run](RunStore& store) {
          const auto whole = store.find(run);
          return whole ? summarizeRun(store, *whole, sparklineColumns) : RunSummary{};
        },
        [this, run = run, stamp = stamp](RunSummary summary) {
          Known& known = known_[run];
          known = {std::move(summary), stamp, true, false};
          Q_EMIT arrived(run);
        },
        [this, run = run](const QString&) { known_[run].asked = false; });
  }
}

const RunSummary* RunModel::summaryOf(const QModelIndex& index) const {
  const RunRow* row = runOf(index);
  return row == nullptr ? nullptr : summaries_->of(*row);
}

RunState RunModel::stateOf(const QModelIndex& index) const {
  const Node& node = nodeOf(index);
  if (node.row != nullptr) return node.row->run.state;
  RunState state = RunState::queued;
  int most = -1;
  for (const auto& child : node.children) {
    if (child->row == nullptr || attentionTo(child->row->run.state) <= most) continue;
    state = child->row->run.state;
    most = attentionTo(state);
  }
  return state;
}

/// NaN and infinite losses are no results that a mean could be of.
RunModel::Results RunModel::resultsOf(const Node& variant) const {
  Results results;
  double sum = 0;
  for (const auto& child : variant.children) {
    if (child->row == nullptr) continue;
    ++results.runs;
    if (child->row->run.state != RunState::done) continue;
    ++results.done;
    const RunSummary* summary = summaries_->of(*child->row);
    results.isRead = results.isRead && summary != nullptr;
    if (summary == nullptr || !summary->loss || !std::isfinite(*summary->loss)) continue;
    sum += *summary->loss;
    ++results.withLoss;
  }
  if (results.withLoss > 0) results.meanLoss = sum / results.withLoss;
  return results;
}

/// Empty until all losses are read, and where there is none.
QString RunModel::valueOfVariant(const Node& variant) const {
  const Results results = resultsOf(variant);
  if (!results.isRead) return {};
  if (results.done == 0) return tr("0 of %n", "runs that are done", results.runs);
  return results.withLoss == 0 ? QStringLiteral("–") : QString::fromStdString(threeDigits(results.meanLoss));
}

QString RunModel::valueOf(const QModelIndex& index) const {
  const Node& node = nodeOf(index);
  if (node.kind == Kind::queued) return tr("queue %1").arg(node.place);
  if (node.kind == Kind::variant) return valueOfVariant(node);
  if (node.kind != Kind::run) {
    const int runs = node.runsBelow();
    return runs == 0 ? QString() : tr("%n run(s)", nullptr, runs);
  }
  const RunSummary* summary = summaryOf(index);
  const RunState state = node.row->run.state;
  if (summary != nullptr && !summary->damage.empty()) return tr("values damaged");
  if (summary != nullptr && summary->brokenStep) {
    return (std::isnan(summary->brokenLoss) ? tr("NaN at %1") : tr("infinite at %1"))
        .arg(QLocale().toString(static_cast<qlonglong>(*summary->brokenStep)));
  }
  if (state == RunState::stopped || state == RunState::lost || state == RunState::failed) {
    if (summary == nullptr) return {};
    return tr("at %1").arg(QLocale().toString(static_cast<qlonglong>(summary->stepsDone)));
  }
  if (state == RunState::queued && !node.row->run.why.empty()) {
    return tr("queued: %1").arg(QString::fromStdString(node.row->run.why));
  }
  if (state == RunState::starting && !node.row->run.why.empty()) {
    return tr("starting: %1").arg(QString::fromStdString(node.row->run.why));
  }
  if (summary == nullptr || !summary->loss) return state == RunState::done ? QString() : stateText(state).toLower();
  return QString::fromStdString(threeDigits(*summary->loss));
}

QModelIndex RunModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, nodeOf(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex RunModel::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  return indexOf(*nodeOf(child).parent);
}

int RunModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}
int RunModel::columnCount(const QModelIndex&) const {
  return 1;
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Node& node = nodeOf(index);
  if (role == Qt::DisplayRole) return node.title;
  if (role == Qt::EditRole && node.kind == Kind::run) return node.row->title();
  if (node.kind != Kind::run && node.kind != Kind::variant) return {};
  if (role == Qt::ToolTipRole) return plainToolTip(toolTipOf(index));
  if (role == Qt::AccessibleTextRole) return spokenOf(index);
  return {};
}

QString RunModel::variantTip(const Node& variant) const {
  const Results results = resultsOf(variant);
  const QString done = tr("%1 of %n run(s) are done", nullptr, results.runs).arg(results.done);
  if (results.withLoss == 0) return QStringLiteral("%1\n%2").arg(variant.title, done);
  return QStringLiteral("%1\n%2\n%3")
      .arg(variant.title, done, tr("The value is the mean of %n final loss(es)", nullptr, results.withLoss));
}

QString RunModel::toolTipOf(const QModelIndex& index) const {
  const Node& node = nodeOf(index);
  if (node.kind == Kind::variant) return variantTip(node);
  const RunRow& row = *node.row;
  QStringList lines{node.wholeTitle(),
                    tr("%1, run %2").arg(stateText(row.run.state), QString::fromStdString(row.run.id))};
  if (!row.run.remote.empty()) lines << tr("Of %1; a copy is here").arg(QString::fromStdString(row.run.remote));
  const RunSummary* summary = summaryOf(index);
  if (summary != nullptr && !summary->damage.empty()) lines << QString::fromStdString(summary->damage);
  if (!row.run.why.empty()) lines << QString::fromStdString(row.run.why);
  if (!row.label.note.empty()) lines << QString::fromStdString(row.label.note);
  return lines.join(QLatin1Char('\n'));
}

QString RunModel::spokenOf(const QModelIndex& index) const {
  const Node& node = nodeOf(index);
  QString spoken = tr("%1, %2, %3").arg(node.wholeTitle(), stateText(stateOf(index)), valueOf(index));
  if (node.kind == Kind::variant) {
    spoken = tr("%1, %n run(s)", nullptr, static_cast<int>(node.children.size())).arg(spoken);
  } else if (!node.row->run.remote.empty()) {
    spoken = tr("%1, on %2").arg(spoken, QString::fromStdString(node.row->run.remote));
  }
  return marksOf(index).emulated ? tr("%1, emulated").arg(spoken) : spoken;
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const RunRow* row = runOf(index);
  if (role != Qt::EditRole || row == nullptr || value.toString().trimmed() == row->title()) return false;
  Q_EMIT renamed(QString::fromStdString(row->run.id), value.toString().trimmed());
  return true;
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  const RunRow* row = runOf(index);
  if (row == nullptr) return all;
  // A copy is named where it is from.
  return row->run.remote.empty() ? all | Qt::ItemIsEditable | Qt::ItemNeverHasChildren : all | Qt::ItemNeverHasChildren;
}

}  // namespace slipstream::ui
