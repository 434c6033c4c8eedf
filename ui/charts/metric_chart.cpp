// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/base/number_format.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/metrics.h"
#include "ui/charts/chart_legend.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString unitOf(const MetricInfo& info, const std::string& metric) {
  if (metric.ends_with("/*")) return QCoreApplication::translate("Metric", "mean of all tensors");
  const bool averaged = info.by == ReportedBy::everyRank && !info.unit.empty();
  return averaged ? QCoreApplication::translate("Metric", "ms, mean of ranks")
                  : QString::fromUtf8(info.unit.data(), static_cast<qsizetype>(info.unit.size()));
}

constexpr double notableSpike = 0.2;  ///< of the axis above the smoothed line: worth its number
constexpr std::size_t fewSamples = 64;

}  // namespace

MetricDisplay metricDisplay(const std::string& metric) {
  const MetricInfo* info = findMetric(metric);
  if (info == nullptr || info->name != metric) return {QString::fromStdString(metric), {}};
  return {QCoreApplication::translate("Metric", info->title),
          unitOf(*info, metric),
          info->factor,
          info->varies,
          info->mayBeLogarithmic,
          info->upperLimit};
}

MetricChart::MetricChart(Workspace& workspace, SharedCurveSource source, std::string metric, QWidget* parent)
    : LineChart(parent),
      workspace_(workspace),
      source_(std::move(source)),
      metric_(std::move(metric)),
      display_(metricDisplay(metric_)) {
  connect(this, &LineChart::columnsChanged, this, &MetricChart::ask);
}

void MetricChart::show(const std::vector<ShownRun>& runs, const ChartOptions& options,
                       std::optional<std::pair<double, double>> extent) {
  const auto wanted = options.zoom ? options.zoom : extent;
  const bool axisChanged = options.x != options_.x;
  if (answered_ && runs == runs_ && options == options_ && wanted == wanted_) return;
  runs_ = runs;
  options_ = options;
  wanted_ = wanted;
  // Old places mean nothing on another axis.
  if (wanted_ && !axisChanged) setRange(wanted_->first, wanted_->second);
  ask();
}

void MetricChart::setLegend(LegendPlace place) {
  if (legend_ == place) return;
  legend_ = place;
  ShownChart changed = model();
  changed.legend = place;
  setModel(std::move(changed));
}

CurveQuery MetricChart::query() const {
  CurveQuery query;
  for (const ShownRun& run : runs_) query.runs.push_back(run.run);
  query.metric = metric_;
  query.factor = display_.factor;
  query.x = options_.x;
  query.smoothing = display_.smooth ? options_.smoothing : 0;
  query.rawLine = options_.rawLine;
  query.logarithmic = options_.logarithmic && display_.mayBeLogarithmic;
  query.bands = options_.bands;
  query.range = wanted_;
  query.columns = std::max(columns(), 100);
  return query;
}

void MetricChart::ask() {
  const int ticket = asked_.take();
  workspace_.store().reader().read(
      this, [source = source_, query = query()](RunStore& store) { return source->read(store, query); },
      [this, ticket](CurveAnswer answer) {
        if (asked_.isLatest(ticket)) receive(std::move(answer));
      });
}

ChartCurve MetricChart::curveOf(ThinCurve thin) const {
  const ShownRun& run = runs_[thin.runs.front()];
  ChartCurve curve;
  QString label = options_.bands ? run.groupLabel : run.label;
  if (thin.runs.size() > 1) {
    label = QStringLiteral("%1 · %2").arg(label, tr("%n seed(s)", nullptr, static_cast<int>(thin.runs.size())));
  }
  curve.label = label.toStdString();
  curve.colourSlot = run.colourSlot;
  curve.raw = std::move(thin.raw);
  curve.line = std::move(thin.line);
  curve.lowest = std::move(thin.lowest);
  curve.highest = std::move(thin.highest);
  curve.gaps = std::move(thin.gaps);
  curve.points = thin.samples < fewSamples;
  curve.living = std::any_of(thin.runs.begin(), thin.runs.end(), [&](std::size_t i) { return runs_[i].living; });
  return curve;
}

QString MetricChart::treatment() const {
  QStringList parts;
  if (!display_.unit.isEmpty()) parts << display_.unit;
  if (options_.logarithmic && display_.mayBeLogarithmic) parts << tr("log scale");
  if (smoothed_) parts << tr("smoothed %1").arg(options_.smoothing, 0, 'f', 2);
  const bool several =
      std::any_of(curveRuns_.begin(), curveRuns_.end(), [](const auto& runs) { return runs.size() > 1; });
  if (several) parts << tr("mean, band from the lowest to the highest seed");
  for (const std::size_t run : damaged_) parts << tr("%1: values damaged").arg(runs_[run].label);
  return parts.join(QStringLiteral(", "));
}

ShownChart MetricChart::blank() const {
  ShownChart model;
  model.title = display_.title.toStdString();
  model.treatment = treatment().toStdString();
  model.x = options_.x;
  model.logarithmicX = options_.logarithmicX && options_.x != ChartX::wallTime;
  model.logarithmic = options_.logarithmic && display_.mayBeLogarithmic;
  if (display_.upperLimit > 0) model.upperLimit = display_.upperLimit;
  model.smoothed = smoothed_;
  model.legend = legend_;
  model.legendTitle = options_.bands ? tr("group") : tr("run");
  model.emptyText = emptyText();
  model.cursorTag = legend_ != LegendPlace::none;
  model.cursor = this->model().cursor;
  return model;
}

