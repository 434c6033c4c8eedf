// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "ui/charts/charts_header.h"
#include "ui/charts/charts_page.h"
#include "ui/charts/legend_panel.h"
#include "ui/widgets/widgets.h"

// The legend of the page: what it lists, where it stands, and what it hides from the charts.
namespace slipstream::ui {
namespace {

constexpr int mostInside = 6;  ///< curves; the legend of more stands beside the chart
constexpr int corners = 4;

/// The upper right corner first, which is the usual one.
QRect cornerOf(const LineChart& chart, const QSize& size, int corner) {
  const QRect plot = chart.plot().toRect();
  const bool right = corner == 0 || corner == 2, top = corner == 0 || corner == 3;
  return {QPoint(right ? plot.right() - size.width() : plot.left() + gapWide,
                 top ? plot.top() + 2 : plot.bottom() - size.height() - gapWide),
          size};
}

struct Corner {
  int corner = 0;
  int hidden = 0;  ///< points of the chart that the legend would hide
};

/// Whether the cursor's line would run through the legend there, or hard by it.
bool isCrossed(const LineChart& chart, const ChartLayout& frame, const QRectF& place) {
  constexpr double clear = 8;
  const auto& cursor = chart.model().cursor;
  if (!cursor) return false;
  const double line = frame.toX(*cursor);
  return line > place.left() - clear && line < place.right() + clear;
}

/// Where fewest points are in the way. It stays where it is unless another corner is much freer.
Corner freeCorner(const LineChart& chart, const QSize& size, int now) {
  constexpr int muchFreer = 2, cursorPoints = 12;  // that the cursor's line counts as
  const ChartLayout frame = layoutOf(chart.model(), chart.size());
  std::array<int, corners> hidden{};
  for (int corner = 0; corner < corners; ++corner) {
    const QRectF place = cornerOf(chart, size, corner);
    hidden[static_cast<std::size_t>(corner)] =
        (isCrossed(chart, frame, place) ? cursorPoints : 0) +
        allPointsWithin(chart.model(), frame, {place.left(), place.top(), place.right(), place.bottom()});
  }
  const auto best = std::ranges::min_element(hidden);
  const int least = *best;
  if (now >= 0 && hidden[static_cast<std::size_t>(now)] <= muchFreer * least + 4) {
    return {now, hidden[static_cast<std::size_t>(now)]};
  }
  return {static_cast<int>(best - hidden.begin()), least};
}

}  // namespace

void ChartsPage::connectLegend() {
  legend_->hide();
  connect(legend_, &LegendPanel::hideWanted, this, &ChartsPage::hideRuns);
  connect(legend_, &LegendPanel::isolateWanted, this, &ChartsPage::isolate);
  connect(legend_, &LegendPanel::allWanted, this, [this] { isolate({}); });
  connect(legend_, &LegendPanel::pointedAt, this, [this](const std::vector<std::string>& runs) {
    for (MetricChart* chart : charts_) chart->pointOutRuns(runs);
  });
  const auto fold = [this](bool unfolded) {
    legendTouched_ = true;
    legendUnfolded_ = unfolded;
    placeLegend();
  };
  connect(legend_, &LegendPanel::foldWanted, this, [fold] { fold(false); });
  connect(controls_, &ChartControls::legendWanted, this, fold);
  connect(grid_, &ChartGrid::placed, this, &ChartsPage::placeLegend);
}

std::vector<ShownRun> ChartsPage::visibleRuns() const {
  std::vector<ShownRun> visible = runs_;
  std::erase_if(visible, [this](const ShownRun& run) { return hidden_.contains(run.run.id); });
  return visible;
}

void ChartsPage::hideRuns(const std::vector<std::string>& runs, bool hidden) {
  for (const std::string& run : runs) {
    if (hidden) hidden_.insert(run);
    if (!hidden) hidden_.erase(run);
  }
  extent_.reset();
  showAll();
}

/// No runs: all of them.
void ChartsPage::isolate(const std::vector<std::string>& runs) {
  hidden_.clear();
  for (const ShownRun& run : runs_) {
    if (!runs.empty() && std::ranges::find(runs, run.run.id) == runs.end()) hidden_.insert(run.run.id);
  }
  extent_.reset();
  showAll();
}

/// The curves of the main chart, then those that are hidden, as they were before, then runs without a curve there.
void ChartsPage::refreshLegend() {
  const MetricChart* main = grid_->mainChart();
  if (main == nullptr) return legend_->setRows({});
  std::vector<LegendRow> rows = main->legendRows();
  std::erase_if(rows, [this](const LegendRow& row) { return hidden_.contains(row.runs.front()); });
  std::set<std::string> listed;
  for (const LegendRow& row : rows) listed.insert(row.runs.begin(), row.runs.end());
  for (LegendRow row : legend_->model().rows()) {
    const bool hidden = std::ranges::all_of(row.runs, [this](const std::string& run) { return hidden_.contains(run); });
    if (!hidden || listed.contains(row.runs.front())) continue;
    row.hidden = true;
    listed.insert(row.runs.begin(), row.runs.end());
    rows.push_back(std::move(row));
  }
  for (const ShownRun& run : runs_) {
    const bool hidden = hidden_.contains(run.run.id);
    if (listed.contains(run.run.id) || (options().bands && !hidden)) continue;
    rows.push_back({.runs = {run.run.id},
                    .label = run.label,
                    .colourSlot = run.colourSlot,
                    .hidden = hidden,
                    .living = run.living});
  }
  const bool smoothed = main->model().smoothed;
  const QString place = main->model().cursor ? xText(options().x, *main->model().cursor) : QString();
  const bool inside = static_cast<int>(rows.size()) <= mostInside;
  const QString value = inside && smoothed ? tr("smoothed") : place.isEmpty() ? tr("last") : place;
  legend_->model().setTitles(options().bands ? tr("group") : tr("run"), value,
                             tr("raw"));  // at the cursor, whose step is on the axis
  const auto runsOf = [](const std::vector<LegendRow>& all) {
    std::vector<std::vector<std::string>> runs;
    for (const LegendRow& row : all) runs.push_back(row.runs);
    return runs;
  };
  const bool isSame = runsOf(rows) == runsOf(legend_->model().rows()) && legend_->parentWidget() == main;
  legend_->setRows(std::move(rows));
  orderReadings();
  // While the cursor moves, the legend keeps its form and its corner.
  if (isSame && legend_->form() != LegendForm::beside) return keepPlace(*main);
  placeLegend();
}

/// Values of small charts are in the order of the legend, unless it is so long that they would change places all the
/// time.
void ChartsPage::orderReadings() {
  std::vector<std::string> order;
  const int count = legend_->model().rowCount();
  for (int row = 0; row < count && count <= mostInside; ++row) {
    order.push_back(legend_->model().row(row).runs.front());
  }
  for (MetricChart* chart : charts_) chart->orderReadings(order);
}

/// In a corner of the main chart; of many curves beside it; in few words in the title where the page is narrow.
void ChartsPage::placeLegend() {
  MetricChart* main = grid_->mainChart();
  if (main == nullptr) return;
  const int curves = legend_->model().rowCount();
  const bool narrow = grid_->isNarrow(), many = curves > mostInside;
  const bool inTitle = narrow && !many;
  const bool unfolded = legendTouched_ ? legendUnfolded_ : !narrow;
  controls_->setLegend(many, unfolded);
  for (MetricChart* chart : charts_) {
    chart->setMain(chart == main);
    chart->setLegend(chart == main && (inTitle || (many && !unfolded)) ? LegendPlace::titleRow : LegendPlace::none);
  }
  const bool inside = !many && !inTitle && curves > 0;
  grid_->setLegend(many && unfolded ? legend_ : nullptr);
  if (inside) {
    placeInside(*main);
  } else {
    setLegendForm(*main, LegendForm::beside);
  }
  legend_->setVisible(inside || (many && unfolded));
}

void ChartsPage::keepPlace(const MetricChart& main) {
  legend_->setGeometry(cornerOf(main, legend_->insideSize(), legendCorner_));
}

void ChartsPage::setLegendForm(const MetricChart& main, LegendForm form) {
  legend_->setForm(form, main.model().smoothed, main.model().cursor.has_value());
}

/// Where every corner has curves, raw lines or bands, a legend without raw values hides less of them.
void ChartsPage::placeInside(MetricChart& main) {
  if (legend_->parentWidget() != &main) legend_->setParent(&main);
  const bool wasSmall = legend_->form() == LegendForm::small;
  setLegendForm(main, LegendForm::inside);
  Corner place = freeCorner(main, legend_->insideSize(), wasSmall ? -1 : legendCorner_);
  if (place.hidden > 0) {
    const Corner whole = place;
    setLegendForm(main, LegendForm::small);
    place = freeCorner(main, legend_->insideSize(), wasSmall ? legendCorner_ : -1);
    // A small one stays as long as it hides less, so that a growing run does not change it each time.
    const bool saves = wasSmall ? place.hidden < whole.hidden : 2 * place.hidden <= whole.hidden;
    if (!saves) {
      setLegendForm(main, LegendForm::inside);
      place = whole;
    }
  }
  legendCorner_ = place.corner;
  legend_->setGeometry(cornerOf(main, legend_->insideSize(), legendCorner_));
  legend_->raise();
}

}  // namespace slipstream::ui
