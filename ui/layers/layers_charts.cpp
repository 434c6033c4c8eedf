// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/record/metric_info.h"
#include "engine/spec/boost_options.h"
#include "ui/charts/metric_chart.h"
#include "ui/documents/experiment_editing.h"
#include "ui/layers/layers_reading.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString translated(const char* text) {
  return QCoreApplication::translate("Layers", text);
}

QString metricTitle(const char* name) {
  return metricDisplay(name).title;
}

QString percent(double share, int decimals = 0) {
  return translated(QT_TRANSLATE_NOOP("Layers", "%1 %")).arg(QLocale().toString(100 * share, 'f', decimals));
}

ShownChart overSteps(const LayersReading& reading, const QString& title, const QString& treatment) {
  ShownChart model;
  model.title = title.toStdString();
  model.treatment = treatment.toStdString();
  model.first = static_cast<double>(reading.columns.firstStep);
  model.last = static_cast<double>(reading.columns.endStep);
  return model;
}

ChartCurve curveOf(const LayersReading& reading, std::vector<Line> line) {
  ChartCurve curve;
  curve.colourSlot = reading.colourSlot;
  curve.line = std::move(line);
  return curve;
}

void placeOn(StripModel& model, const LayersReading& reading) {
  model.first = static_cast<double>(reading.columns.firstStep);
  model.last = static_cast<double>(reading.columns.endStep);
}

/// 0 where the ranks' gradients are parallel, 1 where they are orthogonal.
double spread(double orthogonality, int ranks) {
  const double least = 1.0 / std::max(2, ranks);
  return std::clamp((orthogonality - least) / (1 - least), 0.0, 1.0);
}

/// Why there is nothing to show about a subject: who switched the algorithm off, else the reason of the plan.
QString reasonOf(const LayersReading& reading, const std::string& subject) {
  const auto decision = std::ranges::find(reading.decisions, subject, &Decision::subject);
  const AlgorithmSpec* algorithm = findAlgorithm(subject);
  if (decision == reading.decisions.end()) {
    return algorithm == nullptr && !reading.decisions.empty() ? translated(QT_TRANSLATE_NOOP("Layers", "not set"))
                                                              : QString();
  }
  if (algorithm == nullptr || !algorithm->hasSwitch) return text(decision->why);
  const AskedSwitch asked = askedSwitch(reading.boost, *algorithm);
  if (asked.on) return text(decision->why);
  return asked.byLevel ? translated(QT_TRANSLATE_NOOP("Layers", "off by level"))
                       : translated(QT_TRANSLATE_NOOP("Layers", "off in the dictionary"));
}

/// The orthogonality that a share of its range stands for: from 1/ranks, which is parallel, to 1.
double valueOf(double share, int ranks) {
  const double least = 1.0 / std::max(2, ranks);
  return least + share * (1 - least);
}

/// Where colours begin, as a share of the range: they tell most apart where they are spread over the values there are.
/// A round value; 0 where the values take most of the range.
double fittedLow(const std::vector<HeatRow>& rows, int ranks) {
  constexpr double round = 0.05, worthwhile = 0.3;
  std::optional<double> low;
  for (const HeatRow& row : rows) {
    for (const double share : row.values) low = std::isfinite(share) ? std::min(low.value_or(share), share) : low;
  }
  if (!low) return 0;
  const double share = spread(std::min(std::floor(valueOf(*low, ranks) / round) * round, 1 - round), ranks);
  return share >= worthwhile ? share : 0;
}

}  // namespace

ShownChart lossChart(const LayersReading& reading) {
  QStringList treatment;
  if (reading.logarithmicLoss) treatment << translated(QT_TRANSLATE_NOOP("Layers", "log scale"));
  if (!reading.rawLoss.empty()) treatment << translated(QT_TRANSLATE_NOOP("Layers", "smoothed 0.85"));
  ShownChart model = overSteps(reading, metricTitle(metric::loss), listed(treatment));
  model.logarithmic = reading.logarithmicLoss;
  model.smoothed = !reading.rawLoss.empty();
  ChartCurve curve = curveOf(reading, reading.loss);
  curve.label = (model.smoothed ? translated(QT_TRANSLATE_NOOP("Layers", "smoothed loss"))
                                : translated(QT_TRANSLATE_NOOP("Layers", "loss")))
                    .toStdString();
  curve.raw = reading.rawLoss;
  curve.points = reading.rawLoss.empty();
  model.curves.push_back(std::move(curve));
  model.legend = LegendPlace::titleRow;
  model.titleRight = 0;
  for (const auto& [step, name] : reading.stages) {
    model.borders.push_back({static_cast<double>(step), name});
  }
  return model;
}

