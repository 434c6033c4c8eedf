// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/matrix_model.h"

#include <algorithm>
#include <map>

#include "ui/study/study_texts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

bool sameShape(const StudyMatrix& one, const StudyMatrix& other) {
  if (one.columns != other.columns || one.rows.size() != other.rows.size()) return false;
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    if (one.rows[i].variant != other.rows[i].variant || one.rows[i].stage != other.rows[i].stage) return false;
  }
  return true;
}

/// A change of means would tell nothing there: nobody knows how long it would have taken.
bool noneReached(const StudyMatrixCell& cell, const StudyMeasure& measure) {
  const auto ended = [](const StudySeed& seed) {
    return seed.state == SeedState::never || seed.state == SeedState::failed;
  };
  return measure.countsToTarget && !cell.seeds.empty() && std::ranges::all_of(cell.seeds, ended);
}

}  // namespace

void MatrixModel::setMatrix(StudyMatrix matrix, bool toTarget) {
  toTarget_ = toTarget;
  if (!sameShape(matrix, matrix_)) {
    beginResetModel();
    matrix_ = std::move(matrix);
    return endResetModel();
  }
  matrix_ = std::move(matrix);
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const StudyMatrixCell* MatrixModel::cellAt(const QModelIndex& index) const {
  if (!index.isValid() || index.column() == 0) return nullptr;
  return &row(index.row()).cells[static_cast<std::size_t>(index.column() - 1)];
}

QString MatrixModel::figure(const QModelIndex& index) const {
  const StudyMatrixCell* cell = cellAt(index);
  if (cell == nullptr) return text(row(index.row()).name());
  if (noneReached(*cell, matrix_.measure)) return tr("none reached it");
  if (cell->comparison && cell->comparison->pairs > 0) return changeText(*cell->comparison);
  return cell->mean ? valueText(matrix_.measure, *cell->mean) : QString();
}

QString MatrixModel::range(const QModelIndex& index) const {
  const StudyMatrixCell* cell = cellAt(index);
  const bool shows = cell != nullptr && cell->comparison && !noneReached(*cell, matrix_.measure);
  return shows ? intervalText(*cell->comparison) : QString();
}

QString MatrixModel::about(int at) const {
  const StudyMatrixRow& shown = row(at);
  const auto trials = static_cast<int>(shown.trials);
  const QString tuning = trials > 0 ? tr("%n trial(s)", "of tuning", trials) : tr("untuned");
  const QString place = shown.stage.empty() ? tuning : text(shown.variant);
  return shown.isReference ? tr("reference · %1").arg(place) : place;
}

/// "adasum at 32 ranks, better, −31 % [−39, −22], 5 seeds: 5 reached the target"
QString MatrixModel::inFull(const QModelIndex& index) const {
  const StudyMatrixRow& shown = row(index.row());
  const StudyMatrixCell* cell = cellAt(index);
  if (cell == nullptr) return QStringLiteral("%1, %2").arg(text(shown.name()), about(index.row()));
  const StudySettings& factors = matrix_.columns[static_cast<std::size_t>(index.column() - 1)];
  QStringList parts{tr("%1 at %2", "a variant, and where").arg(text(shown.name()), whereText(factors))};
  if (cell->comparison) {
    parts << verdictWord(cell->comparison->verdict);
    if (!cell->comparison->why.empty()) parts << text(cell->comparison->why);
  } else if (shown.isReference) {
    parts << tr("reference");
  }
  const QString shownFigure = figure(index), shownRange = range(index);
  if (!shownFigure.isEmpty())
    parts << (shownRange.isEmpty() ? shownFigure : shownFigure + QLatin1Char(' ') + shownRange);
  std::map<SeedState, int> counts;
  for (const StudySeed& seed : cell->seeds) ++counts[seed.state];
  QStringList states;
  for (const auto& [state, count] : counts)
    states << QStringLiteral("%1 %2").arg(count).arg(seedWord(state, toTarget_));
  parts << tr("%n seed(s): %1", nullptr, static_cast<int>(cell->seeds.size())).arg(listed(states));
  return listed(parts);
}

int MatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(matrix_.rows.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(matrix_.columns.size()) + 1;
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole) {
    const QString after = range(index);
    return after.isEmpty() ? figure(index) : figure(index) + QLatin1Char(' ') + after;
  }
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) return inFull(index);
  return {};
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  return section == 0 ? tr("Variant") : whereText(matrix_.columns[static_cast<std::size_t>(section - 1)]);
}

}  // namespace slipstream::ui
