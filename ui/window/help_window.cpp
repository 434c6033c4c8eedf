// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_window.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QListWidget>
#include <QTextBrowser>

#include "engine/boost/algorithms.h"
#include "ui/documents/key_titles.h"
#include "ui/widgets/readme_text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int helpWidth = 900, helpHeight = 620, listWidth = 210;

}  // namespace

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent), pages_(new QListWidget), text_(new QTextBrowser) {
  setWindowTitle(tr("Algorithms"));
  resize(helpWidth, helpHeight);
  QHBoxLayout* row = rowLayout(this, gapWide);
  row->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  pages_->setFixedWidth(widthForFont(listWidth));
  pages_->setAccessibleName(tr("Algorithms"));
  text_->setOpenExternalLinks(false);
  text_->setOpenLinks(false);
  text_->setAccessibleName(tr("About the algorithm"));
  row->addWidget(pages_);
  row->addWidget(text_, 1);
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithmReadme(algorithm).isEmpty()) continue;
    auto* item = new QListWidgetItem(algorithmTitle(algorithm), pages_);
    item->setData(Qt::UserRole, QString::fromStdString(algorithm.key));
  }
  connect(pages_, &QListWidget::currentRowChanged, this, &HelpWindow::showPage);
  pages_->setCurrentRow(0);
}

void HelpWindow::showPage() {
  const QListWidgetItem* item = pages_->currentItem();
  if (item == nullptr) return;
  const AlgorithmSpec* algorithm = findAlgorithm(item->data(Qt::UserRole).toString().toStdString());
  if (algorithm != nullptr) showReadme(*text_, algorithmReadme(*algorithm));
}

/// Texts keep the colours and sizes that they were written with.
void HelpWindow::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) showPage();
}

}  // namespace slipstream::ui
