// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_delegate.h"

#include <QCoreApplication>
#include <QPainter>
#include <QScrollBar>
#include <QTreeView>
#include <algorithm>
#include <cmath>

#include "engine/analysis/run_colours.h"
#include "ui/runs/run_model.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int stateLeft = RunDelegate::arrowEnd, swatchLeft = 40, nameLeft = 60;
constexpr int markSize = 14, swatchHeight = 4, pinSize = 12, cloudSize = 14;
constexpr int sparklineWidth = 44, sparklineHeight = 14;
constexpr int valueWidth = 52;
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

void paintSparkline(QPainter& painter, const QRectF& place, const RunSummary& summary, const QColor& colour) {
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
  painter.setPen(QPen(colour, lineWidth));
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

int edgeOf(const QStyleOptionViewItem& option) {
  const auto* view = qobject_cast<const QAbstractScrollArea*>(option.widget);
  return view != nullptr && view->verticalScrollBar()->isVisible() ? RunDelegate::edgeBesideBar
                                                                   : RunDelegate::usualEdge;
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

void paintChevron(QPainter& painter, const QStyleOptionViewItem& option, int left) {
  const QRect place(left, option.rect.center().y() + 1 - chevronSize / 2, chevronSize, chevronSize);
  icon(option.state.testFlag(QStyle::State_Open) ? Symbol::down : Symbol::right, IconInk::second)
      .paint(&painter, place);
}

/// Whether some seeds of a closed variant are selected; where all are, so is the variant.
bool isPartlySelected(const QStyleOptionViewItem& option, const QModelIndex& index) {
  const auto* view = qobject_cast<const QTreeView*>(option.widget);
  const bool isClosedVariant =
      view != nullptr && modelOf(index).kindOf(index) == RunModel::Kind::variant && !view->isExpanded(index);
  if (!isClosedVariant) return false;
  const int rows = index.model()->rowCount(index);
  for (int row = 0; row < rows; ++row) {
    if (view->selectionModel()->isSelected(index.model()->index(row, 0, index))) return true;
  }
  return false;
}

/// Invalid of a row that is not selected; paler where only a part of a variant is.
QColor markOf(const QStyleOptionViewItem& option, const QModelIndex& index) {
  constexpr float ofSome = 0.5F;
  QColor mark = tokens().selection;
  if (option.state.testFlag(QStyle::State_Selected)) return mark;
  if (!isPartlySelected(option, index)) return {};
  mark.setAlphaF(ofSome);
  return mark;
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
  const bool hasFocus = option.widget != nullptr && option.widget->hasFocus();
  QColor mark;
  if (marks_ == Marks::selection || hasFocus) {
    mark = markOf(option, index);
  } else if (marks_ == Marks::currentRun && isCurrent(option, index)) {
    mark = tokens().selection;
  }
  if (mark.isValid()) painter->fillRect(option.rect, mark);
  const RunModel::Kind kind = modelOf(index).kindOf(index);
  if (kind == RunModel::Kind::experiment || kind == RunModel::Kind::archive) {
    paintGroup(*painter, option, index);
  } else {
    paintRun(*painter, option, index);
  }
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), tokens().accent);
  }
  painter->restore();
}

void RunDelegate::paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QRect row = option.rect;
  paintChevron(painter, option, row.left() + chevronLeft);
  QString value = modelOf(index).valueOf(index);
  const bool isOpen = option.state.testFlag(QStyle::State_Open);
  if (isOpen && modelOf(index).hasResults(index))
    value = tr("%1 · loss", "number of runs, above their final losses").arg(value);
  QFont font = textFont(TextSize::body);
  const int valueSpace = QFontMetrics(font).horizontalAdvance(value);
  painter.setFont(font);
  painter.setPen(tokens().secondText);
  painter.drawText(row.adjusted(0, 0, -edgeOf(option), 0), Qt::AlignVCenter | Qt::AlignRight, value);
  font.setWeight(strongWeight());
  painter.setFont(font);
  painter.setPen(tokens().text);
  const QRect place = row.adjusted(groupTextLeft, 0, -edgeOf(option) - valueSpace - gapText, 0);
  const QString title = QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideMiddle, place.width());
  painter.drawText(place, Qt::AlignVCenter, title);
}

/// Its row, or that of its variant, where that is closed.
bool RunDelegate::isCurrent(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  if (const RunRow* run = model.runOf(index)) return run->run.id == current_;
  const auto* view = qobject_cast<const QTreeView*>(option.widget);
  if (model.kindOf(index) != RunModel::Kind::variant || view == nullptr || view->isExpanded(index)) return false;
  const std::vector<std::string> runs = model.runsUnder(index);
  return std::ranges::find(runs, current_) != runs.end();
}

/// So many of the runs below a row are shown in charts.
int RunDelegate::shownBelow(const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  int shown = 0;
  for (int row = 0; row < model.rowCount(index); ++row) {
    const RunRow* run = model.runOf(model.index(row, 0, index));
    shown += run != nullptr && slots_.contains(run->run.id) ? 1 : 0;
  }
  return shown;
}

