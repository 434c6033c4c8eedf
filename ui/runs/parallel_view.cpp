// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/parallel_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// More lines are no picture any more, and take longer than a frame.
constexpr std::size_t mostLines = 1000;
constexpr std::size_t fewLines = 200;  ///< that are drawn smooth
constexpr std::size_t mostTextMarks = 12;
constexpr double decadesForLog = 1.5;
constexpr int headRoom = 44, footRoom = 30, sideRoom = 64;
constexpr double neverPlace = 1.06, hoverDistance = 6;
constexpr float paleOpacity = 0.28F;

/// Of a point to a piece of a line.
double distanceTo(const QPointF& point, const QPointF& from, const QPointF& to) {
  const QPointF along = to - from;
  const double length = QPointF::dotProduct(along, along);
  const double share = length > 0 ? std::clamp(QPointF::dotProduct(point - from, along) / length, 0.0, 1.0) : 0;
  const QPointF off = point - from - share * along;
  return std::sqrt(QPointF::dotProduct(off, off));
}

}  // namespace

ParallelAxis::ParallelAxis(std::size_t column, const std::vector<const RunValues*>& runs) : column_(column) {
  for (const RunValues* run : runs) {
    const RunValue& value = run->columns[column];
    hasNever_ = hasNever_ || value.never;
    if (!value.text.empty()) texts_[value.text] = 0;
    if (!value.number || !std::isfinite(*value.number)) continue;
    lowest_ = hasNumbers_ ? std::min(lowest_, *value.number) : *value.number;
    highest_ = hasNumbers_ ? std::max(highest_, *value.number) : *value.number;
    hasNumbers_ = true;
  }
  isLogarithmic_ = hasNumbers_ && lowest_ > 0 && std::log10(highest_ / lowest_) > decadesForLog;
  runColumns()[column].isText() ? markTexts() : markNumbers();
}

double ParallelAxis::placeOfNumber(double value) const {
  if (highest_ <= lowest_) return 0.5;
  if (isLogarithmic_) return std::log(value / lowest_) / std::log(highest_ / lowest_);
  return (value - lowest_) / (highest_ - lowest_);
}

void ParallelAxis::markNumbers() {
  const RunColumn& column = runColumns()[column_];
  const auto add = [&](double value) {
    marks_.push_back({placeOfNumber(value), shownText(column, {value, {}, false})});
  };
  if (hasNumbers_) add(lowest_);
  if (hasNumbers_ && highest_ > lowest_) {
    add(isLogarithmic_ ? std::sqrt(lowest_ * highest_) : (lowest_ + highest_) / 2);
    add(highest_);
  }
  if (hasNever_) marks_.push_back({neverPlace, shownText(column, {std::nullopt, {}, true})});
}

void ParallelAxis::markTexts() {
  std::size_t number = 0;
  const double last = texts_.size() > 1 ? static_cast<double>(texts_.size() - 1) : 2;
  for (auto& [text, place] : texts_) {
    place = texts_.size() > 1 ? static_cast<double>(number) / last : 0.5;
    const RunValue value{std::nullopt, text, false};
    if (texts_.size() <= mostTextMarks || number == 0 || number + 1 == texts_.size()) {
      marks_.push_back({place, shownText(runColumns()[column_], value)});
    }
    ++number;
  }
}

std::optional<double> ParallelAxis::placeOf(const RunValues& values) const {
  const RunValue& value = values.columns[column_];
  if (value.never) return neverPlace;
  if (const auto text = texts_.find(value.text); text != texts_.end()) return text->second;
  if (!value.number || !std::isfinite(*value.number)) return std::nullopt;
  return placeOfNumber(*value.number);
}

ParallelView::ParallelView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Parallel coordinates of the runs"));
}

void ParallelView::show(const ArrangedRunsPointer& table, const std::vector<std::size_t>& columns) {
  table_ = table;
  axes_.clear();
  lines_.clear();
  hovered_ = -1;
  std::vector<const RunValues*> values;
  if (table_) {
    for (const TableRow& row : table_->rows) {
      if (row.run == nullptr) continue;
      values.push_back(row.values.get());
      if (lines_.size() < mostLines) lines_.push_back({&row, {}});
    }
  }
  left_ = values.size() - lines_.size();
  for (const std::size_t column : columns) axes_.emplace_back(column, values);
  for (DrawnLine& line : lines_) {
    for (const ParallelAxis& axis : axes_) line.places.push_back(axis.placeOf(*line.row->values));
  }
  stale();
  describe();
}

