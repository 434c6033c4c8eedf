// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layers_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

QString words(const char* text) {
  return QCoreApplication::translate("Layers", text);
}

QString percent(double share, int decimals = 0) {
  return words(QT_TRANSLATE_NOOP("Layers", "%1 %")).arg(QLocale().toString(100 * share, 'f', decimals));
}

ChartPicture overSteps(const LayersReading& reading, const QString& title, const QString& treatment) {
  ChartPicture picture;
  picture.title = title;
  picture.treatment = treatment;
  picture.first = static_cast<double>(reading.columns.firstStep);
  picture.last = static_cast<double>(reading.columns.endStep);
  return picture;
}

LineCurve curveOf(const LayersReading& reading, std::vector<Line> line) {
  LineCurve curve;
  curve.colourSlot = reading.colourSlot;
  curve.line = std::move(line);
  return curve;
}

void placeOn(StripPicture& picture, const LayersReading& reading) {
  picture.first = static_cast<double>(reading.columns.firstStep);
  picture.last = static_cast<double>(reading.columns.endStep);
}

/// 0 where the ranks' gradients are parallel, 1 where they are orthogonal.
double spread(double orthogonality, int ranks) {
  const double least = 1.0 / std::max(2, ranks);
  return std::clamp((orthogonality - least) / (1 - least), 0.0, 1.0);
}

/// What most plans say, in the window's language; what only some say stays in the engine's words.
QString reasonWords(const QString& why) {
  if (why.startsWith(QStringLiteral("level ")) || why.contains(QStringLiteral(", so as level "))) {
    return words(QT_TRANSLATE_NOOP("Layers", "off by level"));
  }
  if (why.endsWith(QStringLiteral(" in the dictionary"))) {
    return words(QT_TRANSLATE_NOOP("Layers", "off in the dictionary"));
  }
  return why;
}

QString reasonOf(const LayersReading& reading, const std::string& subject) {
  for (const Decision& decision : reading.decisions) {
    if (decision.subject == subject) return reasonWords(QString::fromStdString(decision.why));
  }
  return {};
}

}  // namespace

ChartPicture lossPicture(const LayersReading& reading) {
  QStringList treatment;
  if (reading.logarithmicLoss) treatment << words(QT_TRANSLATE_NOOP("Layers", "log scale"));
  if (!reading.rawLoss.empty()) treatment << words(QT_TRANSLATE_NOOP("Layers", "smoothed 0.85"));
  ChartPicture picture =
      overSteps(reading, words(QT_TRANSLATE_NOOP("Layers", "Training loss")), treatment.join(QStringLiteral(", ")));
  picture.logarithmic = reading.logarithmicLoss;
  picture.smoothed = !reading.rawLoss.empty();
  LineCurve curve = curveOf(reading, reading.loss);
  curve.label = words(QT_TRANSLATE_NOOP("Layers", "loss"));
  curve.raw = reading.rawLoss;
  curve.points = reading.rawLoss.empty();
  picture.curves.push_back(std::move(curve));
  picture.legend = LegendPlace::titleRow;
  for (const auto& [step, name] : reading.stages) {
    picture.borders.push_back({static_cast<double>(step), QString::fromStdString(name)});
  }
  return picture;
}

StripPicture orthogonalityPicture(const LayersReading& reading) {
  StripPicture picture;
  placeOn(picture, reading);
  picture.title = words(QT_TRANSLATE_NOOP("Layers", "Orthogonality by tensor"));
  picture.key.map = true;
  picture.key.low = words(QT_TRANSLATE_NOOP("Layers", "1/%1 parallel")).arg(std::max(2, reading.ranks));
  picture.key.high = words(QT_TRANSLATE_NOOP("Layers", "1 orthogonal"));
  picture.rows = reading.orthogonality;
  for (HeatRow& row : picture.rows) {
    for (double& value : row.values) value = std::isfinite(value) ? spread(value, reading.ranks) : value;
  }
  picture.colour = [](double share) { return sequentialColour(share); };
  picture.reading = [ranks = std::max(2, reading.ranks)](double share) {
    return QLocale().toString(1.0 / ranks + share * (1 - 1.0 / ranks), 'f', 2);
  };
  picture.emptyKey = true;
  picture.emptyWord = reading.freeze ? words(QT_TRANSLATE_NOOP("Layers", "frozen"))
                                     : words(QT_TRANSLATE_NOOP("Layers", "not combined"));
  return picture;
}

