// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_notices.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include "ui/widgets/widgets.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {
namespace {

constexpr int markSize = 16;

constexpr int closingMilliseconds = 100;

}  // namespace

AlertBanner::AlertBanner(Workspace& workspace, QWidget* parent)
    : QFrame(parent),
      workspace_(workspace),
      mark_(new QLabel),
      message_(label({})),
      resume_(button(Symbol::resume, tr("Resume"))) {
  setAccessibleName(tr("Runs that ended early"));
  message_->setWordWrap(true);
  message_->setTextFormat(Qt::PlainText);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  QPushButton* show = button(tr("Show run"));
  QPushButton* close = button(Symbol::close, {});
  close->setFlat(true);
  close->setToolTip(tr("Close"));
  close->setAccessibleName(tr("Close the message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(gapWide, gapSmall, gapWide, gapSmall);
  row->setSpacing(gapText);
  row->addWidget(mark_);
  row->addWidget(message_, 1);
  for (QPushButton* one : {resume_, show, close}) row->addWidget(one);
  connect(resume_, &QPushButton::clicked, this, &AlertBanner::resume);
  connect(show, &QPushButton::clicked, this, &AlertBanner::showRun);
  connect(close, &QPushButton::clicked, this, &AlertBanner::dismiss);
  connect(&workspace.alerts(), &RunAlerts::changed, this, &AlertBanner::refresh);
  refresh();
}

void AlertBanner::refresh() {
  const std::optional<RunAlert> alert = workspace_.alerts().newest();
  setVisible(alert.has_value());
  if (!alert) return;
  const bool stopped = alert->state == RunState::stopped || isLiving(alert->state);
  mark_->setPixmap(icon(stopped ? Symbol::warning : Symbol::error, stopped ? IconInk::warning : IconInk::error)
                       .pixmap(markSize, markSize));
  const bool isNew = message_->text() != alert->message;
  message_->setText(alert->message);
  resume_->setVisible(!isLiving(alert->state));
  if (isNew && isVisible()) {
    QAccessibleEvent said(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&said);
  }
  const QString& readOnly = workspace_.store().whyReadOnly();
  resume_->setEnabled(readOnly.isEmpty());
  resume_->setToolTip(readOnly);
  update();
}

void AlertBanner::resume() {
  const std::optional<RunAlert> alert = workspace_.alerts().newest();
  if (!alert) return;
  workspace_.launcher().resume(alert->run, workspace_.store().folder());
}

void AlertBanner::showRun() {
  const std::optional<RunAlert> alert = workspace_.alerts().newest();
  if (!alert) return;
  workspace_.selection().setCurrent(alert->run);
  workspace_.showPage(PageId::charts);
}

void AlertBanner::dismiss() {
  if (const std::optional<RunAlert> alert = workspace_.alerts().newest()) workspace_.alerts().dismiss(alert->run);
}

void AlertBanner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const std::optional<RunAlert> alert = workspace_.alerts().newest();
  const bool stopped = alert && (alert->state == RunState::stopped || isLiving(alert->state));
  painter.fillRect(rect(), stopped ? tokens().warningTint : tokens().errorTint);
}

ClosingNotice::ClosingNotice(const Workspace& workspace, QWidget* window)
    : QMessageBox(QMessageBox::Information, tr("Something is being written"),
                  tr("A file is being written. The window closes as soon as it is whole."), QMessageBox::NoButton,
                  window),
      workspace_(workspace) {
  setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* stay = addButton(tr("Keep the window open"), QMessageBox::RejectRole);
  setEscapeButton(stay);
  timer_.setInterval(closingMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &ClosingNotice::closeIfWritten);
  connect(this, &QDialog::finished, &timer_, &QTimer::stop);
  timer_.start();
}

void ClosingNotice::closeIfWritten() {
  if (workspace_.isExporting()) return;
  connect(this, &QObject::destroyed, parentWidget(), &QWidget::close, Qt::QueuedConnection);
  close();
}

}  // namespace slipstream::ui
