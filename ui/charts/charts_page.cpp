// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charts_page.h"

#include <QShowEvent>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/charts/charts_header.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int narrowWidth = 860;
constexpr int leastLarge = 220, leastSmall = 130;
constexpr double largeShare = 0.6;

/// While runs are alive the right edge of a time axis is a little ahead, so that it jumps once in a tenth of the
/// run.
double padded(double length) {
  constexpr double growth = 1.1;
  if (length <= 1) return 1;
  return std::pow(growth, std::ceil(std::log(length) / std::log(growth)));
}

EmptyState* makeEmptyState(Workspace& workspace) {
  QPushButton* start = button(ChartsPage::tr("Go to the start page"));
  QObject::connect(start, &QPushButton::clicked, &workspace, [&workspace] { workspace.showPage(PageId::welcome); });
  return new EmptyState(ChartsPage::tr("No run is chosen"),
                        ChartsPage::tr("Choose runs on the left: their curves are drawn here."), start);
}

}  // namespace

ChartGrid::ChartGrid(QWidget* parent) : QScrollArea(parent), body_(new QWidget) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  body_->setProperty("page", true);
  body_->setAttribute(Qt::WA_StyledBackground);
  setWidget(body_);
}

bool ChartGrid::isNarrow() const {
  return width() < narrowWidth;
}

void ChartGrid::setCharts(const std::vector<QWidget*>& charts) {
  for (QWidget* chart : charts_) {
    if (std::find(charts.begin(), charts.end(), chart) == charts.end()) chart->hide();
  }
  charts_ = charts;
  for (QWidget* chart : charts_) {
    chart->setParent(body_);
    chart->show();
  }
  place();
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  place();
}

void ChartGrid::place() {
  const int width = viewport()->width();
  const int height = viewport()->height();
  const int inRow = isNarrow() ? 2 : 3;
  const auto small = static_cast<int>(charts_.empty() ? 0 : charts_.size() - 1);
  const int rows = (small + inRow - 1) / inRow;
  const int large = rows == 0 ? std::max(leastLarge, height)
                              : std::max(leastLarge, static_cast<int>(largeShare * (height - gapWide)));
  const int low = std::max(leastSmall, height - large - gapWide);
  body_->resize(width, large + rows * (low + gapWide));
  const int cell = (width - (inRow - 1) * gapText) / inRow;
  for (int i = 0; i <= small && !charts_.empty(); ++i) {
    QWidget* chart = charts_[static_cast<std::size_t>(i)];
    if (i == 0) {
      chart->setGeometry(0, 0, width, large);
      continue;
    }
    const int row = (i - 1) / inRow;
    const int column = (i - 1) % inRow;
    chart->setGeometry(column * (cell + gapText), large + gapWide + row * (low + gapWide), cell, low);
  }
}

ChartsPage::ChartsPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent),
      controls_(new ChartControls),
      grid_(new ChartGrid),
      empty_(makeEmptyState(workspace)),
      body_(new QWidget),
      source_(std::make_shared<CurveSource>()) {
  head_ = new RunHeader(workspace, source_);
  for (const QString& metric : Settings::addedCharts()) added_.push_back(metric.toStdString());
  build();
  addPageActions();
  connect(controls_, &ChartControls::changed, this, &ChartsPage::showAll);
  connect(controls_, &ChartControls::chartWanted, this, &ChartsPage::addChart);
  connect(&workspace.store(), &StoreWatcher::changed, this, &ChartsPage::refresh);
  connect(&workspace.selection(), &RunSelection::changed, this, &ChartsPage::refresh);
  connect(&workspace, &Workspace::metricWanted, this,
          [this](const QString& metric) { showMetric(metric.toStdString()); });
  refresh();
}

