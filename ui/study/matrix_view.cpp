// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/matrix_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "ui/study/study_marks.h"
#include "ui/study/study_texts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int matrixPadding = 9, seedDot = 10, seedPitch = 14, verdictMark = 12, variantSwatchWidth = 14,
              variantSwatchHeight = 4;
constexpr int leastMatrixRow = 44, lowMatrixRow = 38, roomyWindow = 780, leastNames = 130, mostNames = 240,
              leastCell = 104;
constexpr std::size_t mostSeedDots = 12;

int matrixLine() {
  return QFontMetrics(textFont(TextSize::body)).height();
}

/// In a low window the chart below the matrix needs the room.
int matrixRowHeight(const QWidget& window) {
  const bool isLow = window.height() < roomyWindow;
  return std::max(isLow ? lowMatrixRow : leastMatrixRow, 2 * matrixLine() + (isLow ? 5 : 10));
}

QRectF dotPlace(const QRect& cell, std::size_t index) {
  const double middle = cell.bottom() - matrixPadding - seedDot / 2.0 + 1;
  return {cell.left() + matrixPadding + static_cast<double>(index) * seedPitch, middle - seedDot / 2.0, seedDot,
          seedDot};
}

int dotsWidth(const StudyMatrixCell& cell, const QString& counted) {
  if (cell.seeds.size() <= mostSeedDots) return static_cast<int>(cell.seeds.size()) * seedPitch;
  return QFontMetrics(textFont(TextSize::secondary)).horizontalAdvance(counted);
}

/// "11 of 14" where there are too many seeds for dots.
QString countedSeeds(const StudyMatrixCell& cell) {
  const auto reached = std::count_if(cell.seeds.begin(), cell.seeds.end(),
                                     [](const StudySeed& seed) { return seed.state == SeedState::reached; });
  return MatrixView::tr("%1 of %2", "seeds that reached the target, of all").arg(reached).arg(cell.seeds.size());
}

std::optional<StudyVerdictKind> verdictOf(const StudyMatrixCell& cell) {
  return cell.comparison ? std::optional(cell.comparison->verdict) : std::nullopt;
}

bool isClaim(std::optional<StudyVerdictKind> verdict) {
  return verdict == StudyVerdictKind::better || verdict == StudyVerdictKind::worse;
}

class MatrixDelegate : public QStyledItemDelegate {
 public:
  explicit MatrixDelegate(MatrixView& view) : QStyledItemDelegate(&view), view_(view) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::TextAntialiasing);
    const bool chosen = option.state.testFlag(QStyle::State_Selected) && index.column() > 0;
    if (chosen) painter->fillRect(option.rect, tokens().selection);
    index.column() == 0 ? paintName(*painter, option.rect, index) : paintCell(*painter, option.rect, index);
    painter->setPen(tokens().hairline);
    if (index.row() + 1 < index.model()->rowCount())
      painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    if (index.column() + 1 < index.model()->columnCount())
      painter->drawLine(option.rect.topRight(), option.rect.bottomRight());
    if (chosen) {
      painter->setPen(QPen(tokens().accent, 2));
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
  }

 private:
  void paintName(QPainter& painter, const QRect& place, const QModelIndex& index) const {
    const StudyMatrixRow& row = view_.matrix().row(index.row());
    const int middle = place.top() + matrixPadding / 2 + matrixLine() / 2 + 1;
    paintSwatch(painter,
                QRectF(place.left() + matrixPadding, middle - variantSwatchHeight / 2.0, variantSwatchWidth,
                       variantSwatchHeight),
                row.colourSlot);
    const int left = place.left() + matrixPadding + variantSwatchWidth + gapText;
    const int room = place.right() - left - gapSmall;
    painter.setFont(textFont(TextSize::body));
    painter.setPen(tokens().text);
    painter.drawText(QRect(left, place.top() + matrixPadding / 2, room, matrixLine()), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(row.name()), Qt::ElideMiddle, room));
    painter.setFont(textFont(TextSize::secondary));
    painter.setPen(tokens().secondText);
    painter.drawText(QRect(left, place.bottom() - matrixPadding / 2 - matrixLine(), room, matrixLine()),
                     Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(view_.matrix().about(index.row()), Qt::ElideRight, room));
  }

  void paintCell(QPainter& painter, const QRect& place, const QModelIndex& index) const {
    const StudyMatrixCell& cell = *view_.matrix().cellAt(index);
    const auto verdict = verdictOf(cell);
    paintFigures(painter, place, index, verdict);
    paintSeeds(painter, place, cell, verdict);
    const bool isJudged = cell.comparison && (cell.comparison->pairs > 0 || !cell.comparison->why.empty());
    if (!isJudged) return;
    const QRectF mark(place.right() - matrixPadding - verdictMark, place.bottom() - matrixPadding - verdictMark + 2,
                      verdictMark, verdictMark);
    paintVerdict(painter, mark, *verdict);
  }

  void paintFigures(QPainter& painter, const QRect& place, const QModelIndex& index,
                    std::optional<StudyVerdictKind> verdict) const {
    const QString figure = view_.matrix().figure(index), range = view_.matrix().range(index);
    QRect line(place.left() + matrixPadding, place.top() + matrixPadding / 2, place.width() - 2 * matrixPadding,
               matrixLine());
    const StudyMatrixCell& cell = *view_.matrix().cellAt(index);
    const bool isChange = cell.comparison && cell.comparison->pairs > 0;
    painter.setFont(textFont(isChange ? TextSize::section : TextSize::body));
    painter.setPen(isClaim(verdict) ? verdictColour(verdict) : tokens().text);
    painter.drawText(line, Qt::AlignVCenter, figure);
    if (range.isEmpty()) return;
    line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(figure) + gapSmall + 2);
    painter.setFont(textFont(TextSize::secondary));
    painter.setPen(tokens().secondText);
    painter.drawText(line, Qt::AlignVCenter, range);
  }

  static void paintSeeds(QPainter& painter, const QRect& place, const StudyMatrixCell& cell,
                         std::optional<StudyVerdictKind> verdict) {
    if (cell.seeds.size() > mostSeedDots) {
      const QRect line(place.left() + matrixPadding, place.bottom() - matrixPadding / 2 - matrixLine(), place.width(),
                       matrixLine());
      painter.setFont(textFont(TextSize::secondary));
      painter.setPen(tokens().secondText);
      painter.drawText(line, Qt::AlignVCenter, countedSeeds(cell));
      return;
    }
    for (std::size_t i = 0; i < cell.seeds.size(); ++i)
      paintSeed(painter, dotPlace(place, i), cell.seeds[i].state, verdictColour(verdict));
  }

  MatrixView& view_;
};

}  // namespace