void ParallelView::setSlots(std::map<std::string, int> slots) {
  if (slots == slots_) return;
  slots_ = std::move(slots);
  stale();
}

void ParallelView::setTicked(std::set<std::string> ticked) {
  ticked_ = std::move(ticked);
  update();
}

void ParallelView::setCurrentRun(const std::string& run) {
  if (run == current_) return;
  current_ = run;
  describe();
  update();
}

void ParallelView::stale() {
  drawn_ = {};
  update();
}

QRectF ParallelView::plot() const {
  return QRectF(rect()).adjusted(sideRoom, headRoom, -sideRoom, -footRoom);
}

double ParallelView::xOf(std::size_t axis) const {
  const QRectF place = plot();
  if (axes_.size() < 2) return place.center().x();
  return place.left() + place.width() * static_cast<double>(axis) / static_cast<double>(axes_.size() - 1);
}

void ParallelView::drawLine(QPainter& painter, const DrawnLine& line) const {
  const QRectF place = plot();
  std::optional<QPointF> before;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (!line.places[axis]) {
      before.reset();  // a run without a value has a gap there
      continue;
    }
    const QPointF now(xOf(axis), place.bottom() - *line.places[axis] * place.height());
    if (before) painter.drawLine(*before, now);
    if (!before && (axis + 1 == axes_.size() || !line.places[axis + 1])) painter.drawEllipse(now, 2, 2);
    before = now;
  }
}

void ParallelView::drawAll(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing, lines_.size() <= fewLines);
  QColor pale = tokens().secondText;
  pale.setAlphaF(paleOpacity);
  for (const bool inCharts : {false, true}) {
    for (const DrawnLine& line : lines_) {
      const auto slot = slots_.find(line.row->run->run.id);
      if ((slot != slots_.end()) != inCharts) continue;
      painter.setPen(inCharts ? QPen(runPen(slot->second).colour, 1.4) : QPen(pale, 1));
      drawLine(painter, line);
    }
  }
}

void ParallelView::drawAxes(QPainter& painter) const {
  const QRectF place = plot();
  painter.setRenderHint(QPainter::Antialiasing, false);
  const QFont small = textFont(TextSize::caption);
  QFont head = textFont(TextSize::secondary);
  head.setWeight(strongWeight());
  const double room = axes_.size() > 1 ? place.width() / static_cast<double>(axes_.size() - 1) - 2 * gapText : width();
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const double x = xOf(axis);
    painter.setPen(tokens().chartAxis);
    painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    painter.setFont(head);
    painter.setPen(tokens().text);
    const double width = std::max(room, 2.0 * sideRoom - gapText);
    const QString heading = columnHeading(runColumns()[axes_[axis].column()]);
    painter.drawText(QRectF(x - width / 2, 0, width, headRoom - gapWide), Qt::AlignHCenter | Qt::AlignVCenter,
                     QFontMetrics(head).elidedText(heading, Qt::ElideRight, static_cast<int>(width)));
    painter.setFont(small);
    painter.setPen(tokens().secondText);
    const QFontMetrics metrics(small);
    for (const ParallelAxis::Mark& mark : axes_[axis].marks()) {
      const double y = place.bottom() - mark.place * place.height();
      painter.drawLine(QPointF(x - 2, y), QPointF(x + 2, y));
      const int most = static_cast<int>(std::max(room, 1.0 * sideRoom) - gapText);
      const QString text = metrics.elidedText(mark.text, Qt::ElideMiddle, most);
      painter.drawText(QPointF(x + gapSmall, y + metrics.ascent() / 2.0 - 1), text);
    }
  }
  if (left_ == 0) return;
  painter.setPen(tokens().secondText);
  painter.drawText(
      QRectF(0, height() - footRoom + gapSmall, width(), footRoom - gapSmall), Qt::AlignCenter,
      tr("%1 of %2 runs are drawn, the first ones of the table").arg(lines_.size()).arg(lines_.size() + left_));
}

