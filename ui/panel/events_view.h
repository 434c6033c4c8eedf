// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>
#include <QWidget>
#include <optional>
#include <vector>

#include "engine/store/run_store.h"
#include "ui/store/latest_request.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// The events of one run, oldest first; new ones are appended.
class EventsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { time, rank, level, code, text, columns };
  using QAbstractTableModel::QAbstractTableModel;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  void clear();
  void append(const std::vector<Event>& events);
  /// Of the last event; 0: there is none.
  std::int64_t lastNumber() const { return events_.empty() ? 0 : events_.back().number; }
  const Event& event(int row) const { return events_[static_cast<std::size_t>(row)]; }

 private:
  QString textOf(const Event& event, int column) const;

  std::vector<Event> events_;
};

/// What happened in a run, as a table; new events arrive at its end.
class EventsView : public QWidget {
  Q_OBJECT

 public:
  EventsView(Workspace& workspace, QWidget* parent);

  void showRun(const std::string& run);

 Q_SIGNALS:
  /// The newest event or checkpoint of a run that goes on, of which the panel's line tells.
  void happened(const QDateTime& time, const QString& what);

 private:
  void buildTable();
  void ask();
  struct News {
    std::vector<Event> events;  ///< those that are not in the table yet
    std::optional<CheckpointRow> checkpoint;
  };
  void receive(const News& news);
  void reportNewest(const News& news);
  bool isLivingRun() const;
  void copy() const;

  Workspace& workspace_;
  std::string run_;
  LatestRequest latest_;
  std::int64_t reportedUntil_ = 0;  ///< the time of what was reported last
  EventsModel model_;
  QTableView* table_;
  QLabel* none_;
};

}  // namespace slipstream::ui
