// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QButtonGroup>
#include <QWidget>

namespace slipstream::ui {

/// A few choices side by side, of which one holds.
class Segments : public QWidget {
  Q_OBJECT

 public:
  explicit Segments(const QStringList& words, QWidget* parent = nullptr);

  void setCurrent(int index);  ///< -1: none
  int current() const { return group_->checkedId(); }

 Q_SIGNALS:
  void chosen(int index);  ///< by a person

 private:
  QButtonGroup* group_;
};

}  // namespace slipstream::ui
