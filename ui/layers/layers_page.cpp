// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layers_page.h"

#include <QAction>
#include <cmath>

#include "ui/charts/line_chart.h"
#include "ui/layers/layers_reading.h"
#include "ui/layers/strip_chart.h"

namespace slipstream::ui {
namespace {

constexpr int lineHeight = 116, mostLossHeight = 240, roomyPage = 700;
constexpr double leastRoom = 44;

}  // namespace

LayersPage::LayersPage(Workspace& workspace, QWidget* parent)
    : RunPage(workspace, parent),
      loss_(new LineChart),
      orthogonality_(new StripChart),
      freeze_(new StripChart),
      power_(new LineChart),
      gradientShare_(new LineChart),
      scale_(new LineChart),
      variance_(new LineChart),
      missing_(label({}, TextSize::secondary, true)) {
  auto* whole = new QAction(icon(Symbol::reset), tr("Show all steps"), this);
  whole->setShortcut(Qt::Key_R);
  whole->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(whole);
  connect(whole, &QAction::triggered, this, &LayersPage::showWholeRun);
  connect(loss_, &LineChart::columnsChanged, this, &LayersPage::askLater);
  begin(buildContent(), tr("Choose a run on the left: what the algorithms do to each layer is drawn here."));
}

QWidget* LayersPage::buildContent() {
  auto* content = new QWidget;
  panels_ = column(content, gapWide);
  panels_->setContentsMargins(pageMargin, gapWide, 0, pageMargin);  // the charts keep the right margin themselves
  runTitle().setContentsMargins(0, 0, pageMargin, 0);
  panels_->addWidget(&runTitle());
  addPanel(loss_);
  addPanel(orthogonality_);
  addPanel(freeze_);
  addPanel(scale_);
  addPanel(power_);
  addPanel(gradientShare_);
  panels_->addWidget(variance_);
  for (LineChart* chart : {loss_, scale_, power_, gradientShare_, variance_}) chart->setFixedHeight(lineHeight);
  missing_->setWordWrap(true);
  missing_->setContentsMargins(0, 0, pageMargin, 0);
  panels_->addWidget(missing_);
  panels_->addStretch();
  return content;
}

template <class Chart>
Chart* LayersPage::addPanel(Chart* chart) {
  panels_->addWidget(chart);
  connect(chart, &Chart::rangeWanted, this, &LayersPage::showRange);
  connect(chart, &Chart::wholeRangeWanted, this, &LayersPage::showWholeRun);
  connect(chart, &Chart::cursorMoved, this, &LayersPage::setCursor);
  connect(chart, &Chart::cursorStepped, this, &LayersPage::stepCursor);
  return chart;
}

void LayersPage::forget() {
  reading_ = {};
  first_.reset();
  end_.reset();
  cursor_.reset();
}

void LayersPage::ask() {
  const LayersAsked asked{first_, end_, static_cast<std::size_t>(std::max(100, loss_->columns()))};
  askStore([run = run(), asked](RunStore& store) { return readLayers(store, run, asked); },
           [this](LayersReading reading) { receive(std::move(reading)); });
}

void LayersPage::receive(LayersReading reading) {
  reading_ = std::move(reading);
  const bool hasSteps = reading_.stepsDone > 0;
  if (hasSteps) showPanels();
  showContent(hasSteps);
}

/// The panels over steps begin at the same pixel; the lowest one has the axis, and so has the lowest strip.
void LayersPage::showPanels() {
  runTitle().setSummary(tr("%1 · %2 · %n rank(s)", nullptr, reading_.ranks)
                            .arg(QString::fromStdString(reading_.network), QString::fromStdString(reading_.dataset)));
  double room = std::max(leastRoom, StripChart::roomOf(reading_.orthogonality));
  if (reading_.freeze) room = std::max(room, StripChart::roomOf(reading_.freeze->rows));
  const double rightRoom = reading_.orthogonality.empty() ? 0 : gapText + stripReadingRoom();
  const auto place = [&](auto* chart, bool there, bool lowest, const auto& make) {
    chart->setVisible(there);
    if (!there) return;
    auto model = make(reading_);
    model.leftRoom = room;
    model.rightRoom = rightRoom;
    model.xLabels = lowest;
    model.cursor = cursor_;
    if constexpr (requires { model.cursorTag; }) model.cursorTag = lowest;
    chart->setModel(std::move(model));
  };
  const bool heat = !reading_.orthogonality.empty();
  const bool frozen = reading_.freeze.has_value();
  const bool scaled = !reading_.lossScales.empty();
  const bool searched = !reading_.acceptedPower.empty();
  const bool inside = !reading_.gradientShare.empty();
  place(loss_, true, !heat && !frozen && !scaled && !searched && !inside, lossChart);
  place(orthogonality_, heat, !frozen, orthogonalityStrip);
  place(freeze_, frozen, true, freezeStrip);
  place(scale_, scaled, !searched && !inside, scaleChart);
  place(power_, searched, !inside, powerChart);
  place(gradientShare_, inside, true, gradientShareChart);
  variance_->setVisible(!reading_.variance.empty());
  if (!reading_.variance.empty()) {
    ShownChart model = varianceChart(reading_);
    model.leftRoom = room;
    model.rightRoom = rightRoom;
    variance_->setModel(std::move(model));
  }
  const QString missing = missingText(reading_);
  missing_->setVisible(!missing.isEmpty());
  missing_->setText(missing);
  fitStrips();
}

/// Rows give way until the lowest strip, its axis and the line below are in sight, as far as they can be told apart.
void LayersPage::fitStrips() {
  const auto rows =
      static_cast<int>(reading_.orthogonality.size() + (reading_.freeze ? reading_.freeze->rows.size() : 0));
  if (rows == 0) return;
  int others = panels_->contentsMargins().top();
  for (const QWidget* part : std::initializer_list<const QWidget*>{&runTitle(), loss_, orthogonality_, freeze_}) {
    if (part->isHidden()) continue;
    others += part->sizeHint().boundedTo(part->maximumSize()).expandedTo(part->minimumSize()).height();
    others += panels_->spacing();
  }
  if (!missing_->isHidden()) others += missing_->heightForWidth(width()) + panels_->spacing();
  others -= rows * orthogonality_->pitch();
  const int most = height() < roomyPage ? usualPitch : roomyPitch;
  const int pitch = std::clamp((height() - others) / rows, leastPitch, most);
  for (StripChart* chart : {orthogonality_, freeze_}) chart->setPitch(pitch);
  fitLoss();
}

/// The loss has what the others leave free.
void LayersPage::fitLoss() {
  const QMargins margins = panels_->contentsMargins();
  int others = margins.top() + margins.bottom();
  for (int i = 0; i < panels_->count(); ++i) {
    const QWidget* part = panels_->itemAt(i)->widget();
    if (part == nullptr || part == loss_ || part->isHidden()) continue;
    const int height = part->hasHeightForWidth() ? part->heightForWidth(part->width()) : part->sizeHint().height();
    others += std::clamp(height, part->minimumHeight(), part->maximumHeight()) + panels_->spacing();
  }
  loss_->setFixedHeight(std::clamp(height() - others - panels_->spacing(), lineHeight, mostLossHeight));
}

void LayersPage::resizeEvent(QResizeEvent* event) {
  RunPage::resizeEvent(event);
  fitStrips();
}

void LayersPage::showRange(double first, double last) {
  const auto begin =
      static_cast<std::int64_t>(std::clamp(std::floor(first), 0.0, static_cast<double>(reading_.stepsDone)));
  const auto end = static_cast<std::int64_t>(std::clamp(std::ceil(last), 0.0, static_cast<double>(reading_.stepsDone)));
  if (begin == 0 && end == reading_.stepsDone) return showWholeRun();
  if (end - begin < 2) return;
  first_ = begin;
  end_ = end;
  askAgain();
}

void LayersPage::showWholeRun() {
  first_.reset();
  end_.reset();
  askAgain();
}

void LayersPage::setCursor(std::optional<double> x) {
  cursor_ = x;
  for (LineChart* chart : {loss_, scale_, power_, gradientShare_}) chart->setCursor(x);
  for (StripChart* chart : {orthogonality_, freeze_}) chart->setCursor(x);
}

void LayersPage::stepCursor(int samples) {
  const auto first = static_cast<double>(reading_.columns.firstStep);
  const auto last = static_cast<double>(reading_.columns.endStep - 1);
  setCursor(std::clamp(cursor_.value_or(first) + samples, first, last));
}

}  // namespace slipstream::ui
