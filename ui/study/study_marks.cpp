// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_marks.h"

#include <QFontMetrics>
#include <QPainter>
#include <set>

#include "ui/study/study_texts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int keyMark = 12, entryGap = 14;

struct Stencil {
  QPainter& painter;
  QRectF place;

  /// Of a square of 12 by 12.
  QPointF at(double x, double y) const {
    return {place.x() + x * place.width() / 12, place.y() + y * place.height() / 12};
  }
  double length(double value) const { return value * place.width() / 12; }
  void line(double x1, double y1, double x2, double y2) const { painter.drawLine(at(x1, y1), at(x2, y2)); }
};

void paintCross(const Stencil& stencil) {
  stencil.line(2.5, 2.5, 9.5, 9.5);
  stencil.line(9.5, 2.5, 2.5, 9.5);
}

/// A triangle with an exclamation mark.
void paintWarning(const Stencil& stencil) {
  stencil.painter.drawPolygon(QPolygonF({stencil.at(6, 1.2), stencil.at(11.2, 10.6), stencil.at(0.8, 10.6)}));
  stencil.line(6, 4.6, 6, 7);
  stencil.painter.drawPoint(stencil.at(6, 8.9));
}

QColor verdictMarkColour(StudyVerdictKind verdict) {
  if (verdict == StudyVerdictKind::notComparable) return tokens().warning;
  return verdict == StudyVerdictKind::invalid ? tokens().error : verdictColour(verdict);
}

}  // namespace

QColor verdictColour(std::optional<StudyVerdictKind> verdict) {
  if (verdict == StudyVerdictKind::better) return tokens().good;
  return verdict == StudyVerdictKind::worse ? tokens().error : tokens().secondText;
}

