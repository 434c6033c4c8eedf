// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "engine/runs/run_logs.h"
#include "ui/store/latest_request.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// What the ranks of a run printed: the end of their logs, followed while the run lives.
class LogView : public QWidget {
  Q_OBJECT

 public:
  LogView(Workspace& workspace, QWidget* parent);

  /// `rank`: of one alone; nothing: of all.
  void showRun(const std::string& run, std::optional<int> rank);
  /// Reads only while it can be seen.
  void setWatching(bool watching);

 private:
  struct News {
    std::vector<RankLog> logs;  ///< of the newest attempt
    std::vector<LogPiece> pieces;
    LogPositions positions;
  };
  static News newsOf(const std::filesystem::path& store, const std::string& run, std::optional<int> rank, bool ended,
                     LogPositions positions);

  void buildBar();
  void restart();
  void ask();
  void bring(const RunRow& copy);
  void receive(const News& news);
  void offerRanks(const News& news);
  void append(const News& news);
  void find(bool backward);
  void explain(const News& news);

  Workspace& workspace_;
  std::string run_;
  std::optional<int> rank_;
  LogPositions positions_;
  LatestRequest latest_;
  bool waiting_ = false, watching_ = false;
  bool bringing_ = false;  ///< logs of a copy
  std::string brought_;    ///< the copy whose logs came last
  QElapsedTimer broughtAt_;
  QTimer timer_;
  QComboBox* ranks_;
  QLineEdit* search_;
  ElidedLabel* note_;
  QPlainTextEdit* text_;
};

}  // namespace slipstream::ui
