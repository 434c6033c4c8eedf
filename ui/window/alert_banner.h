// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

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
  QLabel* words_;
  QPushButton* resume_;
};

}  // namespace slipstream::ui
