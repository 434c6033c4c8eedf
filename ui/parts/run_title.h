// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>

#include "ui/parts/parts.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {

/// The head of a page about one run: its name, its state, a few facts, and the page's own controls at the right.
class RunTitle : public QWidget {
  Q_OBJECT

 public:
  explicit RunTitle(QWidget* parent = nullptr);

  /// `name`: see RunNames.
  void setRun(const RunRow& row, const QString& name);
  void setFacts(const QString& facts) { facts_->setWhole(facts); }
  /// At the right end, after those that are there.
  void addControl(QWidget* control) { row_->addWidget(control); }

 private:
  QHBoxLayout* row_;
  ElidedLabel* name_;
  StateChip* state_;
  ElidedLabel* facts_;
};

}  // namespace slipstream::ui
