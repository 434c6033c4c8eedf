// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/base/number_format.h"
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

constexpr double readingSeconds = 0.12;  ///< until a chart of very many curves shows those that were read
constexpr double notableSpike = 0.2;     ///< of the axis above the smoothed line: worth its number
constexpr std::size_t fewSamples = 64;
constexpr std::size_t mostWithDots = 12;  ///< of more curves dots would hide the lines

/// What a curve ends with, wherever it is looked at.
std::optional<CursorReading> endOf(const ThinCurve& curve) {
  if (!curve.last) return std::nullopt;
  return CursorReading{curve.last->x, curve.last->smoothed, curve.last->raw};
}

}  // namespace

MetricDisplay metricDisplay(const std::string& metric) {
  const MetricInfo* info = findMetric(metric);
  if (info == nullptr || info->name != metric) return {QString::fromStdString(metric), {}};
  return {QCoreApplication::translate("Metric", info->title),
          unitOf(*info, metric),
          info->factor,
          info->varies,
          info->mayBeLogarithmic,
          info->upperLimit,
          info->hasTarget,
          info->isShareOfRanks};
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
  if (answered_ && !failed_ && runs == runs_ && options == options_ && wanted == wanted_) return;
  if (runs != runs_) forgetQuestions();
  runs_ = runs;
  options_ = options;
  wanted_ = wanted;
  // Old places mean nothing on another axis.
  if (wanted_ && !axisChanged) setRange(wanted_->first, wanted_->second);
  ask();
}

/// Those of another store are never answered.
void MetricChart::forgetQuestions() {
  ++epoch_;
  asking_ = again_ = reading_ = false;
  waitingPlace_.reset();
  waitingSteps_ = 0;
}

void MetricChart::setLegend(LegendPlace place) {
  if (legend_ == place) return;
  legend_ = place;
  restyle();
}

void MetricChart::setMain(bool main) {
  if (main_ == main) return;
  main_ = main;
  restyle();
}

void MetricChart::setTitleRoom(double left, double right) {
  if (titleLeft_ == left && titleRight_ == right) return;
  titleLeft_ = left;
  titleRight_ = right;
  restyle();
}

void MetricChart::orderReadings(std::vector<std::string> runs) {
  if (runs == readingRuns_) return;
  readingRuns_ = std::move(runs);
  setReadingOrder(readingOrder(), withoutCurve());
}

std::vector<std::size_t> MetricChart::readingOrder() const {
  std::vector<std::size_t> order;
  for (const std::string& run : readingRuns_) {
    const auto curve =
        std::ranges::find_if(curveIds_, [&](const auto& runs) { return std::ranges::find(runs, run) != runs.end(); });
    if (curve != curveIds_.end()) order.push_back(static_cast<std::size_t>(curve - curveIds_.begin()));
  }
  return order;
}

/// Colours of the page's runs of which there is nothing to read here; none while some are still to be read.
std::vector<int> MetricChart::withoutCurve() const {
  if (unread_ > 0) return {};
  std::vector<int> slots;
  for (const std::string& run : readingRuns_) {
    const bool hasCurve =
        std::ranges::any_of(curveIds_, [&](const auto& runs) { return std::ranges::find(runs, run) != runs.end(); });
    const auto shown = std::ranges::find_if(runs_, [&](const ShownRun& one) { return one.run.id == run; });
    const auto place = static_cast<std::size_t>(shown - runs_.begin());
    const bool isDamaged = std::ranges::find(damaged_, place) != damaged_.end();
    if (!hasCurve && shown != runs_.end() && !isDamaged) slots.push_back(shown->colourSlot);
  }
  return slots;
}

void MetricChart::setView(const ChartView& view) {
  if (view_ == view) return;
  const bool asks = view.logarithmic != view_.logarithmic;
  view_ = view;
  restyle();
  if (asks && answered_) ask();
}

