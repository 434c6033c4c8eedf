#include "ui/panel/problem_delegate.h"

#include <QCoreApplication>
#include <QPainter>

#include "ui/panel/problems_model.h"
#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int leastHeight = 40, shapeSize = 16;
constexpr double placeShare = 0.34;  ///< of the row, at most

QString sentence(const Problem& problem) {
  if (problem.value.isEmpty()) return problem.problem;
  return QCoreApplication::translate("Problems", "%1 (found %2)").arg(problem.problem, problem.value);
}

QString remedy(const Problem& problem) {
  return problem.document.isEmpty()
             ? problem.remedy
             : QCoreApplication::translate("Problems", "%1 · %2").arg(problem.document, problem.remedy);
}

/// The text in one line, cut where it is too long; returns what it took.
int drawLine(QPainter& painter, const QRect& place, const QFont& font, const QColor& colour, const QString& text,
             Qt::TextElideMode mode) {
  const QFontMetrics metrics(font);
  const QString shown = metrics.elidedText(text, mode, place.width());
  painter.setFont(font);
  painter.setPen(colour);
  painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, shown);
  return metrics.horizontalAdvance(shown);
}

}  // namespace

ProblemDelegate::ProblemDelegate(const ProblemsModel& model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {}

QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const int lines =
      QFontMetrics(textFont(TextSize::body)).height() + QFontMetrics(textFont(TextSize::secondary)).height();
  return {option.rect.width(), std::max(leastHeight, lines + 8)};
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

  const int middle = row.top() + row.height() * 11 / 20;
  QRect upper(row.left(), row.top(), row.width(), middle - row.top());
  const QRect lower(row.left(), middle, row.width(), row.bottom() - middle + 1);
  QRect place = upper;
  place.setWidth(static_cast<int>(upper.width() * placeShare));
  const int taken = drawLine(*painter, place, fixedFont(), tokens().secondText, problem.where, Qt::ElideMiddle);
  if (taken > 0) upper.setLeft(upper.left() + taken + gapWide);
  drawLine(*painter, upper, textFont(TextSize::body), tokens().text, sentence(problem), Qt::ElideRight);
  drawLine(*painter, lower, textFont(TextSize::secondary), tokens().secondText, remedy(problem), Qt::ElideRight);
  painter->restore();
}

}  // namespace slipstream::ui
