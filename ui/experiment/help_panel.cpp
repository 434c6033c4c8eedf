// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/help_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QShortcut>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/experiment/key_words.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {

HelpPanel::HelpPanel(QWidget* parent)
    : QWidget(parent), title_(label(QString(), TextSize::section)), text_(new QTextBrowser) {
  QVBoxLayout* layout = column(this);
  auto* head = new QHBoxLayout;
  auto* close = new QToolButton;
  close->setIcon(icon(Symbol::close));
  close->setToolTip(tr("Close the help (Esc)"));
  close->setAccessibleName(tr("Close the help"));
  head->addWidget(title_, 1);
  head->addWidget(close);
  layout->addLayout(head);
  layout->addWidget(text_, 1);
  text_->setOpenLinks(false);
  connect(close, &QToolButton::clicked, this, &HelpPanel::closed);
  auto* escape = new QShortcut(Qt::Key_Escape, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
  connect(escape, &QShortcut::activated, this, &HelpPanel::closed);
}

void HelpPanel::showAlgorithm(const QString& key) {
  key_ = key;
  title_->setText(algorithmTitle(key.toStdString()));
  text_->document()->setDefaultFont(textFont(TextSize::secondary));
  const QString page = algorithmReadme(key.toStdString());
  text_->setMarkdown(page.isEmpty() ? tr("There is no page about this.") : page);
  text_->setFocus(Qt::OtherFocusReason);
}

void HelpPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !key_.isEmpty() && isVisible()) showAlgorithm(key_);
}

}  // namespace slipstream::ui
