// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QTimer>
#include <memory>
#include <vector>

#include "ui/runs/run_table.h"

class QCompleter;
class QStandardItemModel;

namespace slipstream::ui {

/// What could stand where the cursor is, and what it would make of the line.
struct FilterProposal {
  QString text;    ///< as it is proposed: "accuracy", ">=", "lenet5"
  QString remark;  ///< "88.10 … 98.97 %", "on 14 runs"
  QString line;    ///< the whole line with it
};

/// Proposals for the term that ends at `cursor`: columns with what they hold, then comparisons, then values.
std::vector<FilterProposal> proposalsFor(const QString& line, int cursor, const std::vector<ColumnExtent>& extents);

/// Where each whole term of a line stands: finished conditions are shown as such.
struct FilterTerm {
  int begin = 0, length = 0;
  bool isCondition = false;  ///< has a key and a value; else a word
};
std::vector<FilterTerm> termsOf(const QString& line);

/// A line for a filter of runs (run_selection.h) that completes what is typed: Tab takes the proposal. Finished
/// conditions stand on a shade, and Backspace behind one takes it back whole.
class FilterLine : public QLineEdit {
  Q_OBJECT

 public:
  explicit FilterLine(QWidget* parent = nullptr);

  void setExtents(std::shared_ptr<const std::vector<ColumnExtent>> extents) { extents_ = std::move(extents); }
  /// The query that was typed last without a mistake.
  const RunQuery& query() const { return query_; }
  /// Empty where there is none.
  const QString& mistake() const { return mistake_; }
  /// A mistake in query() that only the store knows of; empty: none.
  void setRefusal(const QString& refusal);
  const std::vector<FilterProposal>& proposals() const { return proposals_; }

 Q_SIGNALS:
  void queryChanged();
  void mistakeChanged();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void propose();
  void takeProposal(int row);
  void read();
  void showMistake();
  void shade();

  std::shared_ptr<const std::vector<ColumnExtent>> extents_;
  QCompleter* completer_;
  QStandardItemModel* model_;
  std::vector<FilterProposal> proposals_;
  QTimer typing_;
  RunQuery query_;
  QString mistake_;  ///< that is shown, one of the following
  QString typedMistake_, refusal_;
  bool isShading_ = false;
};

}  // namespace slipstream::ui
