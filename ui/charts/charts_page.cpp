// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charts_page.h"

#include <QShowEvent>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_handles.h"
#include "ui/charts/charts_header.h"
#include "ui/charts/legend_panel.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t fewRuns = 20;  ///< that can be told apart without one being brought forward

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

ChartsPage::ChartsPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent),
      controls_(new ChartControls),
      grid_(new ChartGrid),
      legend_(new LegendPanel(grid_->widget())),
      empty_(makeEmptyState(workspace)),
      body_(new QWidget),
      source_(std::make_shared<CurveSource>()) {
  header_ = new RunHeader(workspace, source_);
  for (const QString& metric : Settings::addedCharts()) added_.push_back(metric.toStdString());
  build();
  addPageActions();
  addArrangingKeys();
  connectLegend();
  connect(controls_, &ChartControls::changed, this, &ChartsPage::showAll);
  connect(controls_, &ChartControls::chartWanted, this, &ChartsPage::addChart);
  connect(&workspace.store(), &StoreWatcher::changed, this, &ChartsPage::refresh);
  connect(&workspace.selection(), &RunSelection::changed, this, &ChartsPage::refresh);
  connect(&workspace, &Workspace::metricWanted, this,
          [this](const QString& metric) { showMetric(metric.toStdString()); });
  refresh();
}

/// What its parts say while they go, nobody is there to hear.
ChartsPage::~ChartsPage() {
  legend_->disconnect(this);
  grid_->disconnect(this);
  for (const auto& [metric, chart] : made_) chart->disconnect(this);
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
  rows->addWidget(header_);
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
  std::erase_if(hidden_, [this](const std::string& id) {
    return std::ranges::none_of(runs_, [&](const ShownRun& run) { return run.run.id == id; });
  });
  stack_->setCurrentWidget(runs_.empty() ? static_cast<QWidget*>(empty_) : body_);
  if (runs_.empty() || !isVisible()) return;
  header_->refresh();
  controls_->setSeeds(areManySeeds(runs_));
  takeExperiment();
  askMetrics();
  showAll();
}

/// Brings all charts to what is to be shown; each asks only where that is something new.
void ChartsPage::showAll() {
  if (options().x != shownX_) forgetPlaces();
  shownX_ = options().x;
  const std::vector<ShownRun> visible = visibleRuns();
  std::vector<std::string> resting;
  if (visible.size() > fewRuns) resting.push_back(workspace().selection().current());
  for (MetricChart* chart : charts_) {
    chart->setResting(resting);
    if (!chart->isHidden()) chart->show(visible, options(), extent_);  // another one may be enlarged
  }
  refreshLegend();
}

/// Places on the axis before mean nothing on another one.
void ChartsPage::forgetPlaces() {
  extent_.reset();
  cursor_.reset();
  pinned_ = false;
  for (const auto& [metric, chart] : made_) chart->setCursor(std::nullopt);
}

/// One x axis for all: from the first sample of any to the last. A chart behind an enlarged one does not know what is
/// shown now.
void ChartsPage::takeExtents() {
  controls_->setSmoothable(
      std::any_of(charts_.begin(), charts_.end(), [](const MetricChart* chart) { return chart->isSmoothable(); }));
  const bool hasMany = std::any_of(charts_.begin(), charts_.end(), [](const MetricChart* chart) {
    return chart->model().curves.size() > mostWithRawLines;
  });
  controls_->setRawLines(!hasMany && !options().bands);
  std::optional<std::pair<double, double>> extent;
  for (const MetricChart* chart : charts_) {
    const bool counts = !chart->isHidden() && chart->model().x == options().x;
    const auto own = counts ? chart->extent() : std::nullopt;
    if (!own) continue;
    extent = extent ? std::pair(std::min(extent->first, own->first), std::max(extent->second, own->second)) : *own;
  }
  const bool living = std::any_of(runs_.begin(), runs_.end(), [](const ShownRun& run) { return run.living; });
  if (extent && living) {
    double planned = 0;
    for (const MetricChart* chart : charts_) planned = std::max(planned, chart->isHidden() ? 0 : chart->planned());
    const double ahead = extent->first + padded(extent->second - extent->first);
    extent->second = std::max(extent->second, planned > 0 ? std::min(planned, ahead) : ahead);
  }
  if (!extent || extent == extent_) return;
  extent_ = extent;
  showAll();
}

void ChartsPage::fold() {
  const bool narrow = grid_->isNarrow();
  header_->setNarrow(narrow);
  placeLegend();
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
  refreshLegend();
}

void ChartsPage::stepCursor(MetricChart* from, int samples) {
  last_ = from;
  const auto [first, last] = std::pair(from->model().first, from->model().last);
  const double start = cursor_ ? std::clamp(*cursor_, first, last) : samples > 0 ? first : last;
  from->readCursor(start, samples);
}

void ChartsPage::placeCursor(double x, bool exact) {
  cursor_ = x;
  for (MetricChart* chart : charts_) {
    if (chart->isHidden()) continue;
    chart->setCursor(x);
    chart->readCursor(x, 0, exact);
  }
}

/// The main chart has its cursor at a sample, and the others where it is.
void ChartsPage::alignCursors() {
  const MetricChart* main = grid_->mainChart();
  const std::optional<double> place = main == nullptr ? std::nullopt : main->model().cursor;
  if (!place) return;
  for (MetricChart* chart : charts_) {
    const bool isElsewhere = chart != main && !chart->isHidden() && chart->model().cursor != place;
    if (isElsewhere && chart->model().x == main->model().x) chart->setCursor(place, chart->model().readings);
  }
}

/// Of charts that come to sight again the cursor may have been elsewhere.
void ChartsPage::showCursor() {
  if (cursor_) return placeCursor(*cursor_, true);
  for (MetricChart* chart : charts_) chart->setCursor(std::nullopt);
}

MetricChart* ChartsPage::frontChart() const {
  const auto focused =
      std::find_if(charts_.begin(), charts_.end(), [](MetricChart* chart) { return chart->hasFocus(); });
  if (focused != charts_.end()) return *focused;
  if (std::find(charts_.begin(), charts_.end(), last_) != charts_.end()) return last_;
  return charts_.empty() ? nullptr : charts_.front();
}

}  // namespace slipstream::ui
