// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <map>

#include "engine/plan/rank_table.h"

namespace slipstream::ui {

/// Text in a fixed width whose lines may be tinted. Undo is the document's, not its own.
class TextView : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit TextView(QWidget* parent = nullptr);

  /// Replaces only what differs, so that the cursor stays where it was.
  void showText(const QString& text);
  void setMarks(const std::map<int, Verdict>& lines);  ///< counted from 0
  void goToLine(int line);                             ///< counted from 0

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void tint();
  std::map<int, Verdict> marks_;
};

}  // namespace slipstream::ui
