#pragma once

#include <QWidget>

#include "ui/workspace/workspace.h"

class QLabel;

namespace slipstream::ui {

/// The line at the foot of the window, which is always true: what the engine does, how far it is, and the store.
class StatusLine : public QWidget {
  Q_OBJECT

 public:
  StatusLine(Workspace& workspace, QWidget* parent);

 private:
  void refresh();

  Workspace& workspace_;
  QLabel* engine_;
  QLabel* details_;
  QLabel* store_;
};

}  // namespace slipstream::ui
