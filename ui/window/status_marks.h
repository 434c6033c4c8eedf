// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream::ui {

/// The shape of what the engine does.
class EngineMark : public QWidget {
  Q_OBJECT

 public:
  explicit EngineMark(QWidget* parent = nullptr);
  /// Nothing: it is idle.
  void setState(std::optional<RunState> state);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<RunState> state_;
};

/// An upright hairline between two words.
class Divider : public QWidget {
  Q_OBJECT

 public:
  explicit Divider(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

/// One cell a rank: filled where it keeps up with the others. Many ranks share cells.
class RankCells : public QWidget {
  Q_OBJECT

 public:
  explicit RankCells(QWidget* parent = nullptr);
  void setReporting(const std::vector<bool>& reporting);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<bool> reporting_;
};

}  // namespace slipstream::ui