/// In the colour that its curve has in charts; of a variant that of its first seed that is there.
std::optional<int> RunDelegate::slotOf(const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  if (const RunRow* run = model.runOf(index)) {
    const auto slot = slots_.find(run->run.id);
    return slot == slots_.end() ? std::nullopt : std::optional(slot->second);
  }
  for (int row = 0; row < model.rowCount(index); ++row) {
    if (const std::optional<int> slot = slotOf(model.index(row, 0, index))) return slot;
  }
  return std::nullopt;
}

void RunDelegate::paintHead(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                            int left) const {
  const RunModel& model = modelOf(index);
  const int middle = option.rect.center().y() + 1;
  if (model.kindOf(index) == RunModel::Kind::variant) paintChevron(painter, option, left + chevronLeft);
  paintState(painter, QRectF(left + stateLeft, middle - markSize / 2.0, markSize, markSize), model.stateOf(index));
  const QRectF swatch(left + swatchLeft, middle - swatchHeight / 2.0, markSize, swatchHeight);
  if (const std::optional<int> slot = slotOf(index)) return paintSwatch(painter, swatch, *slot);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens().hairline);
  painter.drawRoundedRect(swatch, 1.5, 1.5);
}

/// The value at the right, and before it the course of the loss, where both have room beside the name. Returns where
/// they begin.
int RunDelegate::paintResult(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  const QRect row = option.rect;
  const QString value = model.valueOf(index);
  const int width = QFontMetrics(painter.font()).horizontalAdvance(value);
  painter.setPen(option.state.testFlag(QStyle::State_Selected) ? tokens().text : tokens().secondText);
  painter.drawText(row.adjusted(0, 0, -edgeOf(option), 0), Qt::AlignVCenter | Qt::AlignRight, value);
  const int right = row.right() - edgeOf(option) - std::max(valueWidth, width);
  if (row.width() < widthForSparkline || width > valueWidth || model.runOf(index) == nullptr) return right;
  const int nameRoom = right - sparklineWidth - 2 * gapSmall - row.left() - shiftOf(index) - nameLeft;
  if (QFontMetrics(painter.font()).horizontalAdvance(index.data().toString()) > nameRoom) return right;
  if (const RunSummary* summary = model.summaryOf(index)) {
    const QRectF place(right - sparklineWidth - gapSmall, row.center().y() + 1 - sparklineHeight / 2.0, sparklineWidth,
                       sparklineHeight);
    // Of a run that the charts do not show, too: the swatch says which are shown.
    const int slot = slotOf(index).value_or(ownSlot(model.runOf(index)->run));
    paintSparkline(painter, place, *summary, runPen(slot).colour);
  }
  return right - sparklineWidth - gapSmall;
}

void RunDelegate::paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  const RunModel::Marks marks = model.marksOf(index);
  const QRect row = option.rect;
  const int left = row.left() + shiftOf(index);
  const int middle = row.center().y() + 1;
  paintHead(painter, option, index, left);
  painter.setFont(textFont(TextSize::body));
  int right = paintResult(painter, option, index);
  if (marks.pinned) {
    right -= pinSize + gapText;
    icon(Symbol::pin, IconInk::second).paint(&painter, QRect(right, middle - pinSize / 2, pinSize, pinSize));
  }
  if (marks.remote) {
    right -= cloudSize + gapText;
    icon(Symbol::cloud, IconInk::second).paint(&painter, QRect(right, middle - cloudSize / 2, cloudSize, cloudSize));
  }
  if (marks.emulated) right = paintEmulatedBadge(painter, row, right);
  painter.setFont(textFont(TextSize::body));
  const QRect place(left + nameLeft, row.top(), right - gapSmall - left - nameLeft, row.height());
  paintName(painter, place, index);
}

/// Of a variant with the number of its seeds behind it, where that has room.
void RunDelegate::paintName(QPainter& painter, const QRect& place, const QModelIndex& index) const {
  const RunModel& model = modelOf(index);
  const QFontMetrics metrics(painter.font());
  const QString name = fittingName(index.data().toString(), model.runOf(index), metrics, place.width());
  painter.setPen(tokens().text);
  painter.drawText(place, Qt::AlignVCenter, name);
  if (model.kindOf(index) != RunModel::Kind::variant) return;
  const QRect behind = place.adjusted(metrics.horizontalAdvance(name) + gapText, 0, 0, 0);
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  const int runs = model.rowCount(index), shown = shownBelow(index);
  const bool isPart = shown > 0 && shown < runs;
  const QString count =
      isPart ? tr("%1 of %2", "shown runs of a variant").arg(shown).arg(runs) : QStringLiteral("× %1").arg(runs);
  if (QFontMetrics(painter.font()).horizontalAdvance(count) <= behind.width())
    painter.drawText(behind, Qt::AlignVCenter, count);
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const {
  editor->setGeometry(option.rect.adjusted(nameLeft - gapText + shiftOf(index), 1, -edgeOf(option), -1));
}

}  // namespace slipstream::ui
