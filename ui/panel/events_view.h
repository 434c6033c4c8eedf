// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QWidget>

#include "ui/panel/events_model.h"
#include "ui/parts/parts.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// What happened in a run, as a table; new events arrive at its end.
class EventsView : public QWidget {
  Q_OBJECT

 public:
  EventsView(Workspace& workspace, QWidget* parent);

  void showRun(const std::string& run);

 private:
  void buildTable();
  void ask();
  void receive(const std::vector<Event>& events);
  void copy() const;

  Workspace& workspace_;
  std::string run_;
  Newest newest_;
  EventsModel model_;
  QTableView* table_;
  QLabel* none_;
};

}  // namespace slipstream::ui
