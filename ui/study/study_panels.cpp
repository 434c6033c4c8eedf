// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_panels.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/study/matrix_view.h"
#include "ui/study/study_details.h"
#include "ui/study/study_header.h"
#include "ui/study/study_results.h"
#include "ui/study/study_tab.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int detailsWidth = 282, widthForDetails = 900;
constexpr int resultsShare = 3, detailsShare = 2;  ///< of the height, where the details are below

}  // namespace

StudyPanels::StudyPanels(QWidget* parent) : QWidget(parent), details_(new StudyDetails(this)) {
  auto* area = new QScrollArea(this);
  auto* body = new QWidget(area->viewport());
  header_ = new StudyHeader(body);
  results_ = new StudyResults(body);
  body->setProperty("page", true);
  body->setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(body, gapText);
  layout->setContentsMargins(pageMargin, gapText, pageMargin, gapText);
  layout->addWidget(header_);
  layout->addWidget(results_, 1);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(body);
  halves_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
  halves_->setContentsMargins(0, 0, 0, 0);
  halves_->setSpacing(0);
  halves_->addWidget(area, resultsShare);
  halves_->addWidget(details_, detailsShare);
  connect(header_, &StudyHeader::detailsWanted, this, [this] { showDetails(true); });
  connect(results_, &StudyResults::methodWanted, this, [this] { showDetails(true); });
  connect(results_, &StudyResults::placeChosen, details_, &StudyDetails::setPlace);
  connect(details_, &StudyDetails::closed, this, [this] { showDetails(false); });
}

void StudyPanels::setStanding(const StudyStanding& standing) {
  results_->setStanding(standing);
  arrange();
}

void StudyPanels::setReading(StudyReading reading) {
  results_->setReading(std::move(reading));
  details_->setReading(*results_->reading());
  arrange();
}

void StudyPanels::showDetails(bool shows) {
  wantsDetails_ = shows;
  arrange();
  if (shows) details_->setFocus(Qt::OtherFocusReason);
}

bool StudyPanels::showsDetails() const {
  return !details_->isHidden();
}

void StudyPanels::arrange() {
  const bool beside = width() >= widthForFont(widthForDetails);
  halves_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  const bool isRead = results_->reading().has_value();
  details_->setVisible(wantsDetails_.value_or(beside) && isRead);
  header_->setDetailsShown(showsDetails() || !isRead);
  details_->setMaximumWidth(beside ? widthForFont(detailsWidth) : QWIDGETSIZE_MAX);
  details_->setMinimumWidth(beside ? widthForFont(detailsWidth) : 0);
}

void StudyPanels::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
  results_->fitToWindow();
}

}  // namespace slipstream::ui
