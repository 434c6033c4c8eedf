// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_header.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <set>

#include "engine/report/comparison_document.h"
#include "ui/report/document_view.h"

namespace slipstream::ui {
namespace {

constexpr int roomForWords = 900;
constexpr int narrowBaseline = 120, wideBaseline = 280;
constexpr std::size_t mostNamed = 7;
constexpr int pinSize = 12;

QString seedsText(const Comparison& comparison) {
  std::set<std::uint64_t> seeds;
  for (const Variant& variant : comparison.variants) {
    for (const RunOutcome& outcome : variant.outcomes) seeds.insert(outcome.run.seed);
  }
  if (seeds.size() == 1) return QCoreApplication::translate("CompareHeader", "seed %1").arg(*seeds.begin());
  const bool gapless = *seeds.rbegin() - *seeds.begin() + 1 == seeds.size();
  if (gapless)
    return QCoreApplication::translate("CompareHeader", "seeds %1 to %2").arg(*seeds.begin()).arg(*seeds.rbegin());
  QStringList list;
  for (const std::uint64_t seed : seeds) list << QString::number(seed);
  return QCoreApplication::translate("CompareHeader", "seeds %1").arg(list.join(QStringLiteral(", ")));
}

/// "seeds 1 to 5 · lenet5 · mnist"
QStringList aboutParts(const Comparison& comparison) {
  const RunOutcome& first = comparison.variants.front().outcomes.front();
  const Experiment& experiment = first.stages.front().stage.experiment;
  return {seedsText(comparison), QString::fromStdString(experiment.network.name),
          QString::fromStdString(experiment.dataset.name)};
}

}  // namespace

CompareHeader::CompareHeader(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel), about_(new ElidedLabel), baseline_(label({}, TextSize::secondary)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  title_->setFont(textFont(TextSize::pageTitle));
  about_->setProperty("second", true);
  about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // the title comes first
  axis_ = new QComboBox;
  axis_->addItem(tr("Step"), static_cast<int>(ChartX::step));
  axis_->addItem(tr("Epoch"), static_cast<int>(ChartX::epoch));
  axis_->addItem(tr("Second"), static_cast<int>(ChartX::relativeTime));
  axisLabel_ = label(tr("x axis"), TextSize::body, true);
  axisLabel_->setBuddy(axis_);
  axis_->setAccessibleName(tr("x axis"));
  auto* copy = new QToolButton;
  copy->setIcon(icon(Symbol::copy));
  copy->setToolTip(tr("Copy the tables as CSV"));
  copy->setAccessibleName(copy->toolTip());
  copy->setProperty("framed", true);
  QPushButton* save = button(Symbol::report, tr("Save report…"));
  row->addWidget(title_);
  row->addWidget(about_, 1);
  space_ = new QWidget;
  row->addWidget(space_, 1);
  row->addWidget(makeBaseline());
  row->addWidget(axisLabel_);
  row->addWidget(axis_);
  row->addWidget(copy);
  row->addWidget(save);
  connect(axis_, &QComboBox::currentIndexChanged, this, &CompareHeader::axisChosen);
  connect(copy, &QToolButton::clicked, this, &CompareHeader::copyWanted);
  connect(save, &QPushButton::clicked, this, &CompareHeader::saveWanted);
}

/// A pin and the name of what was pinned, or is taken for it.
QWidget* CompareHeader::makeBaseline() {
  auto* chip = new QFrame;
  chip->setProperty("chip", true);
  chip->setToolTip(tr("The pinned run, else the one that was chosen first"));
  auto* pin = new QLabel;
  pin->setPixmap(icon(Symbol::pin, IconInk::second).pixmap(QSize(pinSize, pinSize), devicePixelRatioF()));
  addAll(*rowLayout(chip, gapSmall), {pin, baseline_});
  return chip;
}

void CompareHeader::setComparison(const Comparison& comparison) {
  // The label of one of many variants says what tells it from the others, and is long: once is enough.
  const bool hasMany = comparison.variants.size() > mostNamed;
  const int ranks = comparison.variants.front().outcomes.front().run.ranks;
  if (hasMany) {
    title_->setWhole(
        tr("%n variants on %1 ranks", nullptr, static_cast<int>(comparison.variants.size()) - 1).arg(ranks));
  } else {
    title_->setWhole(text(titleOf(comparison)), {text(titleOf(comparison, TitleExtent::names))});
  }
  const QStringList about = aboutParts(comparison);
  const auto firstOf = [&](qsizetype count) { return about.first(count).join(QStringLiteral(" · ")); };
  about_->setWhole(firstOf(3), {firstOf(2), firstOf(1), QString()});
  const QString reference = QString::fromStdString(comparison.variants.front().shownLabel());
  const int width = hasMany ? wideBaseline : narrowBaseline;
  baseline_->setText(tr("baseline: %1").arg(fontMetrics().elidedText(reference, Qt::ElideMiddle, width)));
}

/// In a small window the title needs the room.
void CompareHeader::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool hasRoom = width() >= roomForWords;
  about_->setVisible(hasRoom);
  space_->setVisible(!hasRoom);
  axisLabel_->setVisible(hasRoom);
  layout()->setSpacing(hasRoom ? gapText : gapSmall);
}

ChartX CompareHeader::axis() const {
  return static_cast<ChartX>(axis_->currentData().toInt());
}

}  // namespace slipstream::ui