void MetricChart::applyPlaces(ShownChart& model) const {
  model.legend = legend_;
  model.cursorTag = main_;
  model.snaps = main_;
  model.readingRow = main_ || model.curves.empty() ? ReadingRow::none : ReadingRow::values;
  model.readingOrder = readingOrder();
  model.withoutCurve = withoutCurve();
  model.titleLeft = titleLeft_;
  model.titleRight = titleRight_;
  model.range = view_.range;
  model.robust = !view_.everything;
  model.settled = display_.upperLimit > 0 && !view_.everything;
}

void MetricChart::restyle() {
  LineChart::restyle([this](ShownChart& shown) { applyPlaces(shown); });
  setAccessibleDescription(readingText());
}

bool MetricChart::isLogarithmic() const {
  return display_.mayBeLogarithmic && view_.logarithmic.value_or(options_.logarithmic);
}

CurveQuery MetricChart::query() const {
  CurveQuery query;
  for (const ShownRun& run : runs_) query.runs.push_back(run.run);
  query.metric = metric_;
  query.factor = display_.factor;
  query.x = options_.x;
  query.smoothing = display_.smooth ? options_.smoothing : 0;
  query.rawLine = options_.rawLine;
  query.logarithmic = isLogarithmic();
  query.bands = options_.bands;
  query.range = wanted_;
  query.columns = std::max(columns(), 100);
  return query;
}

/// A question asked meanwhile waits for the answer, so that those of a hand that is still moving do not queue up.
void MetricChart::ask() {
  again_ = asking_;
  if (asking_) return;
  asking_ = true;
  failed_ = false;
  const auto finish = [this, epoch = epoch_] {
    if (epoch != epoch_) return;
    asking_ = false;
    if (std::exchange(again_, false)) ask();
  };
  workspace_.store().reader().read(
      this, [source = source_, query = query()](RunStore& store) { return source->read(store, query, readingSeconds); },
      [this, finish, epoch = epoch_, options = options_](CurveAnswer answer) {
        if (epoch != epoch_) return;
        // Of another range it is better than nothing; of other curves or another axis it is not.
        const bool fits = options.x == options_.x && options.bands == options_.bands;
        again_ = again_ || answer.unread > 0;
        if (fits) receive(std::move(answer));
        finish();
      },
      [this, finish, epoch = epoch_](const QString&) {
        if (epoch == epoch_) failed_ = true;
        finish();
      });
}

ChartCurve MetricChart::curveOf(ThinCurve thin) const {
  const ShownRun& run = runs_[thin.runs.front()];
  ChartCurve curve;
  QString label = options_.bands ? run.groupLabel : run.label;
  if (thin.seeds > 1) {
    label = QStringLiteral("%1 · %2").arg(label, tr("%n seed(s)", nullptr, static_cast<int>(thin.seeds)));
  }
  curve.label = label.toStdString();
  curve.colourSlot = run.colourSlot;
  curve.raw = std::move(thin.raw);
  curve.line = std::move(thin.line);
  curve.lowest = std::move(thin.lowest);
  curve.highest = std::move(thin.highest);
  curve.gaps = std::move(thin.gaps);
  curve.points = thin.samples < fewSamples && curveIds_.size() <= mostWithDots;
  curve.largeEnd = std::ranges::any_of(thin.runs, [&](std::size_t i) { return runs_[i].living; });
  return curve;
}

QString MetricChart::treatment() const {
  QStringList parts;
  if (!display_.unit.isEmpty()) parts << display_.unit;
  if (isLogarithmic()) parts << tr("log scale");
  if (smoothed_) parts << tr("smoothed %1").arg(options_.smoothing, 0, 'f', 2);
  const bool several =
      std::any_of(curveIds_.begin(), curveIds_.end(), [](const auto& runs) { return runs.size() > 1; });
  if (several) parts << tr("mean, band from the lowest to the highest seed");
  if (unread_ > 0) parts << tr("%n curve(s) still to be read", nullptr, static_cast<int>(unread_));
  for (const std::size_t run : damaged_) parts << tr("%1: values damaged").arg(runs_[run].label);
  return listed(parts);
}

