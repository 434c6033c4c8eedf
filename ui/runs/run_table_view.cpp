// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_view.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>

#include "engine/analysis/run_colours.h"
#include "engine/spec/device_kind.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int leastRowHeight = 26, mostRowStretch = 2, headHeight = 28;
constexpr int tickLeft = 6, tickSize = 14, stateLeft = 26, swatchLeft = 43, nameLeft = 61, edge = 5;
constexpr int markSize = 14, swatchHeight = 4, chevronSize = 14, groupTextLeft = 26;
constexpr int leastNameWidth = 128, mostNamesKept = 106;
constexpr int looked = 500;  ///< rows that tell how wide a column's texts are

int tableRowHeight() {
  return std::max(leastRowHeight, QFontMetrics(textFont(TextSize::body)).height() + 8);
}

void paintTick(QPainter& painter, const QRect& box, Qt::CheckState state) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool empty = state == Qt::Unchecked;
  painter.setPen(empty ? tokens().control : tokens().accent);
  painter.setBrush(empty ? tokens().base : tokens().accent);
  painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  if (state == Qt::Checked) icon(Symbol::good, IconInk::onAccent).paint(&painter, box.adjusted(1, 1, -1, -1));
  if (state == Qt::PartiallyChecked) {
    painter.fillRect(QRect(box.left() + 3, box.center().y(), box.width() - 6, 2), tokens().textOnAccent);
  }
  painter.restore();
}

QString seedPart(const RunRow& run) {
  return QStringLiteral(" · ") + seedName(run.run.seed);
}

QRect tickBox(const QRect& cell) {
  return {cell.left() + tickLeft, cell.center().y() + 1 - tickSize / 2, tickSize, tickSize};
}

/// Small where most columns are no wider than their headings.
QFont headingFont(HeadStyle style) {
  QFont font = textFont(style == HeadStyle::oneLine ? TextSize::secondary : TextSize::caption);
  font.setWeight(smallStrongWeight());
  return font;
}

/// That most values of the format need.
int usualWidth(ColumnFormat format) {
  switch (format) {
    case ColumnFormat::text:
      return 88;
    case ColumnFormat::date:
      return 132;
    case ColumnFormat::percent:
    case ColumnFormat::megabytes:
      return 64;
    default:
      return 50;
  }
}

bool isRightAligned(const RunTableModel& model, int section) {
  return section > 0 && !runColumns()[model.columnOf(section)].isText();
}

/// The head of a group, across all columns.
void paintGroup(QPainter& painter, const RunTableView& view, int at) {
  const TableRow& row = view.runs().at(at);
  const QRect line(0, view.rowViewportPosition(at), view.viewport()->width(), view.rowHeight(at) - 1);
  if (view.isCut(line.adjusted(0, 0, 0, 1))) return;
  icon(row.isClosed ? Symbol::right : Symbol::down, IconInk::second)
      .paint(&painter, QRect(tickLeft, line.center().y() + 1 - chevronSize / 2, chevronSize, chevronSize));
  QString note = RunTableView::tr("%n run(s)", nullptr, row.runs);
  if (!row.best.isMissing()) {
    const RunColumn& column = runColumns()[view.runs().table()->sortedBy->column];
    note = RunTableView::tr("%1 · best %2").arg(note, shownText(column, row.best));
  }
  if (!row.target.isMissing()) {
    note = RunTableView::tr("%1 · target %2 %").arg(note, QLocale().toString(100 * *row.target.number, 'g', 4));
  }
  QFont font = textFont(TextSize::body);
  painter.setFont(font);
  painter.setPen(tokens().secondText);
  painter.drawText(line.adjusted(0, 0, -edge, 0), Qt::AlignVCenter | Qt::AlignRight, note);
  const int right = gapWide + gapWide + QFontMetrics(font).horizontalAdvance(note);
  font.setWeight(strongWeight());
  painter.setFont(font);
  painter.setPen(tokens().text);
  const QRect text = line.adjusted(groupTextLeft, 0, -right, 0);
  painter.drawText(text, Qt::AlignVCenter, QFontMetrics(font).elidedText(row.title, Qt::ElideMiddle, text.width()));
}

