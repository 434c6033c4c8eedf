// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/draft_notice.h"

#include <QHBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

DraftNotice::DraftNotice(QWidget* parent) : QFrame(parent), words_(label({}, TextSize::secondary)), act_(button({})) {
  setProperty("notice", true);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  auto* shape = new QLabel;
  shape->setPixmap(icon(Symbol::information, IconInk::accent).pixmap(16, 16));
  layout->addWidget(shape);
  layout->addWidget(words_, 1);
  layout->addWidget(act_);
  connect(act_, &QPushButton::clicked, this, &DraftNotice::act);
  hide();
}

void DraftNotice::follow(Document* document) {
  if (document_ != nullptr) disconnect(document_, nullptr, this, nullptr);
  document_ = document;
  if (document_ != nullptr) connect(document_, &Document::fileChanged, this, &DraftNotice::refresh);
  refresh();
}

void DraftNotice::act() {
  if (document_ == nullptr) return;
  if (!document_->isChangedOnDisk()) return document_->discard();
  const Status reloaded = document_->reload();
  if (!reloaded) words_->setText(QString::fromStdString(toText(reloaded.error())));
}

void DraftNotice::refresh() {
  const bool changed = document_ != nullptr && document_->isChangedOnDisk();
  const bool recovered = document_ != nullptr && document_->isRecovered();
  if (changed) {
    words_->setText(tr("%1 was changed on disk by another program.").arg(document_->title()));
    act_->setText(tr("Reload"));
  } else if (recovered) {
    words_->setText(tr("%1 was recovered from a draft and is not saved.").arg(document_->title()));
    act_->setText(tr("Discard"));
  }
  setVisible(changed || recovered);
}

}  // namespace slipstream::ui
