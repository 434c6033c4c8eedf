// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/store_page.h"

#include <QScrollArea>
#include <QStackedLayout>

namespace slipstream::ui {

StorePage::StorePage(Workspace& workspace, QWidget* parent, int pauseMilliseconds)
    : Page(workspace, parent), layers_(new QStackedLayout(this)), empty_(new EmptyState({}, {})) {
  layers_->addWidget(empty_);
  pause_.setSingleShot(true);
  pause_.setInterval(pauseMilliseconds);
  connect(&pause_, &QTimer::timeout, this, &StorePage::makeAnew);
}

void StorePage::setBody(QWidget* body) {
  body->setProperty("page", true);
  body->setAttribute(Qt::WA_StyledBackground);
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(body);
  layers_->addWidget(area);
}

void StorePage::showBody() {
  layers_->setCurrentIndex(1);
}

void StorePage::showNothing(const QString& what, const QString& why) {
  empty_->setWords(what, why);
  layers_->setCurrentIndex(0);
}

void StorePage::wait() {
  if (!pause_.isActive()) pause_.start();
}

/// What was read before stays.
void StorePage::showUnread(const QString& words) {
  if (layers_->currentIndex() == 0) showNothing(tr("This cannot be read"), words);
  missed();
}

}  // namespace slipstream::ui