MatrixView::MatrixView(QWidget* parent) : QTableView(parent), model_(new MatrixModel(this)) {
  setProperty("framed", true);
  setProperty(drawsFocusProperty, true);
  setAccessibleName(tr("Variants by factors"));
  setModel(model_);
  setItemDelegate(new MatrixDelegate(*this));
  setSelectionMode(SingleSelection);
  setSelectionBehavior(SelectItems);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setMouseTracking(true);
  setHorizontalScrollMode(ScrollPerPixel);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  verticalHeader()->hide();
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setSectionsClickable(false);
  horizontalHeader()->setMinimumSectionSize(1);
}

void MatrixView::setMatrix(StudyMatrix matrix, bool toTarget) {
  const int row = chosenRow(), column = chosenColumn();
  model_->setMatrix(std::move(matrix), toTarget);
  fitRows();
  fitColumns();
  updateGeometry();
  const bool fits = row >= 0 && row < model_->rowCount() && column + 1 < model_->columnCount();
  if (model_->rowCount() == 0 || (isChosen_ && currentIndex().isValid())) return;
  const auto [strongRow, strongColumn] = strongestCell();
  const bool wasChosen = isChosen_;
  wasChosen&& fits ? choose(row, column) : choose(strongRow, strongColumn);
  isChosen_ = wasChosen;
}

/// With the largest claim, which the sentence begins with; without one the last variant on most ranks, which most
/// questions are about.
std::pair<int, int> MatrixView::strongestCell() const {
  std::pair<int, int> strongest(model_->rowCount() - 1, model_->columnCount() - 2);
  double most = 0;
  for (int row = 0; row < model_->rowCount(); ++row) {
    const std::vector<StudyMatrixCell>& cells = model_->row(row).cells;
    for (int column = 0; column < std::ssize(cells); ++column) {
      const auto& comparison = cells[static_cast<std::size_t>(column)].comparison;
      if (!comparison || !isClaim(comparison->verdict)) continue;
      const double strength = std::abs(comparison->measure.ratio ? std::log(comparison->effect) : comparison->effect);
      if (strength > most) strongest = {row, column};
      most = std::max(most, strength);
    }
  }
  return strongest;
}

int MatrixView::chosenColumn() const {
  return std::max(0, currentIndex().column() - 1);
}

int MatrixView::chosenRow() const {
  return currentIndex().row();
}

void MatrixView::choose(int row, int column) {
  setCurrentIndex(model_->index(row, column + 1));
}

