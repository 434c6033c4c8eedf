#pragma once

#include <QDockWidget>

#include "ui/workspace/workspace.h"

class QLineEdit;
class QListWidget;

namespace slipstream::ui {

/// The runs of the store, on the left.
class RunsDock : public QDockWidget {
  Q_OBJECT

 public:
  RunsDock(Workspace& workspace, QWidget* parent);

  void focusFilter();

 private:
  void refresh();

  Workspace& workspace_;
  QLineEdit* filter_;
  QListWidget* list_;
};

}  // namespace slipstream::ui
