// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>

#include "engine/record/curve_source.h"
#include "ui/parts/parts.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// Who the page is about: name, state, what it was asked to be, how far it is.
class RunHead : public QWidget {
  Q_OBJECT

 public:
  RunHead(Workspace& workspace, std::shared_ptr<CurveSource> source, QWidget* parent = nullptr);

  void refresh();
  void setNarrow(bool narrow);

 private:
  struct Facts;
  void show(const Facts& facts);

  Workspace& workspace_;
  std::shared_ptr<CurveSource> source_;
  ElidedLabel* name_;
  StateChip* state_;
  ElidedLabel* facts_;
  QLabel* unit_;
  QLabel* steps_;
  QProgressBar* progress_;
  QLabel* share_;
  Newest asked_;
};

}  // namespace slipstream::ui
