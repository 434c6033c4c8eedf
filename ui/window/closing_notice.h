// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QTimer>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// Stands before a window that was closed while something is written to a file: closes it once that is done, unless it
/// is to stay open after all.
class ClosingNotice : public QMessageBox {
  Q_OBJECT

 public:
  ClosingNotice(const Workspace& workspace, QWidget* window);

 private:
  void look();

  const Workspace& workspace_;
  QTimer timer_;
};

}  // namespace slipstream::ui
