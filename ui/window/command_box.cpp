// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_box.h"

#include <QApplication>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/store/store_snapshot.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int rowHeight = 28, mostRows = 12, iconSize = 16;
constexpr int iconRoom = 48;  ///< the icon's, and that of the edges
const QKeySequence boxKeys(Qt::CTRL | Qt::Key_K);

class CommandDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {100, std::max(rowHeight, option.fontMetrics.height() + 8)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QRect row = option.rect;
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(row, tokens().selection);
    const auto mark = index.data(Qt::DecorationRole).value<QIcon>();
    mark.paint(painter, QRect(row.left() + gapText, row.center().y() - iconSize / 2, iconSize, iconSize));
    const QString hint = index.data(CommandList::hintRole).toString();
    painter->setFont(textFont(TextSize::secondary));
    painter->setPen(tokens().secondText);
    painter->drawText(row.adjusted(0, 0, -gapText, 0), Qt::AlignVCenter | Qt::AlignRight, hint);
    const int hintSpace = painter->fontMetrics().horizontalAdvance(hint);
    painter->setFont(textFont(TextSize::body));
    painter->setPen(tokens().text);
    const QRect place = row.adjusted(2 * gapText + iconSize, 0, -2 * gapText - hintSpace, 0);
    painter->drawText(place, Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, place.width()));
  }
};

}  // namespace

CommandBox::CommandBox(Workspace& workspace, std::function<std::vector<QAction*>()> actions, QWidget* parent)
    : QLineEdit(parent), workspace_(workspace), actions_(std::move(actions)) {
  setAccessibleName(tr("Command box"));
  addAction(icon(Symbol::search, IconInk::second), QLineEdit::LeadingPosition);
  const QFontMetrics metrics(textFont(TextSize::secondary));
  setTextMargins(0, 0, metrics.horizontalAdvance(boxKeys.toString(QKeySequence::NativeText)) + gapSmall, 0);
  connect(qApp, &QApplication::focusChanged, this, &CommandBox::rememberFocus);
  connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
    list_.setTyped(text);
    place();
    if (view_ != nullptr) view_->setCurrentIndex(list_.index(0));
  });
}

void CommandBox::begin() {
  setFocus(Qt::ShortcutFocusReason);
  selectAll();
  if (!isListOpen()) open();
}

bool CommandBox::isListOpen() const {
  return popup_ != nullptr && popup_->isVisible();
}

/// The longest placeholder that fits.
void CommandBox::resizeEvent(QResizeEvent* event) {
  QLineEdit::resizeEvent(event);
  const QString whole = tr("Type a command, a run or a metric");
  const int room = width() - textMargins().right() - iconRoom;
  setPlaceholderText(fontMetrics().horizontalAdvance(whole) <= room ? whole : tr("Command, run or metric"));
}

void CommandBox::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) open();
}

void CommandBox::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (popup_ != nullptr && event->reason() != Qt::PopupFocusReason) popup_->hide();
}

void CommandBox::rememberFocus(QWidget* before, QWidget* now) {
  if (now == this && before != this) before_ = before;
}

/// A child of the window, not a window: the letters go on to the box.
void CommandBox::open() {
  if (popup_ == nullptr) {
    popup_ = new QFrame(window());
    popup_->setProperty("card", true);
    popup_->setAutoFillBackground(true);
    view_ = new QListView;
    view_->setModel(&list_);
    view_->setItemDelegate(new CommandDelegate(view_));
    view_->setFocusPolicy(Qt::NoFocus);
    view_->setAccessibleName(tr("Commands that fit"));
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(view_, &QListView::clicked, this, &CommandBox::perform);
    QVBoxLayout* layout = column(popup_);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(view_);
  }
  fill({});
  const std::string run = workspace_.selection().current();
  if (run.empty()) return;
  workspace_.store().reader().read(
      this, [run](RunStore& store) { return store.metricNames(run); },
      [this, ticket = latest_.take()](const std::vector<std::string>& metrics) {
        if (latest_.isLatest(ticket) && isListOpen()) fill(metrics);
      });
}

void CommandBox::fill(const std::vector<std::string>& metrics) {
  std::vector<Command> commands;
  for (QAction* action : actions_()) {
    QString title = action->text();
    title.remove(QLatin1Char('&'));
    if (!action->isEnabled() || !action->isVisible() || title.isEmpty() || action->shortcut() == boxKeys) continue;
    commands.push_back({title, action->shortcut().toString(QKeySequence::NativeText), action->icon(),
                        [action = QPointer<QAction>(action)] {
                          if (action) action->trigger();
                        }});
  }
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const RunNames names(*snapshot);
  for (auto row = snapshot->runs.rbegin(); row != snapshot->runs.rend(); ++row) {
    commands.push_back({names.of(*row), tr("run %1").arg(QString::fromStdString(row->run.id)),
                        icon(Symbol::right, IconInk::second), [this, run = row->run.id] {
                          workspace_.selection().setCurrent(run);
                          workspace_.showPage(PageId::charts);
                        }});
  }
  for (const std::string& metric : metrics) {
    const QString name = QString::fromStdString(metric);
    commands.push_back({name, tr("metric"), icon(Symbol::evaluate, IconInk::second), [this, name] {
                          workspace_.showPage(PageId::charts);
                          workspace_.showMetric(name);
                        }});
  }
  list_.setCommands(std::move(commands));
  place();
  view_->setCurrentIndex(list_.index(0));
}

void CommandBox::place() {
  if (popup_ == nullptr) return;
  const int rows = std::min(mostRows, list_.rowCount());
  popup_->setVisible(rows > 0 && hasFocus());
  if (rows == 0) return;
  const QPoint below = mapTo(window(), QPoint(0, height() + 2));
  popup_->setGeometry(below.x(), below.y(), width(), rows * view_->sizeHintForRow(0) + 2);
  popup_->raise();
}

void CommandBox::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Down:
      return choose(1);
    case Qt::Key_Up:
      return choose(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return perform();
    case Qt::Key_Escape:
      return leave();
    default:
      if (!isListOpen() && !event->text().isEmpty()) open();
      QLineEdit::keyPressEvent(event);
  }
}

void CommandBox::choose(int step) {
  if (!isListOpen()) return open();
  const int rows = list_.rowCount();
  if (rows > 0) view_->setCurrentIndex(list_.index((view_->currentIndex().row() + step + rows) % rows));
}

void CommandBox::perform() {
  if (!isListOpen() || !view_->currentIndex().isValid()) return;
  const auto action = list_.at(view_->currentIndex().row()).perform;
  leave();
  action();
}

void CommandBox::leave() {
  clear();
  if (popup_ != nullptr) popup_->hide();
  if (before_ && before_->isVisible()) return before_->setFocus(Qt::OtherFocusReason);
  clearFocus();
}

void CommandBox::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  if (!text().isEmpty() || hasFocus()) return;
  QPainter painter(this);
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(rect().adjusted(0, 0, -gapText, 0), Qt::AlignVCenter | Qt::AlignRight,
                   boxKeys.toString(QKeySequence::NativeText));
}

}  // namespace slipstream::ui
