// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/boost_page.h"

#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

#include "ui/experiment/boost_level_row.h"
#include "ui/experiment/boost_section.h"
#include "ui/experiment/dictionary_panel.h"
#include "ui/experiment/experiment_editing.h"
#include "ui/experiment/forecast_panel.h"
#include "ui/experiment/help_panel.h"
#include "ui/experiment/text_place.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int formShare = 54, sideShare = 46;

}  // namespace

BoostPage::BoostPage(Workspace& workspace, QWidget* parent)
    : ExperimentPage(workspace, parent), level_(new BoostLevelRow(editing())) {
  auto* split = new QSplitter(Qt::Horizontal);
  split->setChildrenCollapsible(false);
  split->addWidget(buildForm());
  split->addWidget(buildSide());
  split->setStretchFactor(0, formShare);
  split->setStretchFactor(1, sideShare);
  split->setSizes({formShare * 10, sideShare * 10});
  begin(split, level_);
}

QWidget* BoostPage::buildForm() {
  form_ = new QWidget;
  QVBoxLayout* layout = column(form_, 0);
  layout->setContentsMargins(0, 0, gapWide, 0);
  auto* card = new QFrame;
  card->setProperty("card", true);
  QVBoxLayout* rows = column(card, 0);
  for (const BoostSectionSpec& spec : boostSectionSpecs()) {
    if (!sections_.empty()) rows->addWidget(hairline());
    auto* section = new BoostSection(editing(), spec);
    connect(section, &BoostSection::helpWanted, this, &BoostPage::showHelp);
    rows->addWidget(section);
    sections_.push_back(section);
  }
  layout->addWidget(card);
  layout->addStretch();
  scroll_ = new QScrollArea;
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidget(form_);
  scroll_->viewport()->setAutoFillBackground(false);
  form_->setAutoFillBackground(false);
  return scroll_;
}

QWidget* BoostPage::buildSide() {
  dictionary_ = new DictionaryPanel(editing());
  forecast_ = new ForecastPanel(editing());
  help_ = new HelpPanel;
  auto* usual = new QWidget;
  QVBoxLayout* layout = column(usual, gapWide);
  layout->addWidget(dictionary_, 1);
  layout->addWidget(forecast_);
  side_ = new QStackedWidget;
  side_->setContentsMargins(gapWide, 0, 0, 0);
  side_->addWidget(usual);
  side_->addWidget(help_);
  connect(help_, &HelpPanel::closed, this, [this] { side_->setCurrentIndex(0); });
  return side_;
}

void BoostPage::refreshPlan() {
  const bool readable = editing().isReadable();
  form_->setEnabled(readable);
  level_->setEnabled(readable);
  forecast_->refresh();
  if (!readable) return;
  level_->refresh();
  for (BoostSection* section : sections_) section->refresh();
}

void BoostPage::showHelp(const QString& algorithm) {
  help_->showAlgorithm(algorithm);
  side_->setCurrentIndex(1);
}

/// Places of boosting are shown here, the others on the plan's page.
void BoostPage::showPlace(const QString& place) {
  if (!editing().isReadable()) return;
  const std::string path = keyPathOf(editing().keyOf(place));
  QWidget* control = level_->control(path);
  for (BoostSection* section : sections_) {
    if (control == nullptr) control = section->reveal(path);
  }
  if (control == nullptr && !path.starts_with("boost.dictionary")) return;
  workspace().goTo(name());
  side_->setCurrentIndex(0);
  if (control == nullptr) return dictionary_->showKey(path);
  scroll_->ensureWidgetVisible(control);
  control->setFocus(Qt::OtherFocusReason);
}

void BoostPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  constexpr int roomForEverything = 520;
  const bool little = height() < roomForEverything;
  if (little != std::exchange(little_, little)) forecast_->setFolded(little);
}

}  // namespace slipstream::ui