class RunTableDelegate : public QStyledItemDelegate {
 public:
  explicit RunTableDelegate(RunTableView* view) : QStyledItemDelegate(view), view_(*view) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (view_.isCut(option.rect)) return;
    painter->save();
    painter->setClipRect(option.rect);
    const TableRow& row = view_.runs().at(index.row());
    const bool isTicked = row.run != nullptr && view_.runs().ticked().contains(row.run->run.id);
    const bool isCurrent = view_.currentIndex().row() == index.row();
    if (row.run == nullptr) painter->fillRect(option.rect, tokens().alternate);
    if (isTicked || isCurrent) painter->fillRect(option.rect, tokens().selection);
    if (row.run != nullptr) paintRun(*painter, option, index, row);
    paintHairline(*painter, option.rect);
    if (isCurrent && view_.visualColumn0() == index.column()) {
      painter->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), tokens().accent);
    }
    const bool isAtHand = view_.currentIndex() == index && row.run != nullptr;
    if (isAtHand && view_.hasFocus()) paintFocus(*painter, option.rect);
    painter->restore();
  }

 private:
  static void paintFocus(QPainter& painter, const QRect& cell) {
    painter.setPen(QPen(tokens().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(cell).adjusted(1, 1, -1, -2));
  }

  void paintRun(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                const TableRow& row) const {
    const bool marked = view_.runs().differs(index.row(), index.column());
    QFont font = textFont(TextSize::body);
    const bool best = row.isBest && index.column() > 0 &&
                      view_.runs().columnOf(index.column()) == view_.runs().table()->sortedBy->column;
    if (best) font.setWeight(strongWeight());
    painter.setFont(font);
    QRect place = option.rect.adjusted(edge, 0, -edge, -1);
    if (index.column() == 0) {
      paintMarks(painter, option.rect, row);
      place.setLeft(option.rect.left() + nameLeft);
      if (row.run->label.pinned) {
        const QRect pin(place.right() - 12, place.center().y() - 6, 12, 12);
        icon(Symbol::pin, IconInk::second).paint(&painter, pin);
        place.setRight(pin.left() - gapSmall);
      }
    }
    const QString text = index.data().toString();
    const bool isValue = index.column() > 0;
    const RunValue* value = isValue ? &row.values->columns[view_.runs().columnOf(index.column())] : nullptr;
    painter.setPen(value != nullptr && (value->isMissing() || value->never) ? tokens().secondText : tokens().text);
    const int align = isRightAligned(view_.runs(), index.column()) ? Qt::AlignRight : Qt::AlignLeft;
    QRect drawn;
    painter.drawText(place, Qt::AlignVCenter | align,
                     QFontMetrics(font).elidedText(text, isValue ? Qt::ElideRight : Qt::ElideMiddle, place.width()),
                     &drawn);
    if (!isValue && view_.namesSeeds()) paintSeed(painter, place, drawn.right(), *row.run);
    if (!marked) return;
    painter.setPen(QPen(tokens().accent, 1, Qt::DotLine));
    painter.drawLine(drawn.bottomLeft(), drawn.bottomRight());
  }

  /// Behind the name of the variant, which many rows have.
  static void paintSeed(QPainter& painter, const QRect& name, int end, const RunRow& run) {
    painter.setPen(tokens().secondText);
    painter.drawText(QRect(end + 1, name.top(), name.right() - end, name.height()), Qt::AlignVCenter, seedPart(run));
  }

  void paintMarks(QPainter& painter, const QRect& cell, const TableRow& row) const {
    const int middle = cell.center().y() + 1;
    paintTick(painter, tickBox(cell), view_.runs().ticked().contains(row.run->run.id) ? Qt::Checked : Qt::Unchecked);
    paintState(painter, QRectF(cell.left() + stateLeft, middle - markSize / 2.0, markSize, markSize),
               row.run->run.state);
    const QRectF swatch(cell.left() + swatchLeft, middle - swatchHeight / 2.0, markSize, swatchHeight);
    const auto slot = view_.slots().find(row.run->run.id);
    // The colour that it has for life; in charts another one may have it, too.
    paintSwatch(painter, swatch, slot != view_.slots().end() ? slot->second : ownSlot(row.run->run));
  }

  RunTableView& view_;
};

}  // namespace

