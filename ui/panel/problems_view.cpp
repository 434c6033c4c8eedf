// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/problems_view.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/panel/problems_model.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int leastHeight = 40, shapeSize = 16;
constexpr int buttonEdges = 72, linkEdges = 2 * gapText;  ///< of a fix with its bulb, and of the way to the place

/// What a row says before its sentence: the place as it is written, or a code where the place follows in words.
QString lead(const Problem& problem) {
  return problem.sentence.isEmpty() ? problem.where : problem.code;
}

QString sentence(const Problem& problem) {
  if (!problem.sentence.isEmpty()) return problem.sentence;
  if (problem.value.isEmpty()) return problem.problem;
  return QCoreApplication::translate("slipstream::ui::ProblemsView", "%1 (found %2)")
      .arg(problem.problem, problem.value);
}

/// After what has no room above: the place in words instead of the document that it is in; its code where that does not
/// lead.
QString remedy(const Problem& problem, bool withPlace) {
  QStringList parts{problem.sentence.isEmpty() ? problem.code : QString(), withPlace ? problem.place : problem.document,
                    problem.remedy};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

int widthOf(const QFont& font, const QString& text) {
  return QFontMetrics(font).horizontalAdvance(text);
}

int leadWidth(const Problem& problem) {
  const QString text = lead(problem);
  return text.isEmpty() ? 0 : widthOf(fixedFont(), text) + gapWide;
}

/// What is left for text beside the shape and the buttons.
int textWidth(const Problem& problem, int row) {
  const QFont font = textFont(TextSize::body);
  const int fix = problem.fix ? widthOf(font, problem.fixLabel) + buttonEdges : 0;
  const int show = widthOf(font, QCoreApplication::translate("slipstream::ui::ProblemsView", "Show")) + linkEdges;
  return row - 2 * pageMargin - shapeSize - gapText - fix - show - gapWide;
}

/// Sentence and place in words beside each other.
bool saysAllInOneLine(const Problem& problem, int room) {
  if (problem.sentence.isEmpty()) return false;
  const int sentenceWidth = leadWidth(problem) + widthOf(textFont(TextSize::body), problem.sentence);
  return sentenceWidth + gapWide + widthOf(textFont(TextSize::secondary), problem.place) <= room;
}

bool fitsOneLine(const Problem& problem, int row) {
  return leadWidth(problem) + widthOf(textFont(TextSize::body), sentence(problem)) <= textWidth(problem, row);
}

/// What leads and the sentence take a line each where they have no room in one. The remedy gives way to them where a
/// button says what it comes to.
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

/// More than a window can show.
constexpr int mostCounted = 20;

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
  paintHairline(*painter, option.rect);

  QRect row = option.rect.adjusted(pageMargin, 4, -pageMargin, -5);
  if (buttons != nullptr) row.setRight(option.rect.right() - buttons->sizeHint().width() - gapWide);
  const QIcon shape = icon(isError ? Symbol::error : Symbol::warning, isError ? IconInk::error : IconInk::warning);
  shape.paint(painter, QRect(row.left(), option.rect.center().y() - shapeSize / 2, shapeSize, shapeSize));
  row.setLeft(row.left() + shapeSize + gapText);

  const bool one = fitsOneLine(problem, option.rect.width());
  const bool three = takesThreeLines(problem, option.rect.width());
  const int second = QFontMetrics(textFont(TextSize::secondary)).height();
  // The button says what mends it: then a sentence with its place needs no more words.
  const bool isWhole = one && problem.fix && saysAllInOneLine(problem, row.width());
  const QRect first(row.left(), row.top(), row.width(), !one ? second : row.height() - (isWhole ? 0 : second));
  const QRect area =
      one ? first.adjusted(leadWidth(problem), 0, 0, 0)
          : QRect(row.left(), first.bottom() + 1, row.width(), row.height() - second - (three ? second : 0));
  const QRect lower(row.left(), row.bottom() - second + 1, row.width(), second);
  const QFont body = textFont(TextSize::body);
  const QRect place = one ? area.adjusted(widthOf(body, sentence(problem)) + gapWide, 0, 0, 0)
                          : first.adjusted(leadWidth(problem), 0, 0, 0);
  const QFont small = textFont(TextSize::secondary);
  const bool placeFits = widthOf(small, problem.place) <= place.width();
  drawLine(*painter, first, fixedFont(), tokens().secondText, lead(problem), Qt::ElideMiddle);
  drawLine(*painter, area, body, tokens().text, sentence(problem));
  if (placeFits) drawLine(*painter, place, small, tokens().secondText, problem.place);
  if ((one && !isWhole) || three) {
    drawLine(*painter, lower, small, tokens().secondText, remedy(problem, !placeFits));
  }
  painter->restore();
}

ProblemsView::ProblemsView(ProblemsModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      list_(new QListView),
      summary_(label({}, TextSize::secondary, true)),
      fixAll_(button(Symbol::bulb, tr("Fix all (%1)"))),
      fixes_(new QMenu(this)) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(this, 0);
  buildList();
  layout->addWidget(list_, 1);
  summary_->setWordWrap(true);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(pageMargin, gapSmall, pageMargin, gapText);
  foot->addWidget(summary_, 1);
  foot->addWidget(fixAll_);
  fixAll_->setMenu(fixes_);
  layout->addLayout(foot);
  layout->addStretch();
  equipping_.setSingleShot(true);
  connect(&equipping_, &QTimer::timeout, this, &ProblemsView::equip);
  connect(&model, &ProblemsModel::countsChanged, this, &ProblemsView::refresh);
  refresh();
}