StripModel orthogonalityStrip(const LayersReading& reading) {
  StripModel model;
  placeOn(model, reading);
  model.title = translated(QT_TRANSLATE_NOOP("Layers", "Orthogonality by tensor"));
  const std::int64_t steps = reading.columns.endStep - reading.columns.firstStep;
  const auto together = (steps + static_cast<std::int64_t>(reading.columns.count) - 1) /
                        std::max<std::int64_t>(1, static_cast<std::int64_t>(reading.columns.count));
  if (together > 1) {
    model.treatment = translated(QT_TRANSLATE_NOOP("Layers", "mean of up to %1 steps a cell"))
                          .arg(QLocale().toString(static_cast<qlonglong>(together)));
  }
  model.key.map = true;
  model.key.low = translated(QT_TRANSLATE_NOOP("Layers", "1/%1 parallel")).arg(std::max(2, reading.ranks));
  model.key.high = translated(QT_TRANSLATE_NOOP("Layers", "1 orthogonal"));
  model.rows = reading.orthogonality;
  for (HeatRow& row : model.rows) {
    for (double& value : row.values) value = std::isfinite(value) ? spread(value, reading.ranks) : value;
  }
  const double low = fittedLow(model.rows, reading.ranks);
  model.key.from = low;
  if (low > 0) {
    model.key.low =
        translated(QT_TRANSLATE_NOOP("Layers", "from %1")).arg(QLocale().toString(valueOf(low, reading.ranks), 'f', 2));
    const QString parallel =
        translated(QT_TRANSLATE_NOOP("Layers", "1/%1 would be parallel")).arg(std::max(2, reading.ranks));
    model.treatment =
        listed(model.treatment.isEmpty() ? QStringList{parallel} : QStringList{model.treatment, parallel});
  }
  model.colour = [low](double share) { return sequentialColour((share - low) / (1 - low)); };
  model.reading = [ranks = std::max(2, reading.ranks)](double share) {
    return QLocale().toString(valueOf(share, ranks), 'f', 2);
  };
  model.numbers = true;
  model.emptyKey = true;
  model.emptyText = reading.freeze ? translated(QT_TRANSLATE_NOOP("Layers", "frozen"))
                                   : translated(QT_TRANSLATE_NOOP("Layers", "not combined"));
  return model;
}

StripModel freezeStrip(const LayersReading& reading) {
  StripModel model;
  placeOn(model, reading);
  model.title = translated(QT_TRANSLATE_NOOP("Layers", "Freeze timeline"));
  const FreezeTimeline& freeze = *reading.freeze;
  model.key.text =
      freeze.savedTime > 0
          ? translated(
                QT_TRANSLATE_NOOP("Layers", "bar = trained, gap = frozen · %1 of steps frozen, %2 of time saved"))
                .arg(percent(freeze.frozenSteps), percent(freeze.savedTime))
          : translated(QT_TRANSLATE_NOOP("Layers", "bar = trained, gap = frozen · %1 of steps frozen, no time saved"))
                .arg(percent(freeze.frozenSteps));
  model.rows = freeze.rows;
  model.colour = [](double share) {
    QColor colour = partColour(Part::compute);
    colour.setAlphaF(static_cast<float>(share));
    return colour;
  };
  model.reading = [](double share) {
    if (share == 0) return translated(QT_TRANSLATE_NOOP("Layers", "frozen"));
    if (share == 1) return translated(QT_TRANSLATE_NOOP("Layers", "trained"));
    return translated(QT_TRANSLATE_NOOP("Layers", "trained on %1 of these steps")).arg(percent(share));
  };
  model.emptyText = translated(QT_TRANSLATE_NOOP("Layers", "no step"));
  model.threads = true;
  return model;
}