/// Heads say what is sorted and how. Where columns have no room for more than their values, units are below the names.
class RunTableHeader : public QHeaderView {
 public:
  explicit RunTableHeader(RunTableView* view) : QHeaderView(Qt::Horizontal, view), view_(*view) {
    setSectionsMovable(true);
    setSectionsClickable(true);
    setFirstSectionMovable(false);
    setHighlightSections(false);
    setHeadStyle(HeadStyle::oneLine);
    setMinimumSectionSize(30);
    setAccessibleName(RunTableView::tr("Columns"));
  }

  void setHeadStyle(HeadStyle style) {
    style_ = style;
    const int lines = (style == HeadStyle::twoLines ? 2 : 1) * QFontMetrics(headingFont(style)).lineSpacing();
    if (const int high = std::max(headHeight, lines + 6); high != minimumHeight()) setFixedHeight(high);
  }

  /// Of the wider line.
  int widthOf(int section, HeadStyle style) const {
    return QFontMetrics(headingFont(style)).size(0, textOf(section, style)).width() + 2 * edge + 1;
  }
  HeadStyle headStyle() const { return style_; }

  QString textOf(int section, HeadStyle style) const {
    QString heading = model()->headerData(section, Qt::Horizontal).toString();
    if (const auto comma = heading.lastIndexOf(QLatin1String(", ")); comma > 0 && style == HeadStyle::twoLines)
      heading.replace(comma, 2, QLatin1Char('\n'));
    const std::vector<SortKey>& sort = view_.sort();
    for (std::size_t i = 0; i < sort.size(); ++i) {
      if (sort[i].column != view_.runs().columnOf(section)) continue;
      const QString arrow = QString(QChar(sort[i].descending ? 0x2193 : 0x2191));
      return sort.size() > 1 ? QStringLiteral("%1 %2%3").arg(heading, arrow).arg(i + 1)
                             : QStringLiteral("%1 %2").arg(heading, arrow);
    }
    return heading;
  }

 protected:
  void paintSection(QPainter* painter, const QRect& place, int section) const override {
    painter->save();
    painter->fillRect(place, tokens().window);
    const bool sorted = std::ranges::count(view_.sort(), view_.runs().columnOf(section), &SortKey::column) > 0;
    painter->setFont(headingFont(style_));
    painter->setPen(sorted ? tokens().text : tokens().secondText);
    const QRect text = place.adjusted(section == 0 ? nameLeft : edge, 0, -edge, 0);
    const int align = isRightAligned(view_.runs(), section) ? Qt::AlignRight : Qt::AlignLeft;
    QStringList lines = textOf(section, style_).split(QLatin1Char('\n'));
    for (QString& line : lines) line = painter->fontMetrics().elidedText(line, Qt::ElideRight, text.width());
    painter->drawText(text, Qt::AlignVCenter | align, lines.join(QLatin1Char('\n')));
    paintHairline(*painter, place);
    painter->restore();
  }

 private:
  RunTableView& view_;
  HeadStyle style_ = HeadStyle::oneLine;
};

RunTableView::RunTableView(RunTableModel* model, QWidget* parent) : QTableView(parent), runs_(model) {
  setProperty("framed", true);
  setAccessibleName(tr("Table of runs"));
  setModel(model);
  setItemDelegate(new RunTableDelegate(this));
  header_ = new RunTableHeader(this);
  setHorizontalHeader(header_);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setMinimumSectionSize(tableRowHeight());
  verticalHeader()->setDefaultSectionSize(tableRowHeight());
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setSelectionMode(NoSelection);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  setVerticalScrollMode(ScrollPerPixel);
  // A click on a heading sorts; Qt would choose the column, and with it the run in its first row.
  disconnect(header_, &QHeaderView::sectionPressed, this, nullptr);
  disconnect(header_, &QHeaderView::sectionEntered, this, nullptr);
  connect(header_, &QHeaderView::sectionClicked, this,
          [this](int section) { sortBy(section, QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)); });
  connect(header_, &QHeaderView::sectionMoved, this, &RunTableView::takeMoved);
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    scrolled_ = verticalScrollBar()->value();
    isRestoring_ = true;
  });
  connect(model, &QAbstractItemModel::modelReset, this, &RunTableView::restoreCurrent);
  connect(model, &RunTableModel::valuesRead, this, &RunTableView::fitColumns);
}