ShownChart MetricChart::blank() const {
  ShownChart model;
  model.title = display_.title.toStdString();
  model.treatment = treatment().toStdString();
  model.x = options_.x;
  model.logarithmicX = options_.logarithmicX && options_.x != ChartX::wallTime;
  model.logarithmic = isLogarithmic();
  if (display_.upperLimit > 0) model.upperLimit = display_.upperLimit;
  model.smoothed = smoothed_;
  model.legendTitle = options_.bands ? tr("group") : tr("run");
  model.emptyText = emptyText();
  model.cursor = this->model().cursor;
  return model;
}

/// What is aimed at, and where a value has a meaning of its own.
void MetricChart::addBounds(const CurveAnswer& answer, ShownChart& model) const {
  if (display_.hasTarget && answer.targetAccuracy && !answer.curves.empty()) {
    model.bounds.push_back({display_.factor * *answer.targetAccuracy, phrase("target")});
  }
  if (display_.isShareOfRanks && answer.ranks > 1) {
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
  if (!main_) return std::nullopt;
  std::optional<Spike> greatest;
  for (const ThinCurve& curve : answer.curves) {
    if (curve.spike && (!greatest || curve.spike->y > greatest->y)) greatest = curve.spike;
  }
  if (!greatest) return std::nullopt;
  const QString value = QString::fromStdString(threeDigits(greatest->y));
  return ChartNote{greatest->x, greatest->y, tr("%1 at %2").arg(value, xText(options_.x, greatest->x))};
}

std::vector<std::string> MetricChart::idsOf(const std::vector<std::size_t>& runs) const {
  std::vector<std::string> ids;
  for (const std::size_t run : runs) ids.push_back(runs_[run].run.id);
  return ids;
}

void MetricChart::receive(CurveAnswer answer) {
  answered_ = true;
  unread_ = answer.unread;
  planned_ = answer.planned;
  extent_ = answer.curves.empty() ? std::nullopt : std::optional(std::pair(answer.first, answer.last));
  samples_ = answer.samples;
  drawn_ = answer.drawn;
  damaged_ = answer.damaged;
  // Above the others those that grow.
  std::ranges::stable_partition(answer.curves, [this](const ThinCurve& curve) {
    return std::ranges::none_of(curve.runs, [this](std::size_t run) { return runs_[run].living; });
  });
  curveIds_.clear();
  for (const ThinCurve& curve : answer.curves) curveIds_.push_back(idsOf(curve.runs));
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
    model.ends.push_back(endOf(curve));
    model.curves.push_back(curveOf(std::move(curve)));
  }
  applyPlaces(model);
  const ChartLayout frame = layoutOf(model, size());
  const bool seen = note && note->y <= frame.y.high;
  if (seen && base && frame.toY(*base) - frame.toY(note->y) > notableSpike * frame.plot.height()) {
    model.notes = {*note};
  }
  setModel(std::move(model));
  pointOutRuns(std::vector(pointedOut_));
  setToolTip(thinningText());
  setAccessibleDescription(readingText());
  if (const std::optional<double> cursor = this->model().cursor) readCursor(*cursor, 0);
  Q_EMIT answered();
  Q_EMIT readingsChanged();
}

QString MetricChart::thinningText() const {
  if (drawn_ >= samples_) return {};
  const QLocale locale;
  return tr("%1: %2 samples, drawn as %3 points, extremes kept")
      .arg(display_.title, locale.toString(static_cast<qulonglong>(samples_)),
           locale.toString(static_cast<qulonglong>(drawn_)));
}

/// "adasum 0.074, mean 0.146", of so many curves.
QString MetricChart::valuesText(std::size_t most) const {
  const auto readings = readingsOf(model());
  QStringList values;
  for (std::size_t i = 0; i < std::min(readings.size(), most); ++i) {
    if (!readings[i]) continue;
    values << QStringLiteral("%1 %2").arg(text(model().curves[i].label),
                                          QString::fromStdString(threeDigits(readings[i]->smoothed)));
  }
  if (readings.size() > most) values << tr("%n more", nullptr, static_cast<int>(readings.size() - most));
  return listed(values);
}