const StudySeed* MatrixView::seedAt(const QPoint& place) const {
  const QModelIndex index = indexAt(place);
  const StudyMatrixCell* cell = model_->cellAt(index);
  if (cell == nullptr || cell->seeds.size() > mostSeedDots) return nullptr;
  for (std::size_t i = 0; i < cell->seeds.size(); ++i) {
    if (dotPlace(visualRect(index), i).adjusted(-2, -2, 2, 2).contains(place)) return &cell->seeds[i];
  }
  return nullptr;
}

/// The names of variants cannot be chosen: they stand for no cell.
void MatrixView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (!current.isValid()) return;
  if (current.column() == 0 && model_->columnCount() > 1) return choose(current.row(), 0);
  isChosen_ = true;
  Q_EMIT chosen();
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return Q_EMIT runsWanted();
    case Qt::Key_Space:
      return Q_EMIT methodWanted();
    default:
      QTableView::keyPressEvent(event);
  }
}

void MatrixView::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  const StudySeed* seed = event->button() == Qt::LeftButton ? seedAt(event->position().toPoint()) : nullptr;
  if (seed != nullptr && !seed->run.empty()) Q_EMIT runWanted(text(seed->run));
}

void MatrixView::mouseMoveEvent(QMouseEvent* event) {
  QTableView::mouseMoveEvent(event);
  const StudySeed* seed = seedAt(event->position().toPoint());
  const bool opens = seed != nullptr && !seed->run.empty();
  viewport()->setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void MatrixView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (seedAt(event->position().toPoint()) == nullptr) Q_EMIT runsWanted();
}

void MatrixView::wheelEvent(QWheelEvent* event) {
  if (horizontalScrollBar()->maximum() == 0 || event->angleDelta().x() == 0)
    return event->ignore();  // the page scrolls
  QTableView::wheelEvent(event);
}

/// Every combination gets the same room, at least what is in it; the names what is left.
void MatrixView::fitColumns() {
  const int columns = model_->columnCount();
  if (columns == 0) return;
  const QFontMetrics strong(textFont(TextSize::section)), second(textFont(TextSize::secondary));
  int cell = leastCell, names = leastNames;
  for (int row = 0; row < model_->rowCount(); ++row) {
    names = std::max(names, 2 * matrixPadding + variantSwatchWidth + gapText +
                                std::max(strong.horizontalAdvance(text(model_->row(row).name())),
                                         second.horizontalAdvance(model_->about(row))));
    for (int column = 1; column < columns; ++column) {
      const QModelIndex index = model_->index(row, column);
      const int figures =
          strong.horizontalAdvance(model_->figure(index)) + gapText + second.horizontalAdvance(model_->range(index));
      const StudyMatrixCell& of = *model_->cellAt(index);
      cell = std::max(
          {cell, figures + 2 * matrixPadding, dotsWidth(of, countedSeeds(of)) + verdictMark + 2 * matrixPadding});
    }
  }
  for (int column = 1; column < columns; ++column) {
    const QString heading = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    cell = std::max(cell, std::min(240, strong.horizontalAdvance(heading) + 2 * matrixPadding));
  }
  names = std::min(names, mostNames);
  const int room = viewport()->width();
  const int share = columns > 1 ? std::max(cell, (room - names) / (columns - 1)) : 0;
  const int taken = share * (columns - 1);
  setColumnWidth(0, std::max(names, room - taken));
  for (int column = 1; column < columns; ++column) setColumnWidth(column, share);
  setHorizontalScrollBarPolicy(names + taken > room ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
}

int MatrixView::height() const {
  const int bar = horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOn ? horizontalScrollBar()->sizeHint().height() : 0;
  return horizontalHeader()->sizeHint().height() + model_->rowCount() * verticalHeader()->defaultSectionSize() +
         2 * frameWidth() + bar;
}

QSize MatrixView::sizeHint() const {
  return {480, height()};
}

QSize MatrixView::minimumSizeHint() const {
  return {240, height()};
}

void MatrixView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  const auto policy = horizontalScrollBarPolicy();
  fitColumns();
  if (fitRows() || policy != horizontalScrollBarPolicy()) updateGeometry();
}

bool MatrixView::fitRows() {
  const int before = verticalHeader()->defaultSectionSize(), now = matrixRowHeight(*window());
  verticalHeader()->setMinimumSectionSize(now);
  verticalHeader()->setDefaultSectionSize(now);
  return before != now;
}

void MatrixView::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  fitRows();
  fitColumns();
  updateGeometry();
}

}  // namespace slipstream::ui