bool RunTableView::isCut(const QRect& row) const {
  return row.top() > 0 && row.bottom() >= viewport()->height();
}

QModelIndex RunTableView::indexAt(const QPoint& point) const {
  const QModelIndex index = QTableView::indexAt(point);
  return isCut(visualRect(index)) ? QModelIndex() : index;
}

int RunTableView::visualColumn0() const {
  return header_->logicalIndex(0);
}

void RunTableView::setSort(std::vector<SortKey> sort) {
  sort_ = std::move(sort);
  fitColumns();  // an arrow takes room
  header_->viewport()->update();
}

/// Numbers begin with the best, or the largest; texts with the first. A second click turns it round, a third ends it.
void RunTableView::sortBy(int section, bool behind) {
  const std::size_t column = runs_->columnOf(section);
  const RunColumn& about = runColumns()[column];
  const bool first = !about.isText() && about.better != Better::lower;
  std::vector<SortKey> sort = behind ? sort_ : std::vector<SortKey>{};
  const auto known = std::ranges::find(sort_, column, &SortKey::column);
  const auto place = std::ranges::find(sort, column, &SortKey::column);
  if (known == sort_.end()) {
    sort.push_back({column, first});
  } else if (known->descending == first) {
    if (place == sort.end())
      sort.push_back({column, !first});
    else
      place->descending = !first;
  } else if (place != sort.end()) {
    sort.erase(place);
  }
  setSort(std::move(sort));
  Q_EMIT sortChanged();
}

void RunTableView::setSlots(std::map<std::string, int> slots) {
  slots_ = std::move(slots);
  viewport()->update();
}

std::string RunTableView::currentRun() const {
  const QModelIndex at = currentIndex();
  return !at.isValid() || runs_->isGroup(at.row()) ? std::string() : runs_->at(at.row()).run->run.id;
}

bool RunTableView::isAtGroup() const {
  return currentIndex().isValid() && runs_->isGroup(currentIndex().row());
}

void RunTableView::setCurrentRun(const std::string& run) {
  if (currentRun() == run) return;
  isRestoring_ = true;
  const int row = runs_->rowOf(run);
  current_ = run.empty() ? std::string() : "run " + run;
  setCurrentIndex(row < 0 ? QModelIndex() : runs_->index(row, std::min(currentColumn_, runs_->columnCount() - 1)));
  isRestoring_ = false;
  viewport()->update();
}

/// What was at hand stays at hand, wherever it is now.
void RunTableView::restoreCurrent() {
  isRestoring_ = true;
  int row = current_.starts_with("run ") ? runs_->rowOf(current_.substr(4)) : -1;
  if (current_.starts_with("group ")) {
    for (int i = 0; i < runs_->rowCount() && row < 0; ++i) {
      if (runs_->at(i).key == current_) row = i;
    }
  }
  if (row >= 0) setCurrentIndex(runs_->index(row, std::min(currentColumn_, runs_->columnCount() - 1)));
  verticalScrollBar()->setValue(scrolled_);
  isRestoring_ = false;
  fitColumns();
}

void RunTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  viewport()->update();
  if (isRestoring_ || !current.isValid()) return;
  current_ = runs_->at(current.row()).key;
  currentColumn_ = current.column();
  if (const std::string run = currentRun(); !run.empty()) Q_EMIT chosen(QString::fromStdString(run));
}

/// Heads of groups stand where the view is, over all cells of their rows.
void RunTableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  QPainter painter(viewport());
  const int last = rowAt(viewport()->height() - 1);
  const int end = last < 0 ? runs_->rowCount() : last + 1;
  for (int row = std::max(0, rowAt(0)); row < end; ++row) {
    if (runs_->isGroup(row)) paintGroup(painter, *this, row);
  }
}

