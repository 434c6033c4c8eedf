// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/runs/run_table.h"
#include "ui/store/store_reader.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// Makes the table of runs in a thread of its own, with what it has read of each run: rows are there at once with what
/// records say, and what they came to follows as it is read, the newest first. Nothing is read before the first
/// request.
class RunTableSource : public QObject {
  Q_OBJECT

 public:
  RunTableSource(Workspace& workspace, QObject* parent);
  ~RunTableSource() override;

  /// What is to be shown from now on; answered by `arranged`, again whenever something has changed.
  void ask(TableRequest request);
  /// It is shown to nobody: nothing is read or arranged until it is again.
  void setWanted(bool wanted);
  /// Null before the first answer.
  const ArrangedRunsPointer& table() const { return table_; }

 Q_SIGNALS:
  void arranged();                       ///< table() is another one, or null of another store
  void refused(const QString& message);  ///< the request asks for what cannot be; table() stays
  void accepted();                       ///< it does not

 private:
  class Known;

  void restart();
  void refresh();
  void arrangeNow();
  void readMore();

  Workspace& workspace_;
  StoreReader reader_;
  std::shared_ptr<Known> known_;  ///< for the reader's thread
  TableRequest request_;
  ArrangedRunsPointer table_;
  bool isWanted_ = false, isArranging_ = false, isStale_ = true, isReading_ = false, hasRequest_ = false;
  int number_ = 0;  ///< of the request
};

}  // namespace slipstream::ui
