// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "ui/rank_table/rank_table_model.h"

namespace slipstream::ui {
namespace {

enum Column { rankColumn, serverColumn, deviceColumn, addressColumn, columns };

RankTableCell cellOf(int column) {
  if (column == rankColumn) return RankTableCell::rank;
  return column == addressColumn ? RankTableCell::address : RankTableCell::name;
}

}  // namespace

RankTableListModel::RankTableListModel(RankTableModel& tree, QObject* parent)
    : QAbstractTableModel(parent), tree_(tree), places_(placesNow()) {
  connect(&tree, &RankTableModel::followed, this, &RankTableListModel::follow);
}

std::vector<RankTablePosition> RankTableListModel::placesNow() const {
  std::vector<RankTablePosition> places;
  for (int server = 0; server < tree_.rowCount(); ++server) {
    const int devices = tree_.rowCount(tree_.index(server, 0));
    for (int device = 0; device < devices; ++device) places.push_back({server, device});
  }
  return places;
}

/// Lines that stay are changed in place before others come or go at the end.
void RankTableListModel::follow() {
  const std::vector<RankTablePosition> now = placesNow();
  const auto before = static_cast<int>(places_.size());
  const auto after = static_cast<int>(now.size());
  const int kept = std::min(before, after);
  std::copy_n(now.begin(), kept, places_.begin());
  if (kept > 0) Q_EMIT dataChanged(index(0, 0), index(kept - 1, columns - 1));
  if (before > after) {
    beginRemoveRows({}, after, before - 1);
    places_ = now;
    endRemoveRows();
  }
  if (after > before) {
    beginInsertRows({}, before, after - 1);
    places_ = now;
    endInsertRows();
  }
}

QModelIndex RankTableListModel::inTree(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  RankTablePosition place = places_[static_cast<std::size_t>(index.row())];
  if (index.column() == serverColumn) place.device = -1;
  return tree_.indexOf(place, cellOf(index.column()));
}

QModelIndex RankTableListModel::fromTree(const QModelIndex& index) const {
  const RankTablePosition place = tree_.placeOf(index);
  const auto found = std::find_if(places_.begin(), places_.end(), [&](const RankTablePosition& one) {
    return one.server == place.server && (place.device < 0 || one.device == place.device);
  });
  if (found == places_.end()) return {};
  const int column = place.device < 0                                             ? serverColumn
                     : index.column() == static_cast<int>(RankTableCell::rank)    ? rankColumn
                     : index.column() == static_cast<int>(RankTableCell::address) ? addressColumn
                                                                                  : deviceColumn;
  return this->index(static_cast<int>(found - places_.begin()), column);
}

int RankTableListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(places_.size());
}

int RankTableListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns);
}

QVariant RankTableListModel::data(const QModelIndex& index, int role) const {
  const QModelIndex source = inTree(index);
  if (!source.isValid()) return {};
  if (role == isServerRole) return false;
  if (role == Qt::DisplayRole) return tree_.data(source, Qt::EditRole);
  if (role == lineMarkRole) return tree_.data(inTree(index.siblingAtColumn(rankColumn)), role);
  if (role != sortRole) return tree_.data(source, role);
  const QString text = tree_.data(source, Qt::EditRole).toString();
  bool isNumber = false;
  const qlonglong number = text.toLongLong(&isNumber);
  return isNumber ? QVariant(number) : QVariant(text);
}

QVariant RankTableListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QString headings[] = {tr("Rank"), tr("Server"), tr("Device"), tr("Device address")};
  return section >= 0 && section < columns ? headings[section] : QString();
}

Qt::ItemFlags RankTableListModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = tree_.flags(inTree(index));
  return flags & ~(Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled);
}

bool RankTableListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  return tree_.setData(inTree(index), value, role);
}

}  // namespace slipstream::ui