/// Moving what is drawn would leave a gap where a row was not drawn, and move heads of groups sideways.
void RunTableView::scrollContentsBy(int dx, int dy) {
  QTableView::scrollContentsBy(dx, dy);
  viewport()->update();
}

/// Qt makes the first row the current one of a table that has none, which would choose its run; a click on a heading
/// gives the focus, too, and chooses nothing.
void RunTableView::focusInEvent(QFocusEvent* event) {
  if (currentIndex().isValid()) return QTableView::focusInEvent(event);
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void RunTableView::keyPressEvent(QKeyEvent* event) {
  const QModelIndex at = currentIndex();
  if (event->matches(QKeySequence::Copy)) return Q_EMIT copyWanted();
  if (!at.isValid()) return QTableView::keyPressEvent(event);
  const bool group = runs_->isGroup(at.row());
  const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->key() == Qt::Key_Space) return runs_->toggle(at.row());
  if (group && enters) return Q_EMIT groupToggled(QString::fromStdString(runs_->at(at.row()).key));
  if (enters) return Q_EMIT opened(QString::fromStdString(currentRun()));
  QTableView::keyPressEvent(event);
}

/// Empty where there is no row.
std::string RunTableView::keyAt(const QPoint& place) const {
  const QModelIndex at = indexAt(place);
  return at.isValid() ? runs_->at(at.row()).key : std::string();
}

void RunTableView::mousePressEvent(QMouseEvent* event) {
  const QModelIndex at = indexAt(event->position().toPoint());
  pressed_ = event->button() == Qt::LeftButton ? keyAt(event->position().toPoint()) : std::string();
  const bool onTick = at.isValid() && !runs_->isGroup(at.row()) && at.column() == 0 &&
                      event->position().x() < visualRect(at).left() + stateLeft - 2;
  if (onTick) return setFocus(Qt::MouseFocusReason);
  QTableView::mousePressEvent(event);
}

void RunTableView::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  const QModelIndex at = indexAt(event->position().toPoint());
  // Another run may have come under the mouse meanwhile.
  const std::string pressed = std::exchange(pressed_, {});
  if (event->button() != Qt::LeftButton || pressed.empty() || pressed != keyAt(event->position().toPoint())) return;
  if (runs_->isGroup(at.row())) return Q_EMIT groupToggled(QString::fromStdString(runs_->at(at.row()).key));
  if (at.column() == 0 && event->position().x() < visualRect(at).left() + stateLeft - 2) runs_->toggle(at.row());
}

void RunTableView::mouseDoubleClickEvent(QMouseEvent* event) {
  QTableView::mouseDoubleClickEvent(event);
  const QModelIndex at = indexAt(event->position().toPoint());
  const bool onRun = at.isValid() && !runs_->isGroup(at.row());
  if (onRun && event->position().x() >= visualRect(at).left() + stateLeft) {
    Q_EMIT opened(QString::fromStdString(runs_->at(at.row()).run->run.id));
  }
}

/// The order of heads becomes that of the columns, so that the next window and a file have it too.
void RunTableView::takeMoved() {
  if (isTakingMoved_) return;
  isTakingMoved_ = true;
  QMetaObject::invokeMethod(
      this,
      [this] {
        std::vector<std::size_t> columns;
        for (int visual = 0; visual < header_->count(); ++visual) {
          const int section = header_->logicalIndex(visual);
          if (section > 0) columns.push_back(runs_->columnOf(section));
        }
        for (int section = 0; section < header_->count(); ++section) {
          header_->moveSection(header_->visualIndex(section), section);
        }
        isTakingMoved_ = false;
        Q_EMIT columnsMoved(columns);
      },
      Qt::QueuedConnection);
}

/// What the longest text of a column takes. Of many runs the first ones tell.
int RunTableView::measuredWidthOf(int section) const {
  QFont font = textFont(TextSize::body);
  const bool mayBeBest = section > 0 && !runColumns()[runs_->columnOf(section)].isText();
  if (mayBeBest) font.setWeight(strongWeight());
  const QFontMetrics metrics(font);
  int width = 0;
  for (int row = 0; row < std::min(looked, runs_->rowCount()); ++row) {
    if (runs_->isGroup(row)) continue;
    width = std::max(width, metrics.horizontalAdvance(runs_->index(row, section).data().toString()));
  }
  return width + 2 * edge;
}

