// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of the tree says, and what can be done to it.
#include <QLocale>
#include <cmath>

#include "engine/record/number_format.h"
#include "ui/runs/run_model_node.h"
#include "ui/theme/state_shape.h"

namespace slipstream::ui {

const RunGlance* RunModel::glanceOf(const QModelIndex& index) const {
  const RunRow* row = runOf(index);
  return row == nullptr ? nullptr : glances_->of(*row);
}

QString RunModel::valueOf(const QModelIndex& index) const {
  const Node& node = nodeOf(index);
  if (node.kind == Kind::queued) return tr("queue %1").arg(node.place);
  if (node.kind != Kind::run) {
    const int runs = node.runsBelow();
    return runs == 0 ? QString() : tr("%n run(s)", nullptr, runs);
  }
  const RunGlance* glance = glanceOf(index);
  const RunState state = node.row->run.state;
  if (glance != nullptr && !glance->damage.empty()) return tr("values damaged");
  if (glance != nullptr && glance->brokenStep) {
    return (std::isnan(glance->brokenLoss) ? tr("NaN at %1") : tr("infinite at %1"))
        .arg(QLocale().toString(static_cast<qlonglong>(*glance->brokenStep)));
  }
  if (state == RunState::stopped || state == RunState::lost || state == RunState::failed) {
    if (glance == nullptr) return {};
    return tr("at %1").arg(QLocale().toString(static_cast<qlonglong>(glance->stepsDone)));
  }
  if (glance == nullptr || !glance->loss) return state == RunState::done ? QString() : stateWord(state).toLower();
  return QString::fromStdString(threeDigits(*glance->loss));
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
    QStringList lines{node.title, tr("%1, run %2").arg(stateWord(row.run.state), QString::fromStdString(row.run.id))};
    const RunGlance* glance = glanceOf(index);
    if (glance != nullptr && !glance->damage.empty()) lines << QString::fromStdString(glance->damage);
    if (!row.run.why.empty()) lines << QString::fromStdString(row.run.why);
    if (!row.label.note.empty()) lines << QString::fromStdString(row.label.note);
    return lines.join(QLatin1Char('\n'));
  }
  if (role == Qt::AccessibleTextRole) return tr("%1, %2, %3").arg(node.title, stateWord(row.run.state), valueOf(index));
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
  return runOf(index) == nullptr ? all : all | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

}  // namespace slipstream::ui