void paintVerdict(QPainter& painter, const QRectF& place, StudyVerdictKind verdict) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const Stencil stencil{painter, place};
  painter.setPen(QPen(verdictMarkColour(verdict), stencil.length(1.5), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  switch (verdict) {
    case StudyVerdictKind::better:
      painter.drawPolyline(QPolygonF({stencil.at(1.5, 6.5), stencil.at(4.5, 9.5), stencil.at(10.5, 2.8)}));
      break;
    case StudyVerdictKind::worse:
      stencil.line(6, 1.5, 6, 10.5);
      painter.drawPolyline(QPolygonF({stencil.at(3, 7.5), stencil.at(6, 10.5), stencil.at(9, 7.5)}));
      break;
    case StudyVerdictKind::same:
      stencil.line(2, 4.3, 10, 4.3);
      stencil.line(2, 7.7, 10, 7.7);
      break;
    case StudyVerdictKind::notShown:
      stencil.line(2.5, 6, 9.5, 6);
      break;
    case StudyVerdictKind::notComparable:
      paintWarning(stencil);
      break;
    case StudyVerdictKind::invalid:
      paintCross(stencil);
      break;
  }
  painter.restore();
}

void paintSeed(QPainter& painter, const QRectF& place, SeedState state, const QColor& colour) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const Stencil stencil{painter, place};
  QPen pen(colour, stencil.length(1.8), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  const auto ring = [&](double radius) {
    painter.drawEllipse(stencil.at(6, 6), stencil.length(radius), stencil.length(radius));
  };
  switch (state) {
    case SeedState::reached:
      painter.setPen(Qt::NoPen);
      painter.setBrush(colour);
      ring(4.9);
      break;
    case SeedState::never:
      ring(4.1);
      break;
    case SeedState::failed:
      paintCross(stencil);
      break;
    case SeedState::running:
      painter.setPen(Qt::NoPen);
      painter.setBrush(tokens().accent);
      painter.drawPolygon(QPolygonF({stencil.at(2.5, 1), stencil.at(11, 6), stencil.at(2.5, 11)}));
      break;
    case SeedState::stopped:
      painter.setPen(Qt::NoPen);
      painter.setBrush(tokens().secondText);
      painter.drawRect(QRectF(stencil.at(2, 2), stencil.at(10, 10)));
      break;
    case SeedState::waiting:
      pen.setColor(tokens().secondText);
      pen.setWidthF(stencil.length(1.4));
      pen.setDashPattern({1.4, 1.9});
      painter.setPen(pen);
      ring(4.3);
      break;
    case SeedState::deleted:
      pen.setColor(tokens().secondText);
      painter.setPen(pen);
      stencil.line(3, 6, 9, 6);
      break;
  }
  painter.restore();
}

StudyKey::StudyKey(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void StudyKey::setTexts(const StudyMatrix& matrix, const QString& same, const QString& target, bool toTarget) {
  std::set<StudyVerdictKind> verdicts{StudyVerdictKind::better, StudyVerdictKind::worse, StudyVerdictKind::notShown};
  std::set<SeedState> seeds;
  if (!same.isEmpty()) verdicts.insert(StudyVerdictKind::same);
  for (const StudyMatrixRow& row : matrix.rows) {
    for (const StudyMatrixCell& cell : row.cells) {
      if (cell.comparison) verdicts.insert(cell.comparison->verdict);
      for (const StudySeed& seed : cell.seeds) seeds.insert(seed.state);
    }
  }
  entries_.clear();
  for (const StudyVerdictKind verdict :
       {StudyVerdictKind::better, StudyVerdictKind::worse, StudyVerdictKind::same, StudyVerdictKind::notShown,
        StudyVerdictKind::notComparable, StudyVerdictKind::invalid}) {
    if (!verdicts.contains(verdict)) continue;
    QString word = verdictWord(verdict);
    if (verdict == StudyVerdictKind::same) word = tr("the same within ±%1").arg(same);
    if (verdict == StudyVerdictKind::better)
      word = matrix.measure.higherIsBetter ? tr("better: higher") : tr("better: lower");
    entries_.push_back({verdict, SeedState::reached, word});
  }
  entries_.push_back({std::nullopt, SeedState::reached, toTarget ? tr("reached %1").arg(target) : tr("done")});
  if (toTarget) entries_.push_back({std::nullopt, SeedState::never, tr("never")});
  for (const SeedState state : {SeedState::failed, SeedState::running, SeedState::waiting}) {
    if (seeds.contains(state)) entries_.push_back({std::nullopt, state, seedWord(state, toTarget)});
  }
  QStringList words;
  for (const Entry& entry : entries_) words << entry.text;
  setAccessibleName(tr("Key: %1").arg(listed(words)));
  updateGeometry();
  update();
}

/// Calls place(entry, corner) for each entry; returns the height.
template <class Place>
int StudyKey::layOut(int width, const Place& place) const {
  const QFontMetrics metrics(textFont(TextSize::secondary));
  const int line = metrics.height() + gapSmall;
  QPoint corner(0, 0);
  for (const Entry& entry : entries_) {
    const int wide = keyMark + gapSmall + metrics.horizontalAdvance(entry.text);
    if (corner.x() > 0 && corner.x() + wide > width) corner = QPoint(0, corner.y() + line);
    place(entry, corner);
    corner.rx() += wide + entryGap;
  }
  return corner.y() + line;
}

int StudyKey::heightForWidth(int width) const {
  return layOut(width, [](const Entry&, const QPoint&) {});
}

QSize StudyKey::sizeHint() const {
  return {600, heightForWidth(std::max(1, width()))};
}

QSize StudyKey::minimumSizeHint() const {
  return {200, QFontMetrics(textFont(TextSize::secondary)).height() + gapSmall};
}

void StudyKey::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFont font = textFont(TextSize::secondary);
  const QFontMetrics metrics(font);
  painter.setFont(font);
  layOut(width(), [&](const Entry& entry, const QPoint& corner) {
    const QRectF mark(corner.x(), corner.y() + (metrics.height() - keyMark) / 2.0 + 1, keyMark, keyMark);
    if (entry.verdict) {
      paintVerdict(painter, mark, *entry.verdict);
    } else {
      paintSeed(painter, mark.adjusted(1, 1, -1, -1), entry.seed, tokens().secondText);
    }
    painter.setPen(tokens().secondText);
    painter.drawText(corner.x() + keyMark + gapSmall, corner.y() + metrics.ascent() + 1, entry.text);
  });
}

void StudyKey::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

}  // namespace slipstream::ui
