// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QAbstractTableModel>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "ui/documents/rank_table_document.h"

namespace slipstream::ui {

/// What makes one list of lines another when the lines at both ends that are the same stay: of the middle as many as
/// possible are changed in place, the others go or come behind them.
struct LineChanges {
  int kept = 0;  ///< in front, the same or changed in place
  int removed = 0;
  int inserted = 0;

  int firstRemoved() const { return kept; }
  int lastRemoved() const { return kept + removed - 1; }
  int firstInserted() const { return kept; }
  int lastInserted() const { return kept + inserted - 1; }
};

/// `same(old, now)` compares by index.
template <class Same>
LineChanges lineChanges(std::size_t before, std::size_t now, Same same) {
  const std::size_t shorter = std::min(before, now);
  std::size_t front = 0;
  while (front < shorter && same(front, front)) ++front;
  std::size_t back = 0;
  while (back < shorter - front && same(before - 1 - back, now - 1 - back)) ++back;
  const std::size_t middle = shorter - back;  // what has a partner, counted from the start
  return {static_cast<int>(middle), static_cast<int>(before - shorter), static_cast<int>(now - shorter)};
}

/// What the cells of a rank table carry beside their text.
enum RankTableRole {
  markRole = Qt::UserRole,  ///< int(Verdict) of the cell; nothing where it is right
  lineMarkRole,             ///< int(Verdict) of its line
  isServerRole,
  isPlaceholderRole,  ///< an address that no network uses
};

/// A rank table as a tree: servers, and in each its devices. Columns are those of RankTableCell. Shows the document as
/// it is written, and follows it line by line, so that what is open or selected stays so.
class RankTableModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  RankTableModel(RankTableDocument& document, QObject* parent);

  RankTablePosition placeOf(const QModelIndex& index) const;
  QModelIndex indexOf(RankTablePosition place, RankTableCell cell = RankTableCell::name) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                       const QModelIndex& parent) const override;
  /// The document changes; false, since the view has nothing to remove.
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 Q_SIGNALS:
  void followed();  ///< the model is as the document again

 private:
  void follow();
  void followDevices(int server, const std::vector<DeviceLine>& devices);
  QString text(RankTablePosition place, RankTableCell cell) const;
  QString serverText(const ServerLine& server, RankTableCell cell) const;
  int rowOf(const ServerLine* server) const;

  RankTableDocument& document_;
  std::vector<std::unique_ptr<ServerLine>> servers_;  ///< addresses that stay identify the parents of devices
};

/// Ranks of a server in short: "0 – 7", or the first few of a scattered set.
QString rankRange(const ServerLine& server);

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
  std::vector<RankTablePosition> placesNow() const;

  RankTableModel& tree_;
  std::vector<RankTablePosition> places_;
};

}  // namespace slipstream::ui
