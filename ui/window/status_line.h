// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "engine/runs/live_status.h"
#include "engine/store/run_store.h"
#include "ui/store/latest_request.h"
#include "ui/workspace/workspace.h"

class QHBoxLayout;
class QLabel;

namespace slipstream::ui {

class ElidedLabel;

/// The line at the foot of the window, which is always true: what the engine does, how far it is, and the store.
class StatusLine : public QWidget {
  Q_OBJECT

 public:
  StatusLine(Workspace& workspace, QWidget* parent);

  /// As it reads, for tests and for screen readers.
  QString text() const;

 private:
  class EngineMark;
  class RankCells;

  void build();
  QLabel* part(QHBoxLayout& layout);
  void refresh();
  void ask(const RunRow& living);
  void showLiving(const LiveStatus& status);
  void showTrouble();
  void showStarting();
  void showIdle();
  void showAlone(std::optional<RunState> state, const QString& engine, const QString& detail);
  QString waitingText() const;
  void showStore();
  void showRemotes();
  QString heardText(const std::string& remote) const;

  Workspace& workspace_;
  EngineMark* mark_;
  QLabel* engine_;
  ElidedLabel* run_;
  QLabel* step_;
  QLabel* left_;
  RankCells* cells_;
  QLabel* ranks_;
  QLabel* lag_;
  QLabel* remotes_;
  QLabel* store_;
  std::vector<QWidget*> livingParts_;
  QTimer timer_;
  LatestRequest latest_;
  std::string living_;  ///< the run that is shown
};

}  // namespace slipstream::ui
