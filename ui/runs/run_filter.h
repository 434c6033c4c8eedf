// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <unordered_map>

#include "engine/runs/run_selection.h"
#include "ui/store/latest_request.h"
#include "ui/workspace/workspace.h"

class QLabel;
class QLineEdit;

namespace slipstream::ui {

/// The line above the runs: a query (run_query.h), answered by the store's reader.
class RunFilter : public QWidget {
  Q_OBJECT

 public:
  RunFilter(Workspace& workspace, QWidget* parent);

  bool isActive() const { return !query_.isEmpty(); }
  bool shows(const RunRow& row) const;
  QLineEdit* line() const { return line_; }

 Q_SIGNALS:
  void changed();  ///< shows()

 private:
  /// What is known of one run, and of which state of it.
  struct Answer {
    std::string stamp;
    bool matches = false;
  };

  void read();
  void use(const RunQuery& query);
  void ask();
  void showMistake(const QString& message);
  void receive(int queryNumber, std::vector<std::pair<std::string, Answer>> answers);
  static std::string stampOf(const RunRow& row, std::int64_t version);

  Workspace& workspace_;
  QLineEdit* line_;
  QLabel* mistake_;
  QTimer typing_;
  RunQuery query_;
  LatestRequest typed_;
  int queryNumber_ = 0;
  bool asking_ = false;
  std::unordered_map<std::string, Answer> answers_;
};

}  // namespace slipstream::ui