void ParallelView::paintEvent(QPaintEvent*) {
  const QSize wanted = size() * devicePixelRatioF();
  if (drawn_.size() != wanted) {
    drawn_ = QPixmap(wanted);
    drawn_.setDevicePixelRatio(devicePixelRatioF());
    drawn_.fill(tokens().base);
    QPainter painter(&drawn_);
    drawAll(painter);
    drawAxes(painter);
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, drawn_);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const DrawnLine& line : lines_) {
    if (!ticked_.contains(line.row->run->run.id)) continue;
    painter.setPen(QPen(tokens().text, 1.6, Qt::DashLine));
    drawLine(painter, line);
  }
  for (const int at : {currentLine(), hovered_}) {
    if (at < 0) continue;
    painter.setPen(QPen(tokens().accent, 2.6));
    painter.setBrush(tokens().accent);
    drawLine(painter, lines_[static_cast<std::size_t>(at)]);
  }
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(tokens().accent, 2));
  painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

int ParallelView::lineAt(const QPointF& place) const {
  const QRectF inside = plot();
  int found = -1;
  double nearest = hoverDistance;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    for (std::size_t axis = 0; axis + 1 < axes_.size(); ++axis) {
      const auto &from = lines_[i].places[axis], &to = lines_[i].places[axis + 1];
      if (!from || !to || place.x() < xOf(axis) || place.x() > xOf(axis + 1)) continue;
      const double distance = distanceTo(place, {xOf(axis), inside.bottom() - *from * inside.height()},
                                         {xOf(axis + 1), inside.bottom() - *to * inside.height()});
      if (distance >= nearest) continue;
      nearest = distance;
      found = static_cast<int>(i);
    }
  }
  return found;
}

int ParallelView::currentLine() const {
  const auto found =
      std::ranges::find_if(lines_, [this](const DrawnLine& line) { return line.row->run->run.id == current_; });
  return found == lines_.end() ? -1 : static_cast<int>(found - lines_.begin());
}

/// The values of the run at hand are what a screen reader has of the picture.
void ParallelView::describe() {
  const int at = currentLine();
  if (at < 0) return setAccessibleDescription(tr("%n run(s)", nullptr, static_cast<int>(lines_.size())));
  const TableRow& row = *lines_[static_cast<std::size_t>(at)].row;
  QStringList parts{row.title};
  for (const ParallelAxis& axis : axes_) {
    const RunColumn& column = runColumns()[axis.column()];
    parts << QStringLiteral("%1: %2").arg(columnHeading(column), shownText(column, row.values->columns[axis.column()]));
  }
  setAccessibleDescription(listed(parts));
}

void ParallelView::mouseMoveEvent(QMouseEvent* event) {
  const int at = lineAt(event->position());
  if (at == hovered_) return;
  hovered_ = at;
  update();
  if (at < 0) return QToolTip::hideText();
  QToolTip::showText(event->globalPosition().toPoint(), lines_[static_cast<std::size_t>(at)].row->title, this);
}

void ParallelView::mousePressEvent(QMouseEvent* event) {
  const int at = lineAt(event->position());
  if (at >= 0) Q_EMIT chosen(QString::fromStdString(lines_[static_cast<std::size_t>(at)].row->run->run.id));
}

void ParallelView::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void ParallelView::keyPressEvent(QKeyEvent* event) {
  const bool forth = event->key() == Qt::Key_Down || event->key() == Qt::Key_Right;
  const bool back = event->key() == Qt::Key_Up || event->key() == Qt::Key_Left;
  const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (lines_.empty() || (!forth && !back && !enters)) return QWidget::keyPressEvent(event);
  if (enters) return Q_EMIT opened(QString::fromStdString(current_));
  const int last = static_cast<int>(lines_.size()) - 1;
  const int at = std::clamp(currentLine() + (forth ? 1 : -1), 0, last);
  Q_EMIT chosen(QString::fromStdString(lines_[static_cast<std::size_t>(at)].row->run->run.id));
}

void ParallelView::resizeEvent(QResizeEvent*) {
  stale();
}

void ParallelView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) stale();
  QWidget::changeEvent(event);
}

}  // namespace slipstream::ui