StripPicture freezePicture(const LayersReading& reading) {
  StripPicture picture;
  placeOn(picture, reading);
  picture.title = words(QT_TRANSLATE_NOOP("Layers", "Freeze timeline"));
  const FreezeTimeline& freeze = *reading.freeze;
  picture.key.words =
      freeze.savedTime > 0
          ? words(QT_TRANSLATE_NOOP("Layers", "bar = trained, gap = frozen · %1 of steps frozen, %2 of time saved"))
                .arg(percent(freeze.frozenSteps), percent(freeze.savedTime))
          : words(QT_TRANSLATE_NOOP("Layers", "bar = trained, gap = frozen · %1 of steps frozen, no time saved"))
                .arg(percent(freeze.frozenSteps));
  picture.rows = freeze.rows;
  picture.colour = [](double share) {
    QColor colour = partColour(Part::compute);
    colour.setAlphaF(static_cast<float>(share));
    return colour;
  };
  picture.reading = [](double share) {
    if (share == 0) return words(QT_TRANSLATE_NOOP("Layers", "frozen"));
    if (share == 1) return words(QT_TRANSLATE_NOOP("Layers", "trained"));
    return words(QT_TRANSLATE_NOOP("Layers", "trained on %1 of these steps")).arg(percent(share));
  };
  picture.emptyWord = words(QT_TRANSLATE_NOOP("Layers", "no step"));
  picture.threads = true;
  return picture;
}

ChartPicture powerPicture(const LayersReading& reading) {
  ChartPicture picture =
      overSteps(reading, words(QT_TRANSLATE_NOOP("Layers", "Accepted power of the line search")),
                words(QT_TRANSLATE_NOOP("Layers", "times that the step was shortened; −1: no step was taken")));
  LineCurve curve = curveOf(reading, reading.acceptedPower);
  curve.points = true;
  picture.curves.push_back(std::move(curve));
  return picture;
}

ChartPicture gradientSharePicture(const LayersReading& reading) {
  ChartPicture picture = overSteps(reading, words(QT_TRANSLATE_NOOP("Layers", "Gradient inside the subspace")),
                                   words(QT_TRANSLATE_NOOP("Layers", "share of its squared length")));
  picture.upperLimit = 1;
  picture.curves.push_back(curveOf(reading, reading.gradientShare));
  return picture;
}

ChartPicture scalePicture(const LayersReading& reading) {
  const int skipped = static_cast<int>(reading.skipped.size());
  ChartPicture picture = overSteps(
      reading, words(QT_TRANSLATE_NOOP("Layers", "Loss scale")),
      QCoreApplication::translate("Layers", "log scale · a cross is one of %n skipped update(s)", nullptr, skipped));
  picture.logarithmic = true;
  int slot = reading.colourSlot;
  for (const ScaleLine& scale : reading.lossScales) {
    LineCurve curve = curveOf(reading, scale.line);
    curve.colourSlot = slot++;
    curve.label = QString::fromStdString(scale.group);
    picture.curves.push_back(std::move(curve));
  }
  for (const std::int64_t step : reading.skipped) picture.curves.front().gaps.push_back(static_cast<double>(step));
  if (picture.curves.size() > 1) picture.legend = LegendPlace::inside;
  return picture;
}

ChartPicture variancePicture(const LayersReading& reading) {
  ChartPicture picture;
  picture.title = words(QT_TRANSLATE_NOOP("Layers", "Explained variance"));
  picture.upperLimit = 1;
  picture.cursorTag = false;
  picture.first = 1;
  picture.last = std::max(2.0, static_cast<double>(reading.variance.size()));
  picture.xKind = ChartX::samples;
  Line line;
  double sum = 0;
  for (std::size_t k = 0; k < reading.variance.size(); ++k) {
    line.x.push_back(static_cast<double>(k + 1));
    line.y.push_back(sum += reading.variance[k]);
  }
  picture.treatment = words(QT_TRANSLATE_NOOP("Layers", "cumulative, by direction of the snapshots · %1 explain %2"))
                          .arg(QLocale().toString(static_cast<int>(reading.variance.size())), percent(sum, 1));
  LineCurve curve = curveOf(reading, {std::move(line)});
  curve.points = true;
  picture.curves.push_back(std::move(curve));
  return picture;
}

QString missingWords(const LayersReading& reading) {
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
    missing << (why.isEmpty() ? words(panel.name)
                              : words(QT_TRANSLATE_NOOP("Layers", "%1 (%2)")).arg(words(panel.name), why));
  }
  if (missing.isEmpty()) return {};
  return words(QT_TRANSLATE_NOOP("Layers", "This run has none of: %1")).arg(missing.join(QStringLiteral(" · ")));
}

}  // namespace slipstream::ui