void ChartsPage::build() {
  stack_ = new QStackedLayout(this);
  stack_->addWidget(empty_);
  stack_->addWidget(body_);
  QVBoxLayout* layout = column(body_, gapText);
  layout->setContentsMargins(pageMargin, gapWide, 0, gapSmall);
  auto* top = new QWidget;
  QVBoxLayout* rows = column(top, gapText);
  rows->setContentsMargins(0, 0, pageMargin, 0);
  rows->addWidget(head_);
  rows->addWidget(controls_);
  layout->addWidget(top);
  layout->addWidget(grid_, 1);
}

const ChartOptions& ChartsPage::options() const {
  return controls_->options();
}

void ChartsPage::setOptions(const ChartOptions& options) {
  controls_->setOptions(options);
  showAll();
}

void ChartsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
}

void ChartsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fold();
}

/// Pages behind others read nothing.
void ChartsPage::refresh() {
  runs_ = shownRuns(workspace());
  stack_->setCurrentWidget(runs_.empty() ? static_cast<QWidget*>(empty_) : body_);
  if (runs_.empty() || !isVisible()) return;
  head_->refresh();
  askMetrics();
  showAll();
}

/// Brings all charts to what is to be shown; each asks only where that is something new.
void ChartsPage::showAll() {
  if (options().x != shownX_) extent_.reset();  // of another axis
  shownX_ = options().x;
  for (MetricChart* chart : charts_) chart->show(runs_, options(), extent_);
}

/// One x axis for all: from the first sample of any to the last.
void ChartsPage::takeExtents() {
  controls_->setSmoothable(
      std::any_of(charts_.begin(), charts_.end(), [](const MetricChart* chart) { return chart->isSmoothable(); }));
  std::optional<std::pair<double, double>> extent;
  for (const MetricChart* chart : charts_) {
    const auto own = chart->model().x == options().x ? chart->extent() : std::nullopt;
    if (!own) continue;
    extent = extent ? std::pair(std::min(extent->first, own->first), std::max(extent->second, own->second)) : *own;
  }
  const bool timed = options().x == ChartX::wallTime || options().x == ChartX::relativeTime;
  const bool living = std::any_of(runs_.begin(), runs_.end(), [](const ShownRun& run) { return run.living; });
  if (extent && timed && living) extent->second = extent->first + padded(extent->second - extent->first);
  if (!extent || extent == extent_) return;
  extent_ = extent;
  showAll();
}

void ChartsPage::fold() {
  const bool narrow = grid_->isNarrow();
  head_->setNarrow(narrow);
  controls_->setNarrow(narrow);
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    charts_[i]->setLegend(i > 0 ? LegendPlace::none : narrow ? LegendPlace::titleRow : LegendPlace::inside);
  }
}

void ChartsPage::zoomTo(double first, double last) {
  ChartOptions zoomed = options();
  zoomed.zoom = std::pair(first, last);
  // Out of what there is, there is nothing to see.
  if (extent_ && first <= extent_->first && last >= extent_->second) zoomed.zoom.reset();
  setOptions(zoomed);
}

void ChartsPage::moveCursor(MetricChart* from, std::optional<double> x) {
  last_ = from;
  if (pinned_) return;
  if (x) return placeCursor(*x);
  cursor_.reset();
  for (MetricChart* chart : charts_) chart->setCursor(std::nullopt);
}

void ChartsPage::stepCursor(MetricChart* from, int samples) {
  last_ = from;
  const auto [first, last] = std::pair(from->model().first, from->model().last);
  const double start = cursor_ ? std::clamp(*cursor_, first, last) : samples > 0 ? first : last;
  from->readCursor(start, samples);
}

void ChartsPage::placeCursor(double x) {
  cursor_ = x;
  for (MetricChart* chart : charts_) {
    chart->setCursor(x);
    chart->readCursor(x, 0);
  }
}

MetricChart* ChartsPage::frontChart() const {
  const auto focused =
      std::find_if(charts_.begin(), charts_.end(), [](MetricChart* chart) { return chart->hasFocus(); });
  if (focused != charts_.end()) return *focused;
  if (std::find(charts_.begin(), charts_.end(), last_) != charts_.end()) return last_;
  return charts_.empty() ? nullptr : charts_.front();
}

}  // namespace slipstream::ui
