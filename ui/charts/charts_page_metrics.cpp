// SPDX-License-Identifier: GPL-3.0-or-later
// Which metrics the page has charts of.
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/record/sound_values.h"
#include "ui/charts/chart_controls.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/charts_page.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

/// Metrics that stand together under one chart are offered as their mean as well.
const std::string orthogonality = "orthogonality/*", cosine = "cosine/*";

bool has(const std::vector<std::string>& metrics, const std::string& metric) {
  if (!endsWith(metric, "*")) return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
  const std::string prefix = metric.substr(0, metric.size() - 1);
  return std::any_of(metrics.begin(), metrics.end(), [&](const std::string& one) { return startsWith(one, prefix); });
}

}  // namespace

void ChartsPage::askMetrics() {
  std::vector<std::string> ids;
  for (const ShownRun& run : runs_) ids.push_back(run.run.id);
  const int ticket = askedMetrics_.take();
  workspace().store().reader().read(
      this,
      [ids](RunStore& store) {
        std::set<std::string> names;
        std::vector<std::string> damaged;  // the charts tell
        for (const std::string& id : ids) {
          for (std::string& name : soundMetricNames(store, id, damaged)) names.insert(std::move(name));
        }
        return std::vector<std::string>(names.begin(), names.end());
      },
      [this, ticket](std::vector<std::string> metrics) {
        if (askedMetrics_.isNewest(ticket)) receiveMetrics(std::move(metrics));
      });
}

void ChartsPage::receiveMetrics(std::vector<std::string> metrics) {
  if (metrics != metrics_ || charts_.empty()) {
    metrics_ = std::move(metrics);
    chooseCharts();
  }
  if (!wanted_.empty()) reveal(std::exchange(wanted_, {}));
}

/// The loss large, and what tells most beside it.
void ChartsPage::chooseCharts() {
  std::vector<std::string> wanted{"loss", "accuracy", has(metrics_, orthogonality) ? orthogonality : "evaluation_loss",
                                  "step_seconds"};
  for (const std::string& metric : added_) {
    if (has(metrics_, metric) && !has(wanted, metric)) wanted.push_back(metric);
  }
  charts_.clear();
  std::vector<QWidget*> widgets;
  for (const std::string& metric : wanted) {
    charts_.push_back(makeChart(metric));
    widgets.push_back(charts_.back());
  }
  grid_->setCharts(widgets);
  std::vector<std::string> others;
  for (const std::string& metric : {orthogonality, cosine}) {
    if (has(metrics_, metric) && !has(wanted, metric)) others.push_back(metric);
  }
  for (const std::string& metric : metrics_) {
    if (std::find(wanted.begin(), wanted.end(), metric) == wanted.end()) others.push_back(metric);
  }
  controls_->setMetrics(others);
  fold();
  showAll();
}

MetricChart* ChartsPage::makeChart(const std::string& metric) {
  MetricChart*& chart = made_[metric];
  if (chart != nullptr) return chart;
  chart = new MetricChart(workspace(), source_, metric, grid_);
  MetricChart* own = chart;
  connect(own, &LineChart::rangeWanted, this, &ChartsPage::zoomTo);
  connect(own, &LineChart::wholeRangeWanted, this, &ChartsPage::resetZoom);
  connect(own, &LineChart::cursorMoved, this, [this, own](std::optional<double> x) { moveCursor(own, x); });
  connect(own, &LineChart::cursorStepped, this, [this, own](int samples) { stepCursor(own, samples); });
  connect(own, &MetricChart::cursorRead, this, &ChartsPage::placeCursor);
  connect(own, &MetricChart::answered, this, &ChartsPage::takeExtents);
  own->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(own, &QWidget::customContextMenuRequested, this,
          [this, own](const QPoint& place) { showMenu(own, own->mapToGlobal(place)); });
  return own;
}

void ChartsPage::addChart(const std::string& metric) {
  if (std::find(added_.begin(), added_.end(), metric) == added_.end()) added_.push_back(metric);
  rememberAdded();
  chooseCharts();
  reveal(metric);
}

void ChartsPage::removeChart(const std::string& metric) {
  std::erase(added_, metric);
  rememberAdded();
  chooseCharts();
}

void ChartsPage::rememberAdded() {
  QStringList metrics;
  for (const std::string& metric : added_) metrics << QString::fromStdString(metric);
  Settings::setAddedCharts(metrics);
}

/// What the shown runs have measured may have to be asked first.
void ChartsPage::showMetric(const std::string& metric) {
  wanted_ = metric;
  workspace().goTo(name());
  if (runs_.empty()) return wanted_.clear();
  askMetrics();
}

void ChartsPage::reveal(const std::string& metric) {
  const auto at = [&] { return std::ranges::find(charts_, metric, &MetricChart::metric); };
  if (at() == charts_.end() && has(metrics_, metric)) return addChart(metric);
  if (at() == charts_.end()) {
    return workspace().say(tr("%1 was not measured in the runs that are shown").arg(wordsOf(metric).title));
  }
  grid_->ensureWidgetVisible(*at());
  (*at())->setFocus(Qt::OtherFocusReason);
}

}  // namespace slipstream::ui
