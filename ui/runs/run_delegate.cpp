// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_delegate.h"

#include <QCoreApplication>
#include <QPainter>
#include <QTreeView>
#include <algorithm>
#include <cmath>

#include "engine/spec/device_kind.h"
#include "ui/runs/run_model.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int stateLeft = 20, swatchLeft = 40, nameLeft = 60;
constexpr int markSize = 14, swatchHeight = 4, pinSize = 12, cloudSize = 14;
constexpr int sparklineWidth = 44, sparklineHeight = 14;
constexpr int valueWidth = 52, edge = 10;
constexpr int chevronLeft = 6, chevronSize = 14, groupTextLeft = 24, level = 12;
constexpr int runHeight = 26, groupHeight = 30;
/// A narrower row has no room for its sparkline.
constexpr int widthForSparkline = 270;
/// A thicker line would blur a sparkline.
constexpr double lineWidth = 1.2;

const RunModel& modelOf(const QModelIndex& index) {
  return static_cast<const RunModel&>(*index.model());
}

int depthOf(const QModelIndex& index) {
  int depth = 0;
  for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) ++depth;
  return depth;
}

/// Runs are shifted only below a variant.
int shiftOf(const QModelIndex& index) {
  return level * std::max(0, depthOf(index) - 1);
}

/// Noise would fill so low a picture: what is drawn is the course of the loss.
std::vector<Line> courseOf(const RunSummary& summary) {
  constexpr std::size_t manySamples = 24;
  constexpr double smoothing = 0.9;
  std::vector<Line> lines = summary.sparkline;
  for (Line& line : lines) {
    if (line.y.size() >= manySamples) line.y = smoothed(std::move(line.y), smoothing);
  }
  return lines;
}

void paintSparkline(QPainter& painter, const QRectF& place, const RunSummary& summary, int slot) {
  double low = INFINITY, high = -INFINITY;
  const std::vector<Line> lines = courseOf(summary);
  for (const Line& line : lines) {
    for (const double value : line.y) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double steps = static_cast<double>(std::max<std::int64_t>({1, summary.totalSteps - 1, summary.stepsDone - 1}));
  const double range = high > low ? high - low : 1;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(runPen(slot).colour, lineWidth));
  for (const Line& line : lines) {
    QPolygonF points;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      points << QPointF(place.left() + place.width() * line.x[i] / steps,
                        place.bottom() - place.height() * (line.y[i] - low) / range);
    }
    painter.drawPolyline(points);
  }
  painter.restore();
}

/// Variant and seed without the words between them.
QString shortName(const QString& name, const RunRow* run) {
  if (run == nullptr) return name;
  const QString seed = nameWithSeed({}, run->run.seed);
  QString shorter = name;
  return shorter.replace(seed, QStringLiteral(" · %1").arg(run->run.seed));
}

/// The whole name where it has room, else the short one: what runs differ in is seen longest. Of one that has no room
/// either, the variant's first word gives way to the settings behind it.
QString fittingName(const QString& name, const RunRow* run, const QFontMetrics& metrics, int width) {
  if (metrics.horizontalAdvance(name) <= width) return name;
  const QString shorter = shortName(name, run);
  const qsizetype comma = shorter.indexOf(QStringLiteral(", "));
  const QString rest = comma < 0 ? QString() : shorter.mid(comma);
  const int left = width - metrics.horizontalAdvance(rest);
  const bool keepsRest =
      comma > 0 && left >= metrics.horizontalAdvance(shorter.left(2)) + metrics.horizontalAdvance(u'…');
  if (!keepsRest) return metrics.elidedText(shorter, Qt::ElideMiddle, width);
  return metrics.elidedText(shorter.left(comma), Qt::ElideRight, left) + rest;
}

/// Where runs of an emulated device say so, ending at `right`. Returns where it begins.
int paintEmulatedBadge(QPainter& painter, const QRect& row, int right) {
  const QString text = RunDelegate::tr("emulated");
  painter.setFont(textFont(TextSize::caption));
  const QFontMetrics metrics(painter.font());
  const int width = metrics.horizontalAdvance(text) + 2 * gapText;
  const QRect badge(right - width, row.center().y() - metrics.height() / 2, width, metrics.height());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(tokens().warning);
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(badge).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  painter.drawText(badge, Qt::AlignCenter, text);
  return badge.left() - gapText;
}

}  // namespace

