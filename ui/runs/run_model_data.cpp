// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLocale>
#include <QTimer>
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

QString RunModel::valueOf(const QModelIndex& index) const {
  const Node& node = nodeOf(index);
  if (node.kind == Kind::queued) return tr("queue %1").arg(node.place);
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
  if (node.kind != Kind::run) return {};
  const RunRow& row = *node.row;
  if (role == Qt::EditRole) return row.title();
  if (role == Qt::ToolTipRole) {
    QStringList lines{node.title, tr("%1, run %2").arg(stateText(row.run.state), QString::fromStdString(row.run.id))};
    if (!row.run.remote.empty()) lines << tr("Of %1; a copy is here").arg(QString::fromStdString(row.run.remote));
    const RunSummary* summary = summaryOf(index);
    if (summary != nullptr && !summary->damage.empty()) lines << QString::fromStdString(summary->damage);
    if (!row.run.why.empty()) lines << QString::fromStdString(row.run.why);
    if (!row.label.note.empty()) lines << QString::fromStdString(row.label.note);
    return plainToolTip(lines.join(QLatin1Char('\n')));
  }
  if (role == Qt::AccessibleTextRole) {
    QString spoken = tr("%1, %2, %3").arg(node.title, stateText(row.run.state), valueOf(index));
    if (!row.run.remote.empty()) spoken = tr("%1, on %2").arg(spoken, QString::fromStdString(row.run.remote));
    return isEmulated(row.run.device) ? tr("%1, emulated").arg(spoken) : spoken;
  }
  return {};
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
