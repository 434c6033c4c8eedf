// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "ui/rank_table/rank_table_model.h"

namespace slipstream::ui {

/// The same table as a list of its devices: rank, server, device, address. Cells are edited like the tree's.
class RankTableListModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  RankTableListModel(RankTableModel& tree, QObject* parent);

  QModelIndex inTree(const QModelIndex& index) const;
  QModelIndex fromTree(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  /// Ranks and device numbers sort as numbers: Qt::UserRole + 16.
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  static constexpr int sortRole = Qt::UserRole + 16;

 private:
  void follow();
  std::vector<RankTablePlace> placesNow() const;

  RankTableModel& tree_;
  std::vector<RankTablePlace> places_;
};

}  // namespace slipstream::ui