RunDelegate::RunDelegate(QObject* parent) : QStyledItemDelegate(parent) {}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const RunModel::Kind kind = modelOf(index).kindOf(index);
  const bool group = kind == RunModel::Kind::experiment || kind == RunModel::Kind::archive;
  return {nameLeft, std::max(group ? groupHeight : runHeight, option.fontMetrics.height() + 8)};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  painter->save();
  painter->setClipRect(option.rect);
  const bool marks = marksSelection_ || (option.widget != nullptr && option.widget->hasFocus());
  if (marks && option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, tokens().selection);
  const RunModel::Kind kind = modelOf(index).kindOf(index);
  if (kind == RunModel::Kind::run || kind == RunModel::Kind::queued) {
    paintRun(*painter, option, index);
  } else {
    paintGroup(*painter, option, index);
  }
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), tokens().accent);
  }
  painter->restore();
}

void RunDelegate::paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QRect row = option.rect;
  const int shift = level * depthOf(index);
  const bool open = option.state.testFlag(QStyle::State_Open);
  const QRect chevron(row.left() + chevronLeft + shift, row.center().y() + 1 - chevronSize / 2, chevronSize,
                      chevronSize);
  icon(open ? Symbol::down : Symbol::right, IconInk::second).paint(&painter, chevron);
  const QString value = modelOf(index).valueOf(index);
  QFont font = textFont(TextSize::body);
  const int valueSpace = QFontMetrics(font).horizontalAdvance(value);
  painter.setFont(font);
  painter.setPen(tokens().secondText);
  painter.drawText(row.adjusted(0, 0, -edge, 0), Qt::AlignVCenter | Qt::AlignRight, value);
  if (shift == 0) font.setWeight(strongWeight());
  painter.setFont(font);
  painter.setPen(tokens().text);
  const QRect place = row.adjusted(groupTextLeft + shift, 0, -edge - valueSpace - gapText, 0);
  const QString title = QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideMiddle, place.width());
  painter.drawText(place, Qt::AlignVCenter, title);
}

void RunDelegate::paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  const RunRow* run = model.runOf(index);
  const QRect row = option.rect;
  const int left = row.left() + shiftOf(index);
  const int middle = row.center().y() + 1;
  paintState(painter, QRectF(left + stateLeft, middle - markSize / 2.0, markSize, markSize),
             run == nullptr ? RunState::queued : run->run.state);
  const auto slot = run == nullptr ? slots_.end() : slots_.find(run->run.id);
  const QRectF swatch(left + swatchLeft, middle - swatchHeight / 2.0, markSize, swatchHeight);
  if (slot != slots_.end()) {
    paintSwatch(painter, swatch, slot->second);
  } else {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens().hairline);
    painter.drawRoundedRect(swatch, 1.5, 1.5);
  }
  const RunSummary* summary = run == nullptr ? nullptr : model.summaryOf(index);
  painter.setFont(textFont(TextSize::body));
  const QString value = model.valueOf(index);
  const int valueSpace = std::max(valueWidth, QFontMetrics(painter.font()).horizontalAdvance(value));
  painter.setPen(run != nullptr && option.state.testFlag(QStyle::State_Selected) ? tokens().text : tokens().secondText);
  painter.drawText(row.adjusted(0, 0, -edge, 0), Qt::AlignVCenter | Qt::AlignRight, value);
  int right = row.right() - edge - valueSpace;
  const QString name = index.data().toString();
  if (row.width() >= widthForSparkline) {
    right -= sparklineWidth + gapSmall;
    if (summary != nullptr) {
      paintSparkline(painter, QRectF(right, middle - sparklineHeight / 2.0, sparklineWidth, sparklineHeight), *summary,
                     run->run.colourSlot);
    }
  }
  if (run != nullptr && run->label.pinned) {
    right -= pinSize + gapText;
    icon(Symbol::pin, IconInk::second).paint(&painter, QRect(right, middle - pinSize / 2, pinSize, pinSize));
  }
  if (run != nullptr && !run->run.remote.empty()) {
    right -= cloudSize + gapText;
    icon(Symbol::cloud, IconInk::second).paint(&painter, QRect(right, middle - cloudSize / 2, cloudSize, cloudSize));
  }
  if (run != nullptr && isEmulated(run->run.device)) right = paintEmulatedBadge(painter, row, right);
  painter.setFont(textFont(TextSize::body));
  painter.setPen(tokens().text);
  const QRect place(left + nameLeft, row.top(), right - gapSmall - left - nameLeft, row.height());
  painter.drawText(place, Qt::AlignVCenter, fittingName(name, run, QFontMetrics(painter.font()), place.width()));
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const {
  editor->setGeometry(option.rect.adjusted(nameLeft - gapText + shiftOf(index), 1, -edge, -1));
}

}  // namespace slipstream::ui
