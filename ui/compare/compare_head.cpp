// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_head.h"

#include <QHBoxLayout>
#include <set>

namespace slipstream::ui {
namespace {

constexpr int factsWidth = 800;

QString seedsText(const Comparison& comparison) {
  std::set<std::uint64_t> seeds;
  for (const Arm& arm : comparison.arms) {
    for (const RunOutcome& outcome : arm.outcomes) seeds.insert(outcome.run.seed);
  }
  if (seeds.size() == 1) return CompareHead::tr("seed %1").arg(*seeds.begin());
  const bool gapless = *seeds.rbegin() - *seeds.begin() + 1 == seeds.size();
  if (gapless) return CompareHead::tr("seeds %1 to %2").arg(*seeds.begin()).arg(*seeds.rbegin());
  QStringList list;
  for (const std::uint64_t seed : seeds) list << QString::number(seed);
  return CompareHead::tr("seeds %1").arg(list.join(QStringLiteral(", ")));
}

}  // namespace

QString compareTitle(const Comparison& comparison) {
  if (comparison.arms.empty()) return {};
  QStringList others;
  for (std::size_t i = 1; i < comparison.arms.size(); ++i) others << QString::fromStdString(comparison.arms[i].label);
  const QString reference = QString::fromStdString(comparison.arms.front().label);
  if (others.isEmpty()) return reference;
  return CompareHead::tr("%1 against %2").arg(others.join(QStringLiteral(", ")), reference);
}

QString compareFacts(const Comparison& comparison) {
  if (comparison.arms.empty()) return {};
  const RunOutcome& first = comparison.arms.front().outcomes.front();
  const Experiment& experiment = first.stages.front().stage.experiment;
  const QStringList facts{QString::fromStdString(experiment.network.name),
                          QString::fromStdString(experiment.dataset.name),
                          CompareHead::tr("%n rank(s)", nullptr, first.run.ranks), seedsText(comparison)};
  return facts.join(QStringLiteral(" · "));
}

CompareHead::CompareHead(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel), facts_(new ElidedLabel), baseline_(label({}, TextSize::secondary)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(gapText);
  title_->setFont(textFont(TextSize::pageTitle));
  facts_->setProperty("second", true);
  baseline_->setProperty("chip", true);
  axis_ = new QComboBox;
  axis_->addItem(tr("Step"), static_cast<int>(FigureAxis::step));
  axis_->addItem(tr("Epoch"), static_cast<int>(FigureAxis::epoch));
  axis_->addItem(tr("Second"), static_cast<int>(FigureAxis::seconds));
  QLabel* axisLabel = label(tr("x axis"), TextSize::body, true);
  axisLabel->setBuddy(axis_);
  axis_->setAccessibleName(tr("x axis"));
  auto* copy = new QToolButton;
  copy->setIcon(icon(Symbol::copy));
  copy->setToolTip(tr("Copy the tables as CSV"));
  copy->setAccessibleName(copy->toolTip());
  copy->setProperty("framed", true);
  QPushButton* save = button(Symbol::report, tr("Save report…"));
  row->addWidget(title_);
  row->addWidget(facts_, 1);
  space_ = new QWidget;
  row->addWidget(space_, 1);
  row->addWidget(baseline_);
  row->addSpacing(gapText);
  row->addWidget(axisLabel);
  row->addWidget(axis_);
  row->addWidget(copy);
  row->addWidget(save);
  connect(axis_, &QComboBox::currentIndexChanged, this, &CompareHead::axisChosen);
  connect(copy, &QToolButton::clicked, this, &CompareHead::copyWanted);
  connect(save, &QPushButton::clicked, this, &CompareHead::saveWanted);
}

void CompareHead::setComparison(const Comparison& comparison) {
  title_->setWhole(compareTitle(comparison));
  facts_->setWhole(compareFacts(comparison));
  const QString reference = QString::fromStdString(comparison.arms.front().label);
  baseline_->setText(tr("baseline: %1").arg(fontMetrics().elidedText(reference, Qt::ElideMiddle, 120)));
  baseline_->setToolTip(tr("The pinned run, else the one that was chosen first"));
}

/// In a small window the title needs the room.
void CompareHead::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  facts_->setVisible(width() >= factsWidth);
  space_->setVisible(width() < factsWidth);
}

FigureAxis CompareHead::axis() const {
  return static_cast<FigureAxis>(axis_->currentData().toInt());
}

}  // namespace slipstream::ui