/// What is aimed at, and where a value has a meaning of its own.
void MetricChart::addBounds(const CurveAnswer& answer, ShownChart& model) const {
  if (metric_ == metric::accuracy && answer.targetAccuracy && !answer.curves.empty()) {
    model.bounds.push_back({display_.factor * *answer.targetAccuracy, phrase("target")});
  }
  if (metric_ == metric::orthogonality && answer.ranks > 1) {
    model.bounds.push_back({1.0 / answer.ranks, phrase("1/{} = parallel", {std::to_string(answer.ranks)})});
  }
  for (const CurveBorder& border : answer.borders) {
    model.borders.push_back({border.x, border.stage});
  }
}

QString MetricChart::emptyText() const {
  const bool living = std::any_of(runs_.begin(), runs_.end(), [](const ShownRun& run) { return run.living; });
  return living ? tr("%1 has not been measured yet").arg(display_.title)
                : tr("%1 was not measured in these runs").arg(display_.title);
}

std::optional<ChartNote> MetricChart::noteOf(const CurveAnswer& answer) const {
  if (legend_ == LegendPlace::none) return std::nullopt;
  std::optional<Spike> greatest;
  for (const ThinCurve& curve : answer.curves) {
    if (curve.spike && (!greatest || curve.spike->y > greatest->y)) greatest = curve.spike;
  }
  if (!greatest) return std::nullopt;
  const QString value = QString::fromStdString(threeDigits(greatest->y));
  return ChartNote{greatest->x, greatest->y, tr("%1 at %2").arg(value, xText(options_.x, greatest->x))};
}

void MetricChart::receive(CurveAnswer answer) {
  answered_ = true;
  extent_ = answer.curves.empty() ? std::nullopt : std::optional(std::pair(answer.first, answer.last));
  samples_ = answer.samples;
  drawn_ = answer.drawn;
  damaged_ = answer.damaged;
  curveRuns_.clear();
  for (const ThinCurve& curve : answer.curves) curveRuns_.push_back(curve.runs);
  // Few samples are drawn as they are.
  smoothable_ = display_.smooth && std::any_of(answer.curves.begin(), answer.curves.end(),
                                               [](const auto& curve) { return curve.samples >= fewSamples; });
  smoothed_ = query().smoothing > 0 && smoothable_;
  ShownChart model = blank();
  const auto range = wanted_.value_or(std::pair(answer.first, answer.last));
  model.first = range.first;
  model.last = range.second;
  addBounds(answer, model);
  const std::optional<ChartNote> note = noteOf(answer);
  std::optional<double> base;
  for (ThinCurve& curve : answer.curves) {
    if (note && curve.spike && curve.spike->x == note->x && curve.spike->y == note->y) base = curve.spike->smoothed;
    model.curves.push_back(curveOf(std::move(curve)));
  }
  const ChartLayout frame = layoutOf(model, size());
  if (note && base && frame.toY(*base) - frame.toY(note->y) > notableSpike * frame.plot.height()) {
    model.notes = {*note};
  }
  setModel(std::move(model));
  setToolTip(thinningText());
  if (const std::optional<double> cursor = this->model().cursor) readCursor(*cursor, 0);
  Q_EMIT answered();
}

QString MetricChart::thinningText() const {
  if (drawn_ >= samples_) return {};
  const QLocale locale;
  return tr("%1: %2 samples, drawn as %3 points, extremes kept")
      .arg(display_.title, locale.toString(static_cast<qulonglong>(samples_)),
           locale.toString(static_cast<qulonglong>(drawn_)));
}

QString MetricChart::readingText() const {
  if (!model().cursor) return {};
  const auto readings = readingsOf(model());
  QStringList values;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i]) continue;
    values << QStringLiteral("%1 %2").arg(text(model().curves[i].label),
                                          QString::fromStdString(threeDigits(readings[i]->smoothed)));
  }
  return tr("%1, %2: %3").arg(display_.title, xText(options_.x, *model().cursor), values.join(QStringLiteral(", ")));
}

void MetricChart::readCursor(double x, int move) {
  const int ticket = pointed_.take();
  workspace_.store().reader().read(
      this, [source = source_, query = query(), x, move](RunStore& store) { return source->at(store, query, x, move); },
      [this, ticket, move](const CursorAnswer& answer) {
        if (!pointed_.isLatest(ticket)) return;
        std::vector<std::optional<CursorReading>> readings(model().curves.size());
        for (const CurveReading& reading : answer.readings) {
          const auto curve = std::find(curveRuns_.begin(), curveRuns_.end(), reading.runs);
          if (curve == curveRuns_.end()) continue;
          readings[static_cast<std::size_t>(curve - curveRuns_.begin())] =
              CursorReading{reading.x, reading.smoothed, reading.raw};
        }
        setCursor(answer.x, std::move(readings));
        setAccessibleDescription(readingText());
        if (move != 0) Q_EMIT cursorRead(answer.x);
      });
}

}  // namespace slipstream::ui
