#include "ui/charts/chart_end_labels.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "engine/record/number_format.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr double swatchWidth = 14, swatchHeight = 3, aboveLine = 13, mostShare = 0.9;

struct EndLabel {
  const LineCurve* curve = nullptr;
  QString words;
  double line = 0;    ///< y of the line's end
  double middle = 0;  ///< y of the label
};

std::vector<EndLabel> labelsOf(const ChartPicture& picture, const ChartFrame& frame,
                               const std::vector<std::optional<CursorReading>>& readings) {
  std::vector<EndLabel> labels;
  for (std::size_t i = 0; i < picture.curves.size(); ++i) {
    const LineCurve& curve = picture.curves[i];
    if (curve.line.empty() || curve.line.back().y.empty()) continue;
    const bool read = i < readings.size() && readings[i];
    const QString value = read ? QString::fromStdString(threeDigits(readings[i]->smoothed)) : QString();
    labels.push_back({&curve,
                      value.isEmpty() || picture.wholeNumbers ? curve.label : curve.label + QLatin1Char(' ') + value,
                      frame.toY(curve.line.back().y.back()), 0});
  }
  std::stable_sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  return labels;
}

/// The lowest line's label stands below it, the others above theirs; then they make room for each other.
void place(std::vector<EndLabel>& labels, const QRectF& plot, double height) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool below = i + 1 == labels.size() && labels.size() > 1;
    labels[i].middle = labels[i].line + (below ? aboveLine : -aboveLine);
  }
  double free = plot.top() + height / 2;
  for (EndLabel& label : labels) {
    label.middle = std::max(label.middle, free);
    free = label.middle + height;
  }
  free = plot.bottom() - height / 2 - 1;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->middle = std::min(label->middle, free);
    free = label->middle - height;
  }
}

}  // namespace

void paintEndLabels(QPainter& painter, const ChartPicture& picture, const ChartFrame& frame,
                    const std::vector<std::optional<CursorReading>>& readings) {
  const QFont font = textFont(TextSize::secondary);
  const QFontMetricsF metrics(font);
  std::vector<EndLabel> labels = labelsOf(picture, frame, readings);
  place(labels, frame.plot, metrics.height());
  painter.setFont(font);
  const double room = frame.plot.width() * mostShare - swatchWidth - gapSmall;
  for (const EndLabel& label : labels) {
    const QString words = metrics.elidedText(label.words, Qt::ElideMiddle, room);
    const double left = frame.plot.right() - metrics.horizontalAdvance(words) - 2;
    paintSwatch(painter,
                QRectF(left - gapSmall - swatchWidth, label.middle - swatchHeight / 2, swatchWidth, swatchHeight),
                label.curve->colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(left, label.middle + (metrics.ascent() - metrics.descent()) / 2), words);
  }
}

}  // namespace slipstream::ui
