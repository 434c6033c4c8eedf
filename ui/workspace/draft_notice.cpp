#include "ui/workspace/draft_notice.h"

#include <QHBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

DraftNotice::DraftNotice(QWidget* parent) : QFrame(parent), words_(label({}, TextSize::secondary)) {
  setProperty("notice", true);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  auto* shape = new QLabel;
  shape->setPixmap(icon(Symbol::information, IconInk::accent).pixmap(16, 16));
  QPushButton* discard = button(tr("Discard"));
  layout->addWidget(shape);
  layout->addWidget(words_, 1);
  layout->addWidget(discard);
  connect(discard, &QPushButton::clicked, this, [this] {
    if (document_ != nullptr) document_->discard();
  });
  hide();
}

void DraftNotice::follow(Document* document) {
  if (document_ != nullptr) disconnect(document_, nullptr, this, nullptr);
  document_ = document;
  if (document_ != nullptr) connect(document_, &Document::fileChanged, this, &DraftNotice::refresh);
  refresh();
}

void DraftNotice::refresh() {
  const bool shown = document_ != nullptr && document_->isRecovered();
  if (shown) words_->setText(tr("%1 was recovered from a draft and is not saved.").arg(document_->title()));
  setVisible(shown);
}

}  // namespace slipstream::ui
