// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/closing_notice.h"

#include <QPushButton>

namespace slipstream::ui {
namespace {

constexpr int closingMilliseconds = 100;

}  // namespace

ClosingNotice::ClosingNotice(const Workspace& workspace, QWidget* window)
    : QMessageBox(QMessageBox::Information, tr("Something is being written"),
                  tr("A file is being written. The window closes as soon as it is whole."), QMessageBox::NoButton,
                  window),
      workspace_(workspace) {
  setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* stay = addButton(tr("Keep the window open"), QMessageBox::RejectRole);
  setEscapeButton(stay);
  timer_.setInterval(closingMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &ClosingNotice::look);
  connect(this, &QDialog::finished, &timer_, &QTimer::stop);
  timer_.start();
}

void ClosingNotice::look() {
  if (workspace_.isExporting()) return;
  connect(this, &QObject::destroyed, parentWidget(), &QWidget::close, Qt::QueuedConnection);
  close();
}

}  // namespace slipstream::ui