void ProblemsView::buildList() {
  list_->setModel(&model_);
  list_->setItemDelegate(new ProblemDelegate(model_, list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  list_->setAccessibleName(tr("Problems"));
  connect(list_, &QListView::activated, this, [this](const QModelIndex& index) { model_.show(index.row()); });
  connect(list_->verticalScrollBar(), &QScrollBar::valueChanged, &equipping_, qOverload<>(&QTimer::start));
  connect(list_->verticalScrollBar(), &QScrollBar::rangeChanged, &equipping_, qOverload<>(&QTimer::start));
  connect(&model_, &QAbstractItemModel::rowsInserted, &equipping_, qOverload<>(&QTimer::start));
  auto* copyAction = new QAction(icon(Symbol::copy), tr("Copy"), list_);
  copyAction->setShortcut(QKeySequence::Copy);
  copyAction->setShortcutContext(Qt::WidgetShortcut);
  connect(copyAction, &QAction::triggered, this, &ProblemsView::copy);
  list_->addAction(copyAction);
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ProblemsView::refresh() {
  const bool none = model_.rowCount() == 0;
  list_->setVisible(!none);
  summary_->setText(none ? tr("Nothing is wrong in the open documents.")
                         : tr("Every fix is one undo step. The command line has the same codes: slipstream plan, "
                              "slipstream rank-table check"));
  fillFixes();
  equipping_.start();
}

/// Where several problems of one document have a fix: all of them, then those of one kind.
void ProblemsView::fillFixes() {
  fixes_->clear();
  int all = 0;
  for (const ProblemGroup& group : model_.fixable()) {
    all += group.fixes;
    const QString every = tr("Fix all %1 in %2").arg(QLocale().toString(group.fixes), group.title);
    connect(fixes_->addAction(every), &QAction::triggered, this,
            [this, page = group.page, every] { model_.fixAll(page, {}, every); });
    for (const auto& [kind, entry] : group.kinds) {
      if (entry.count < 2 || group.kinds.size() < 2) continue;
      const QString some = tr("%1 (%2)").arg(entry.label, QLocale().toString(entry.count));
      connect(fixes_->addAction(some), &QAction::triggered, this,
              [this, page = group.page, kind = kind, some] { model_.fixAll(page, kind, some); });
    }
  }
  fixAll_->setVisible(!fixes_->isEmpty());
  fixAll_->setText(tr("Fix all (%1)").arg(QLocale().toString(all)));
}

/// Rows in sight get their buttons; of thousands of problems, few are.
void ProblemsView::equip() {
  const QRect sight = list_->viewport()->rect();
  const int first = std::max(0, list_->indexAt(sight.topLeft() + QPoint(1, 1)).row());
  for (int row = first; row < model_.rowCount(); ++row) {
    const QModelIndex index = model_.index(row);
    if (list_->visualRect(index).top() > sight.bottom()) return;
    if (list_->indexWidget(index) == nullptr) list_->setIndexWidget(index, buttonsOf(index));
  }
}

QWidget* ProblemsView::buttonsOf(const QModelIndex& index) {
  const Problem& problem = model_.entry(index.row()).problem;
  const QPersistentModelIndex row(index);
  auto* holder = new QWidget;
  auto* layout = new QHBoxLayout(holder);
  layout->setContentsMargins(0, 0, pageMargin, 0);
  layout->addStretch();
  if (problem.fix) {
    QPushButton* repair = button(Symbol::bulb, problem.fixLabel);
    repair->setIcon(icon(Symbol::bulb, IconInk::accent));
    connect(repair, &QPushButton::clicked, this, [this, row] { fix(row); });
    layout->addWidget(repair);
  }
  layout->addSpacing(gapText);
  QPushButton* show = button(tr("Show"));
  show->setProperty("link", true);
  show->setAccessibleName(tr("Show the place of this problem"));
  connect(show, &QPushButton::clicked, this, [this, row] {
    if (row.isValid()) model_.show(row.row());
  });
  layout->addWidget(show);
  return holder;
}

/// The fix changes the document, whose new problems replace this one while its button is still at work.
void ProblemsView::fix(const QModelIndex& index) {
  if (!index.isValid()) return;
  const std::function<void()> repair = model_.entry(index.row()).problem.fix;
  QMetaObject::invokeMethod(
      this, [repair] { repair(); }, Qt::QueuedConnection);
}

void ProblemsView::walk(int step) {
  const int count = model_.rowCount();
  if (count == 0) return;
  const int now = list_->currentIndex().row();
  const int next = now < 0 ? (step > 0 ? 0 : count - 1) : (now + step + count) % count;
  list_->setCurrentIndex(model_.index(next));
  list_->scrollTo(model_.index(next));
  model_.show(next);
}

int ProblemsView::wholeHeight() const {
  const int rows = model_.rowCount();
  const int words = summary_->hasHeightForWidth() ? summary_->heightForWidth(width()) : summary_->sizeHint().height();
  const int summary = gapSmall + gapText + std::max(words, fixAll_->isHidden() ? 0 : fixAll_->sizeHint().height());
  int height = summary;
  for (int row = 0; row < std::min(rows, mostCounted); ++row) height += list_->sizeHintForRow(row);
  return height;
}

void ProblemsView::copy() const {
  QModelIndexList rows = list_->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (const QModelIndex& row : rows) lines << model_.entry(row.row()).text();
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace slipstream::ui
