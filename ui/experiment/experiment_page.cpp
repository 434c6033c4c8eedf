// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/experiment_page.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/experiment/experiment_editing.h"
#include "ui/experiment/experiment_header.h"
#include "ui/experiment/vary_dialog.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {

ExperimentPage::ExperimentPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent), editing_(workspace.experiment().editing()), pages_(new QStackedWidget) {
  QPushButton* create = primaryButton(Symbol::add, tr("New experiment"));
  connect(create, &QPushButton::clicked, this, &Page::newExperimentWanted);
  pages_->addWidget(new EmptyState(tr("No experiment is open"),
                                   tr("Begin with the quick start, or open a file of your own."), create));
  column(this)->addWidget(pages_);
  // A page behind others is brought up to date when it is shown.
  connect(&editing_, &ExperimentEditing::changed, this, [this] {
    if (isVisible()) refresh();
  });
  connect(&workspace.experiment(), &ExperimentDocument::planChanged, this, [this] {
    if (isVisible()) refreshPlan();
  });
  connect(&workspace.experiment(), &ExperimentDocument::placeWanted, this, &ExperimentPage::showPlace);
}

void ExperimentPage::begin(QWidget* body, QWidget* above) {
  auto* holder = new QWidget;
  QVBoxLayout* layout = column(holder);
  layout->setContentsMargins(pageMargin, gapWide, pageMargin, gapText);
  auto* header = new ExperimentHeader(editing_);
  connect(header, &ExperimentHeader::varyWanted, this, &ExperimentPage::vary);
  connect(header, &ExperimentHeader::saveWanted, this, &Page::saveWanted);
  layout->addWidget(header);
  if (above != nullptr) layout->addWidget(above);
  layout->addWidget(body, 1);
  pages_->addWidget(holder);
  refresh();
}

/// The style sheet takes fonts from widgets that were never shown; they are set anew.
void ExperimentPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
}

void ExperimentPage::refresh() {
  pages_->setCurrentIndex(editing_.isEmpty() ? 0 : 1);
  refreshPlan();
}

void ExperimentPage::vary() {
  VaryDialog dialog(editing_, this);
  if (dialog.exec() == QDialog::Accepted && dialog.launches()) Q_EMIT launchWanted();
}

}  // namespace slipstream::ui
