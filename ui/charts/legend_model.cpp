// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/number_format.h"

namespace slipstream::ui {
namespace {

QString numberText(const std::optional<double>& number) {
  return number ? QString::fromStdString(threeDigits(*number)) : QStringLiteral("–");
}

std::set<std::vector<std::string>> curvesOf(const std::vector<LegendRow>& rows) {
  std::set<std::vector<std::string>> curves;
  for (const LegendRow& row : rows) curves.insert(row.runs);
  return curves;
}

}  // namespace

void LegendModel::setRows(std::vector<LegendRow> rows) {
  if (rows == rows_) return;
  removeAllBut(rows);
  addNewOf(rows);
  reorder([&] { rows_ = std::move(rows); });
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, lastColumn));
}

void LegendModel::removeAllBut(const std::vector<LegendRow>& rows) {
  const std::set<std::vector<std::string>> kept = curvesOf(rows);
  for (int i = rowCount() - 1; i >= 0; --i) {
    if (kept.contains(row(i).runs)) continue;
    beginRemoveRows({}, i, i);
    const std::size_t place = order_[static_cast<std::size_t>(i)];
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(place));
    order_.erase(order_.begin() + i);
    for (std::size_t& other : order_) other -= other > place ? 1 : 0;
    endRemoveRows();
  }
}

/// Behind those that are there.
void LegendModel::addNewOf(const std::vector<LegendRow>& rows) {
  const std::set<std::vector<std::string>> known = curvesOf(rows_);
  std::vector<LegendRow> added = rows;
  std::erase_if(added, [&](const LegendRow& row) { return known.contains(row.runs); });
  if (added.empty()) return;
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
  for (LegendRow& row : added) {
    order_.push_back(rows_.size());
    rows_.push_back(std::move(row));
  }
  endInsertRows();
}

/// `change` leaves the same curves; views keep what they know of each.
void LegendModel::reorder(const std::function<void()>& change) {
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<std::vector<std::string>> curves;
  for (const QModelIndex& index : before) curves.push_back(row(index.row()).runs);
  change();
  order();
  std::map<std::vector<std::string>, int> places;
  for (int i = 0; i < rowCount(); ++i) places.emplace(row(i).runs, i);
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    after << index(places.at(curves[static_cast<std::size_t>(i)]), before[i].column());
  }
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int LegendModel::rowOf(const std::string& run) const {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (std::ranges::find(rows_[order_[i]].runs, run) != rows_[order_[i]].runs.end()) return static_cast<int>(i);
  }
  return -1;
}

int LegendModel::hiddenCount() const {
  return static_cast<int>(std::ranges::count(rows_, true, &LegendRow::hidden));
}

void LegendModel::setTitles(const QString& title, const QString& value, const QString& raw) {
  if (title == rowTitle_ && value == valueTitle_ && raw == rawTitle_) return;
  rowTitle_ = title;
  valueTitle_ = value;
  rawTitle_ = raw;
  Q_EMIT headerDataChanged(Qt::Horizontal, LegendModel::runColumn, LegendModel::rawColumn);
}

int LegendModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LegendModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : lastColumn + 1;
}

std::optional<double> LegendModel::number(const LegendRow& row, int column) const {
  if (column == valueColumn) return row.hidden ? std::nullopt : row.value;
  if (column == rawColumn) return row.hidden ? std::nullopt : row.raw;
  return row.last;
}

/// A row in one sentence, for those who hear it.
QString LegendModel::spoken(const LegendRow& row) const {
  if (row.hidden) return tr("%1, hidden").arg(row.label);
  return tr("%1, %2 %3, last %4").arg(row.label, valueTitle_, numberText(row.value), numberText(row.last));
}

QVariant LegendModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const LegendRow& row = this->row(index.row());
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == runColumn) return row.label;
      if (index.column() == valueColumn && row.hidden) return tr("hidden");
      if (index.column() == rawColumn && row.hidden) return {};
      return numberText(number(row, index.column()));
    case Qt::AccessibleTextRole:
      return index.column() == runColumn ? spoken(row) : QVariant();
    case Qt::ToolTipRole:
      return index.column() == runColumn ? QVariant(row.label) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(index.column() == runColumn ? Qt::AlignLeft | Qt::AlignVCenter
                                                             : Qt::AlignRight | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant LegendModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(section == runColumn ? Qt::AlignLeft | Qt::AlignVCenter
                                                    : Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  const QString arrow = section != sorted_                 ? QString()
                        : direction_ == Qt::AscendingOrder ? QStringLiteral(" ↑")
                                                           : QStringLiteral(" ↓");
  switch (section) {
    case runColumn:
      return rowTitle_ + arrow;
    case valueColumn:
      return valueTitle_ + arrow;
    case rawColumn:
      return rawTitle_ + arrow;
    default:
      return tr("last") + arrow;
  }
}

void LegendModel::order() {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (sorted_ < 0) return;
  const auto before = [&](std::size_t a, std::size_t b) {
    const LegendRow& first = rows_[a];
    const LegendRow& second = rows_[b];
    if (first.hidden != second.hidden) return second.hidden;
    if (livingFirst_ && first.living != second.living) return first.living;
    if (sorted_ == runColumn) {
      const int order = QString::localeAwareCompare(first.label, second.label);
      return direction_ == Qt::AscendingOrder ? order < 0 : order > 0;
    }
    const auto known = [](const std::optional<double>& number) { return number && std::isfinite(*number); };
    const auto one = number(first, sorted_), other = number(second, sorted_);
    if (known(one) != known(other)) return known(one);
    if (!known(one)) return false;
    return direction_ == Qt::AscendingOrder ? *one < *other : *one > *other;
  };
  std::ranges::stable_sort(order_, before);
}

void LegendModel::setLivingFirst(bool first) {
  if (first == livingFirst_) return;
  reorder([&] { livingFirst_ = first; });
}

void LegendModel::sort(int column, Qt::SortOrder direction) {
  if (column == sorted_ && direction == direction_) return;
  reorder([&] {
    sorted_ = column;
    direction_ = direction;
  });
  Q_EMIT headerDataChanged(Qt::Horizontal, runColumn, lastColumn);
}

}  // namespace slipstream::ui