int RunTableView::textWidthOf(int section) const {
  int& known = textWidths_[static_cast<std::size_t>(section)];
  if (known < 0) known = measuredWidthOf(section);
  return known;
}

/// That its head and its usual values need.
int RunTableView::leastWidthOf(int section, HeadStyle style) const {
  const int head = header_->widthOf(section, style);
  const int usual = widthForFont(usualWidth(runColumns()[runs_->columnOf(section)].format));
  const bool allLooked = runs_->rowCount() <= looked;
  return std::max(head, allLooked ? std::min(usual, textWidthOf(section) + gapSmall) : usual);
}

/// Heads are in one line where that leaves names and all texts the room that they need.
void RunTableView::arrangeHeads(int leastNames) {
  const auto wanted = [&](HeadStyle style) {
    int width = leastNames;
    for (int section = 1; section < runs_->columnCount(); ++section) {
      const bool isText = runColumns()[runs_->columnOf(section)].isText();
      width += std::max(leastWidthOf(section, style), isText ? textWidthOf(section) : 0);
    }
    return width;
  };
  const int room = viewport()->width();
  for (const HeadStyle style : {HeadStyle::oneLine, HeadStyle::smallLine}) {
    if (wanted(style) <= room) return header_->setHeadStyle(style);
  }
  header_->setHeadStyle(HeadStyle::twoLines);
}

/// Numbers are as wide as their heading and their digits ask for. Names come first, then texts that would be cut; names
/// take what is left.
void RunTableView::fitColumns() {
  textWidths_.assign(static_cast<std::size_t>(runs_->columnCount()), -1);
  // The longest names give way to texts beside them; the whole of a name is in its tool tip.
  const int names = runs_->columnCount() > 0 ? std::min(textWidthOf(0), widthForFont(mostNamesKept)) : 0;
  const int least = std::max(widthForFont(leastNameWidth), nameLeft + names);
  arrangeHeads(least);
  int others = 0;
  for (int section = 1; section < runs_->columnCount(); ++section) {
    header_->resizeSection(section, leastWidthOf(section, header_->headStyle()));
    others += header_->sectionSize(section);  // which is no less than the header allows
  }
  for (int section = 1; section < runs_->columnCount(); ++section) {
    if (!runColumns()[runs_->columnOf(section)].isText()) continue;
    const int width = header_->sectionSize(section), room = viewport()->width() - others - least;
    header_->resizeSection(section, std::max(header_->widthOf(section, header_->headStyle()),
                                             std::min(textWidthOf(section), width + room)));
    others += header_->sectionSize(section) - width;
  }
  const int room = viewport()->width() - others;
  if (runs_->columnCount() > 0) header_->resizeSection(0, std::max(room, least));
  namesSeeds_ = nameLeft + textWidthOf(0) + seedWidth() <= room;
}

/// That the longest seed takes behind a name.
int RunTableView::seedWidth() const {
  const RunRow* longest = nullptr;
  for (int row = 0; row < std::min(looked, runs_->rowCount()); ++row) {
    if (runs_->isGroup(row)) continue;
    const RunRow* run = runs_->at(row).run;
    if (longest == nullptr || run->run.seed > longest->run.seed) longest = run;
  }
  if (longest == nullptr) return 0;
  return QFontMetrics(textFont(TextSize::body)).horizontalAdvance(seedPart(*longest));
}

/// A little higher than they must be where that leaves less of the height to none of them.
void RunTableView::fitRows() {
  const int least = tableRowHeight(), room = viewport()->height();
  const int high = std::clamp(room / std::max(1, room / least), least, least + mostRowStretch);
  if (high != verticalHeader()->defaultSectionSize()) verticalHeader()->setDefaultSectionSize(high);
}

void RunTableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitColumns();
  fitRows();
}

}  // namespace slipstream::ui
