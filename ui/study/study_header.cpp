// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_header.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include "ui/study/study_texts.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int widthForAll = 860;

}  // namespace

StudyHeader::StudyHeader(QWidget* parent)
    : QWidget(parent),
      name_(new ElidedLabel),
      state_(new StateChip),
      progress_(new ElidedLabel),
      goOn_(button(Symbol::resume, tr("Go on"))),
      pause_(button(Symbol::stop, tr("Pause"))),
      seeds_(button(Symbol::add, tr("Add seeds…"))),
      details_(button(Symbol::information, tr("Details"))),
      another_(button(Symbol::add, tr("New study"))) {
  QHBoxLayout* row = rowLayout(this);
  name_->setFont(textFont(TextSize::pageTitle));
  name_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  progress_->setProperty("second", true);
  progress_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  QPushButton* save = button(Symbol::report, tr("Save report…"));
  row->addWidget(name_);
  row->addWidget(state_);
  row->addWidget(progress_, 1);
  row->addStretch(0);
  addAll(*row, {goOn_, pause_, seeds_, save, details_, another_});
  connect(goOn_, &QPushButton::clicked, this, &StudyHeader::goOnWanted);
  connect(pause_, &QPushButton::clicked, this, &StudyHeader::pauseWanted);
  connect(seeds_, &QPushButton::clicked, this, &StudyHeader::seedsWanted);
  connect(save, &QPushButton::clicked, this, &StudyHeader::saveWanted);
  connect(details_, &QPushButton::clicked, this, &StudyHeader::detailsWanted);
  connect(another_, &QPushButton::clicked, this, &StudyHeader::newWanted);
}

void StudyHeader::setDetailsShown(bool shown) {
  details_->setHidden(shown);
}

/// Where there is little room the name of the study needs it: the menu begins a new one, too, and the list counts what
/// has ended.
void StudyHeader::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool isWide = width() >= widthForFont(widthForAll);
  another_->setVisible(isWide);
  progress_->setVisible(isWide || saysMore_);
}

void StudyHeader::setStudy(const StudySummary& study, const QString& other, bool busy, const QString& readOnly) {
  const StudyCounts& counts = study.counts;
  const bool open = counts.open() > 0;
  name_->setWhole(text(study.record.name));
  state_->setState(studyShape(study.state, study.carriedOn), studyStateWord(study.state, study.carriedOn, open));
  const int ended = counts.cells - counts.open();
  QStringList parts{open ? tr("%1 of %n run(s) ended", nullptr, counts.cells).arg(ended)
                         : tr("%n run(s)", nullptr, counts.cells)};
  saysMore_ = open || counts.failed > 0 || !study.record.why.empty();
  if (counts.failed > 0) parts << tr("%n failed", nullptr, counts.failed);
  if (!study.record.why.empty()) parts << text(study.record.why);
  progress_->setWhole(parts.join(QStringLiteral(" · ")),
                      {parts.first(), QStringLiteral("%1 / %2").arg(ended).arg(counts.cells)});
  progress_->setVisible(saysMore_ || width() >= widthForFont(widthForAll));
  const bool runs = study.state == StudyState::running;
  pause_->setVisible(runs);
  goOn_->setVisible(!runs && open);
  const QString whyNot = !readOnly.isEmpty() ? readOnly
                         : !other.isEmpty()
                             ? tr("%1 is being carried on: pause it first, or wait for its end").arg(other)
                             : QString();
  goOn_->setEnabled(!busy && whyNot.isEmpty());
  goOn_->setToolTip(whyNot);
  pause_->setEnabled(!busy && readOnly.isEmpty());
  pause_->setToolTip(tr("No more runs are started; those that train go on to their ends"));
}

}  // namespace slipstream::ui