ShownChart powerChart(const LayersReading& reading) {
  ShownChart model =
      overSteps(reading, metricTitle(metric::acceptedPower),
                translated(QT_TRANSLATE_NOOP("Layers", "times that the step was shortened; −1: no step was taken")));
  ChartCurve curve = curveOf(reading, reading.acceptedPower);
  curve.points = true;
  model.curves.push_back(std::move(curve));
  return model;
}

ShownChart gradientShareChart(const LayersReading& reading) {
  ShownChart model = overSteps(reading, metricTitle(metric::gradientShare),
                               translated(QT_TRANSLATE_NOOP("Layers", "share of its squared length")));
  model.upperLimit = 1;
  model.curves.push_back(curveOf(reading, reading.gradientShare));
  return model;
}

ShownChart scaleChart(const LayersReading& reading) {
  const int skipped = static_cast<int>(reading.skipped.size());
  ShownChart model = overSteps(
      reading, metricTitle(metric::lossScale),
      QCoreApplication::translate("Layers", "log scale · a cross is one of %n skipped update(s)", nullptr, skipped));
  model.logarithmic = true;
  int slot = reading.colourSlot;
  for (const ScaleLine& scale : reading.lossScales) {
    ChartCurve curve = curveOf(reading, scale.line);
    curve.colourSlot = slot++;
    curve.label = scale.group;
    model.curves.push_back(std::move(curve));
  }
  for (const std::int64_t step : reading.skipped) model.curves.front().gaps.push_back(static_cast<double>(step));
  if (model.curves.size() > 1) model.legend = LegendPlace::inside;
  return model;
}

ShownChart varianceChart(const LayersReading& reading) {
  ShownChart model;
  model.title = metricTitle(metric::explainedVariance).toStdString();
  model.upperLimit = 1;
  model.cursorTag = false;
  model.first = 1;
  model.last = std::max(2.0, static_cast<double>(reading.variance.size()));
  model.x = ChartX::samples;
  Line line;
  double sum = 0;
  for (std::size_t k = 0; k < reading.variance.size(); ++k) {
    line.x.push_back(static_cast<double>(k + 1));
    line.y.push_back(sum += reading.variance[k]);
  }
  model.treatment = translated(QT_TRANSLATE_NOOP("Layers", "cumulative, by direction of the snapshots · %1 explain %2"))
                        .arg(QLocale().toString(static_cast<int>(reading.variance.size())), percent(sum, 1))
                        .toStdString();
  ChartCurve curve = curveOf(reading, {std::move(line)});
  curve.points = true;
  model.curves.push_back(std::move(curve));
  return model;
}

QString missingText(const LayersReading& reading) {
  struct Panel {
    bool there;
    const char* name;
    const char* subject;
  };
  const Panel panels[] = {{!reading.orthogonality.empty(), QT_TRANSLATE_NOOP("Layers", "orthogonality"), "adasum"},
                          {reading.freeze.has_value(), QT_TRANSLATE_NOOP("Layers", "freeze timeline"), "grad_freeze"},
                          {!reading.variance.empty() || !reading.acceptedPower.empty(),
                           QT_TRANSLATE_NOOP("Layers", "explained variance and line search"), "dim_reduce"},
                          {!reading.lossScales.empty(), QT_TRANSLATE_NOOP("Layers", "loss scale"), "loss_scale"}};
  QStringList missing;
  for (const Panel& panel : panels) {
    if (panel.there) continue;
    const QString why = reasonOf(reading, panel.subject);
    missing << (why.isEmpty() ? translated(panel.name)
                              : translated(QT_TRANSLATE_NOOP("Layers", "%1 (%2)")).arg(translated(panel.name), why));
  }
  if (missing.isEmpty()) return {};
  return translated(QT_TRANSLATE_NOOP("Layers", "Not recorded: %1")).arg(missing.join(QStringLiteral(" · ")));
}

}  // namespace slipstream::ui