QString MetricChart::readingText() const {
  constexpr std::size_t most = 12;  // who listens hears no more at once
  if (model().curves.empty()) return model().emptyText;
  if (!model().cursor) return tr("%1, at the end: %2").arg(display_.title, valuesText(most));
  return tr("%1, %2: %3").arg(display_.title, xText(options_.x, *model().cursor), valuesText(most));
}

bool MetricChart::isLivingCurve(std::size_t curve) const {
  return std::ranges::any_of(curveIds_[curve], [this](const std::string& id) {
    return std::ranges::any_of(runs_, [&](const ShownRun& run) { return run.run.id == id && run.living; });
  });
}

std::vector<LegendRow> MetricChart::legendRows() const {
  const auto readings = readingsOf(model());
  std::vector<LegendRow> rows;
  for (std::size_t i = 0; i < model().curves.size(); ++i) {
    const ChartCurve& curve = model().curves[i];
    LegendRow row{.runs = curveIds_[i], .label = text(curve.name()), .colourSlot = curve.colourSlot};
    row.living = isLivingCurve(i);
    if (const auto& end = model().ends[i]) row.last = end->smoothed;
    if (i < readings.size() && readings[i]) {
      row.value = readings[i]->smoothed;
      row.raw = readings[i]->raw;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void MetricChart::setResting(std::vector<std::string> runs) {
  resting_ = std::move(runs);
  pointOutRuns(std::vector(pointedOut_));
}

void MetricChart::pointOutRuns(const std::vector<std::string>& wantedRuns) {
  pointedOut_ = wantedRuns;
  const std::vector<std::string>& runs = pointedOut_.empty() ? resting_ : pointedOut_;
  std::vector<std::size_t> curves;
  for (std::size_t i = 0; i < curveIds_.size(); ++i) {
    const bool wanted = std::ranges::any_of(
        curveIds_[i], [&](const std::string& run) { return std::ranges::find(runs, run) != runs.end(); });
    if (wanted) curves.push_back(i);
  }
  pointOut(std::move(curves));
}

void MetricChart::readCursor(double x, int move, bool exact) {
  if (reading_) {
    // Steps that were not answered yet add up.
    if (move != 0) waitingSteps_ += move;
    if (move == 0) waitingPlace_ = std::pair(x, exact);
    return;
  }
  reading_ = true;
  const auto finish = [this, epoch = epoch_] {
    if (epoch != epoch_) return;
    reading_ = false;
    const auto place = std::exchange(waitingPlace_, std::nullopt);
    const int steps = std::exchange(waitingSteps_, 0);
    const std::optional<double> cursor = model().cursor;
    if (steps != 0 && cursor) return readCursor(*cursor, steps, true);
    if (place && cursor) readCursor(place->first, 0, place->second);
  };
  workspace_.store().reader().read(
      this,
      [source = source_, query = query(), x, move, exact](RunStore& store) {
        return source->at(store, query, x, move, exact);
      },
      [this, x, move, finish, epoch = epoch_, axis = options_.x](const CursorAnswer& answer) {
        if (epoch != epoch_) return;
        const bool overtaken = move == 0 && waitingPlace_;  // the cursor is elsewhere by now
        if (axis == options_.x && model().cursor && !overtaken) takeReadings(answer, move == 0 ? x : answer.x);
        finish();
        if (move != 0 && axis == options_.x) Q_EMIT cursorRead(answer.x);
      },
      [finish](const QString&) { finish(); });
}

/// Only the main chart, which says where the cursor is, has it at its own sample.
void MetricChart::takeReadings(const CursorAnswer& answer, double x) {
  std::map<std::vector<std::string>, std::size_t> curves;
  for (std::size_t i = 0; i < curveIds_.size(); ++i) curves.emplace(curveIds_[i], i);
  std::vector<std::optional<CursorReading>> readings(model().curves.size());
  for (const CurveReading& reading : answer.readings) {
    const auto curve = curves.find(idsOf(reading.runs));
    if (curve == curves.end()) continue;
    readings[curve->second] = CursorReading{reading.x, reading.smoothed, reading.raw};
  }
  setCursor(x, std::move(readings));
  setAccessibleDescription(readingText());
  Q_EMIT readingsChanged();
}

}  // namespace slipstream::ui
