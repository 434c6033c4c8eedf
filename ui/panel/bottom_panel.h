#pragma once

#include <QWidget>

#include "ui/workspace/workspace.h"

class QLabel;

namespace slipstream::ui {

/// Problems, log and events below the pages: one line until it is opened.
class BottomPanel : public QWidget {
  Q_OBJECT

 public:
  BottomPanel(Workspace& workspace, QWidget* parent);

  void showNextProblem();
  void showPreviousProblem();

 private:
  Workspace& workspace_;
  QLabel* said_;
};

}  // namespace slipstream::ui
