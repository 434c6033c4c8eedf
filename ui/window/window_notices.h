// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QMessageBox>
#include <QTimer>

#include "ui/workspace/workspace.h"

class QLabel;
class QPushButton;

namespace slipstream::ui {

class Workspace;

/// Says below the page in front which run has failed, why, and at which step, with a button that resumes it. Stays
/// until it is answered, or until the run goes on. Below, so that nothing moves under the mouse.
class AlertBanner : public QFrame {
  Q_OBJECT

 public:
  AlertBanner(Workspace& workspace, QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();
  void resume();
  void showRun();
  void dismiss();

  Workspace& workspace_;
  QLabel* mark_;
  QLabel* message_;
  QPushButton* resume_;
};

/// Stands before a window that was closed while something is written to a file: closes it once that is done, unless it
/// is to stay open after all.
class ClosingNotice : public QMessageBox {
  Q_OBJECT

 public:
  ClosingNotice(const Workspace& workspace, QWidget* window);

 private:
  void closeIfWritten();

  const Workspace& workspace_;
  QTimer timer_;
};

}  // namespace slipstream::ui
