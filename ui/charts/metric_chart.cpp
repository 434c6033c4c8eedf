// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/record/number_format.h"
#include "ui/charts/chart_legend.h"

namespace slipstream::ui {
namespace {

constexpr double notableSpike = 0.2;  ///< of the axis above the smoothed line: worth its number
constexpr std::size_t fewSamples = 64;

}  // namespace

MetricChart::MetricChart(Workspace& workspace, SharedCurveSource source, std::string metric, QWidget* parent)
    : LineChart(parent),
      workspace_(workspace),
      source_(std::move(source)),
      metric_(std::move(metric)),
      words_(wordsOf(metric_)) {
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
  ChartPicture changed = picture();
  changed.legend = place;
  setPicture(std::move(changed));
}

CurveQuery MetricChart::query() const {
  CurveQuery query;
  for (const ShownRun& run : runs_) query.runs.push_back(run.run);
  query.metric = metric_;
  query.factor = words_.factor;
  query.x = options_.x;
  query.smoothing = words_.smooth ? options_.smoothing : 0;
  query.rawLine = options_.rawLine;
  query.logarithmic = options_.logarithmic && words_.mayBeLogarithmic;
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
        if (asked_.isNewest(ticket)) receive(std::move(answer));
      });
}

LineCurve MetricChart::curveOf(ThinCurve thin) const {
  const ShownRun& run = runs_[thin.runs.front()];
  LineCurve curve;
  curve.label = options_.bands ? run.groupLabel : run.label;
  if (thin.runs.size() > 1) {
    curve.label =
        QStringLiteral("%1 · %2").arg(curve.label, tr("%n seed(s)", nullptr, static_cast<int>(thin.runs.size())));
  }
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
  QStringList words;
  if (!words_.unit.isEmpty()) words << words_.unit;
  if (options_.logarithmic && words_.mayBeLogarithmic) words << tr("log scale");
  if (smoothed_) words << tr("smoothed %1").arg(options_.smoothing, 0, 'f', 2);
  const bool several =
      std::any_of(curveRuns_.begin(), curveRuns_.end(), [](const auto& runs) { return runs.size() > 1; });
  if (several) words << tr("mean, band from the lowest to the highest seed");
  for (const std::size_t run : damaged_) words << tr("%1: values damaged").arg(runs_[run].label);
  return words.join(QStringLiteral(", "));
}

ChartPicture MetricChart::blank() const {
  ChartPicture picture;
  picture.title = words_.title;
  picture.treatment = treatment();
  picture.xKind = options_.x;
  picture.logarithmicX = options_.logarithmicX && options_.x != ChartX::wallTime;
  picture.logarithmic = options_.logarithmic && words_.mayBeLogarithmic;
  if (words_.upperLimit > 0) picture.upperLimit = words_.upperLimit;
  picture.smoothed = smoothed_;
  picture.legend = legend_;
  picture.legendHead = options_.bands ? tr("group") : tr("run");
  picture.emptyWords = emptyWords();
  picture.cursorTag = legend_ != LegendPlace::none;
  picture.cursor = this->picture().cursor;
  return picture;
}

/// What is aimed at, and where a value has a meaning of its own.
void MetricChart::addBounds(const CurveAnswer& answer, ChartPicture& picture) const {
  if (metric_ == "accuracy" && answer.targetAccuracy && !answer.curves.empty()) {
    picture.bounds.push_back({words_.factor * *answer.targetAccuracy, tr("target")});
  }
  if (metric_ == "orthogonality/*" && answer.ranks > 1) {
    picture.bounds.push_back({1.0 / answer.ranks, tr("1/%1 = parallel").arg(answer.ranks)});
  }
  for (const CurveBorder& border : answer.borders) {
    picture.borders.push_back({border.x, QString::fromStdString(border.stage)});
  }
}

QString MetricChart::emptyWords() const {
  const bool living = std::any_of(runs_.begin(), runs_.end(), [](const ShownRun& run) { return run.living; });
  return living ? tr("%1 has not been measured yet").arg(words_.title)
                : tr("%1 was not measured in these runs").arg(words_.title);
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
  smoothable_ = words_.smooth && std::any_of(answer.curves.begin(), answer.curves.end(),
                                             [](const auto& curve) { return curve.samples >= fewSamples; });
  smoothed_ = query().smoothing > 0 && smoothable_;
  ChartPicture picture = blank();
  const auto range = wanted_.value_or(std::pair(answer.first, answer.last));
  picture.first = range.first;
  picture.last = range.second;
  addBounds(answer, picture);
  const std::optional<ChartNote> note = noteOf(answer);
  std::optional<double> base;
  for (ThinCurve& curve : answer.curves) {
    if (note && curve.spike && curve.spike->x == note->x && curve.spike->y == note->y) base = curve.spike->smoothed;
    picture.curves.push_back(curveOf(std::move(curve)));
  }
  const ChartFrame frame = frameOf(picture, size());
  if (note && base && frame.toY(*base) - frame.toY(note->y) > notableSpike * frame.plot.height()) {
    picture.notes = {*note};
  }
  setPicture(std::move(picture));
  setToolTip(thinningWords());
  if (const std::optional<double> cursor = this->picture().cursor) readCursor(*cursor, 0);
  Q_EMIT answered();
}

QString MetricChart::thinningWords() const {
  if (drawn_ >= samples_) return {};
  const QLocale locale;
  return tr("%1: %2 samples, drawn as %3 points, extremes kept")
      .arg(words_.title, locale.toString(static_cast<qulonglong>(samples_)),
           locale.toString(static_cast<qulonglong>(drawn_)));
}

QString MetricChart::readingWords() const {
  if (!picture().cursor) return {};
  const auto readings = readingsOf(picture());
  QStringList values;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i]) continue;
    values << QStringLiteral("%1 %2").arg(picture().curves[i].label,
                                          QString::fromStdString(threeDigits(readings[i]->smoothed)));
  }
  return tr("%1, %2: %3").arg(words_.title, xText(options_.x, *picture().cursor), values.join(QStringLiteral(", ")));
}

void MetricChart::readCursor(double x, int move) {
  const int ticket = pointed_.take();
  workspace_.store().reader().read(
      this, [source = source_, query = query(), x, move](RunStore& store) { return source->at(store, query, x, move); },
      [this, ticket, move](const CursorAnswer& answer) {
        if (!pointed_.isNewest(ticket)) return;
        std::vector<std::optional<CursorReading>> readings(picture().curves.size());
        for (const CurveReading& reading : answer.readings) {
          const auto curve = std::find(curveRuns_.begin(), curveRuns_.end(), reading.runs);
          if (curve == curveRuns_.end()) continue;
          readings[static_cast<std::size_t>(curve - curveRuns_.begin())] =
              CursorReading{reading.x, reading.smoothed, reading.raw};
        }
        setCursor(answer.x, std::move(readings));
        setAccessibleDescription(readingWords());
        if (move != 0) Q_EMIT cursorRead(answer.x);
      });
}

}  // namespace slipstream::ui
