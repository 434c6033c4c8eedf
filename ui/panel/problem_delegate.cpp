// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/problem_delegate.h"

#include <QCoreApplication>
#include <QPainter>

#include "ui/panel/problems_model.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int leastHeight = 40, shapeSize = 16;
constexpr int buttonEdges = 72, linkEdges = 2 * gapText;  ///< of a fix with its bulb, and of the way to the place

/// In the engine's words, which are the command line's and stay English.
QString sentence(const Problem& problem) {
  if (problem.value.isEmpty()) return problem.problem;
  return QStringLiteral("%1 (found %2)").arg(problem.problem, problem.value);
}

QString remedy(const Problem& problem) {
  return problem.document.isEmpty()
             ? problem.remedy
             : QCoreApplication::translate("Problems", "%1 · %2").arg(problem.document, problem.remedy);
}

int widthOf(const QFont& font, const QString& text) {
  return QFontMetrics(font).horizontalAdvance(text);
}

int placeWidth(const Problem& problem) {
  return problem.where.isEmpty() ? 0 : widthOf(fixedFont(), problem.where) + gapWide;
}

/// What is left for words beside the shape and the buttons.
int wordsWidth(const Problem& problem, int row) {
  const QFont font = textFont(TextSize::body);
  const int fix = problem.fix ? widthOf(font, problem.fixLabel) + buttonEdges : 0;
  const int show = widthOf(font, QCoreApplication::translate("slipstream::ui::ProblemsView", "Show")) + linkEdges;
  return row - 2 * pageMargin - shapeSize - gapText - fix - show - gapWide;
}

bool fitsOneLine(const Problem& problem, int row) {
  return placeWidth(problem) + widthOf(textFont(TextSize::body), sentence(problem)) <= wordsWidth(problem, row);
}

/// Place and sentence take a line each where they have no room in one. The remedy gives way to them where a button says
/// what it comes to.
bool takesThreeLines(const Problem& problem, int row) {
  return !fitsOneLine(problem, row) && !problem.fix;
}

/// The text in one line, cut where it is too long.
void drawLine(QPainter& painter, const QRect& place, const QFont& font, const QColor& colour, const QString& text,
              Qt::TextElideMode mode = Qt::ElideRight) {
  painter.setFont(font);
  painter.setPen(colour);
  painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, QFontMetrics(font).elidedText(text, mode, place.width()));
}

}  // namespace

ProblemDelegate::ProblemDelegate(const ProblemsModel& model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {}

QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int body = QFontMetrics(textFont(TextSize::body)).height();
  const int second = QFontMetrics(textFont(TextSize::secondary)).height();
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  const int width = view == nullptr ? option.rect.width() : view->viewport()->width();
  const bool three = takesThreeLines(model_.entry(index.row()).problem, width);
  return {option.rect.width(), std::max(leastHeight, body + second + 8) + (three ? second : 0)};
}

void ProblemDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Problem& problem = model_.entry(index.row()).problem;
  const bool isError = problem.severity == Verdict::reject;
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  const QWidget* buttons = view == nullptr ? nullptr : view->indexWidget(index);
  painter->save();
  painter->fillRect(option.rect, option.state.testFlag(QStyle::State_Selected) ? tokens().selection : tokens().base);
  painter->setPen(tokens().hairline);
  painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

  QRect row = option.rect.adjusted(pageMargin, 4, -pageMargin, -5);
  if (buttons != nullptr) row.setRight(option.rect.right() - buttons->sizeHint().width() - gapWide);
  const QIcon shape = icon(isError ? Symbol::error : Symbol::warning, isError ? IconInk::error : IconInk::warning);
  shape.paint(painter, QRect(row.left(), option.rect.center().y() - shapeSize / 2, shapeSize, shapeSize));
  row.setLeft(row.left() + shapeSize + gapText);

  const bool one = fitsOneLine(problem, option.rect.width());
  const bool three = takesThreeLines(problem, option.rect.width());
  const int second = QFontMetrics(textFont(TextSize::secondary)).height();
  const QRect place(row.left(), row.top(), row.width(), one ? row.height() - second : second);
  const QRect words =
      one ? place.adjusted(placeWidth(problem), 0, 0, 0)
          : QRect(row.left(), place.bottom() + 1, row.width(), row.height() - second - (three ? second : 0));
  const QRect lower(row.left(), row.bottom() - second + 1, row.width(), second);
  drawLine(*painter, place, fixedFont(), tokens().secondText, problem.where, Qt::ElideMiddle);
  drawLine(*painter, words, textFont(TextSize::body), tokens().text, sentence(problem));
  if (one || three) {
    drawLine(*painter, lower, textFont(TextSize::secondary), tokens().secondText, remedy(problem));
  }
  painter->restore();
}

}  // namespace slipstream::ui
