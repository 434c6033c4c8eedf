// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/filter_line.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTextCharFormat>
#include <algorithm>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int typingMilliseconds = 60;
constexpr int remarkRole = Qt::UserRole + 1, lineRole = Qt::UserRole + 2;
constexpr int popupRowHeight = 26, leastPopupWidth = 280;

/// The proposal at the left, what it holds at the right.
class ProposalDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, tokens().selection);
    const QRect place = option.rect.adjusted(gapText, 0, -gapText, 0);
    painter->setFont(textFont(TextSize::body));
    painter->setPen(tokens().text);
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
    painter->setFont(textFont(TextSize::secondary));
    painter->setPen(tokens().secondText);
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignRight, index.data(remarkRole).toString());
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QFontMetrics metrics(textFont(TextSize::body));
    const QString all = index.data().toString() + index.data(remarkRole).toString();
    return {metrics.horizontalAdvance(all) + 5 * gapText, std::max(popupRowHeight, option.fontMetrics.height() + 8)};
  }
};

/// What is taken becomes the whole line.
class LineCompleter : public QCompleter {
 public:
  using QCompleter::QCompleter;
  QString pathFromIndex(const QModelIndex& index) const override { return index.data(lineRole).toString(); }
  QStringList splitPath(const QString& path) const override { return {path}; }
};

}  // namespace

FilterLine::FilterLine(QWidget* parent)
    : QLineEdit(parent), completer_(new LineCompleter(this)), model_(new QStandardItemModel(this)) {
  setPlaceholderText(tr("Filter, e.g. accuracy>97% training<10"));
  setAccessibleName(tr("Filter the table of runs"));
  setAccessibleDescription(tr("Tab completes what is typed"));
  setToolTip(
      tr("Words, state:failed, algo:adasum, tag:paper, seed:1, ranks>4, accuracy>97%, memory>1.2GB, "
         "created>=2026-03-14, is:pinned; a minus before what must not hold; quotes around several words"));
  setClearButtonEnabled(true);
  addAction(icon(Symbol::filter, IconInk::second), LeadingPosition);
  completer_->setModel(model_);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->setMaxVisibleItems(12);
  completer_->popup()->setItemDelegate(new ProposalDelegate(completer_));
  completer_->popup()->setMinimumWidth(widthForFont(leastPopupWidth));
  completer_->popup()->installEventFilter(this);
  setCompleter(completer_);
  typing_.setSingleShot(true);
  typing_.setInterval(typingMilliseconds);
  connect(&typing_, &QTimer::timeout, this, &FilterLine::read);
  connect(this, &QLineEdit::textEdited, this, &FilterLine::propose);
  connect(this, &QLineEdit::textChanged, this, [this] {
    typing_.start();
    shade();
  });
}

void FilterLine::propose() {
  static const std::vector<ColumnExtent> nothing;
  proposals_ = proposalsFor(text(), cursorPosition(), extents_ ? *extents_ : nothing);
  model_->clear();
  for (const FilterProposal& proposal : proposals_) {
    auto* item = new QStandardItem(proposal.text);
    item->setData(proposal.remark, remarkRole);
    item->setData(proposal.line, lineRole);
    item->setData(QStringLiteral("%1, %2").arg(proposal.text, proposal.remark), Qt::AccessibleTextRole);
    model_->appendRow(item);
  }
  if (proposals_.empty()) completer_->popup()->hide();
}

void FilterLine::read() {
  const auto query = RunQuery::parse(text().toStdString());
  typedMistake_ = query ? QString() : QString::fromStdString(toText(query.error()));
  refusal_.clear();
  showMistake();
  if (!query) return;
  query_ = *query;
  Q_EMIT queryChanged();
}

void FilterLine::setRefusal(const QString& refusal) {
  refusal_ = refusal;
  showMistake();
}

/// What is wrong in the text stays wrong, whatever the store says of the query before.
void FilterLine::showMistake() {
  const QString& mistake = typedMistake_.isEmpty() ? refusal_ : typedMistake_;
  if (mistake == mistake_) return;
  mistake_ = mistake;
  setProperty("wrong", !mistake.isEmpty());
  repolish(this);
  Q_EMIT mistakeChanged();
}

/// The text of a line has formats only as the one that an input method is at work on has.
void FilterLine::shade() {
  if (isShading_) return;
  isShading_ = true;
  QList<QInputMethodEvent::Attribute> attributes;
  for (const FilterTerm& term : termsOf(text())) {
    const bool isFinished = term.begin + term.length < text().size() || !hasFocus();
    if (!term.isCondition || !isFinished) continue;
    QTextCharFormat format;
    format.setBackground(tokens().shade);
    attributes.append({QInputMethodEvent::TextFormat, term.begin - cursorPosition(), term.length, format});
  }
  QInputMethodEvent event(QString(), attributes);
  QLineEdit::inputMethodEvent(&event);
  isShading_ = false;
}

/// The popup has the keys while it is open: Tab takes the first proposal where none was chosen.
bool FilterLine::eventFilter(QObject* watched, QEvent* event) {
  if (watched == completer_->popup() && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Tab && model_->rowCount() > 0) {
      takeProposal(std::max(0, completer_->popup()->currentIndex().row()));
      return true;
    }
  }
  return QLineEdit::eventFilter(watched, event);
}

/// What comes next is proposed at once: comparisons behind a column, values behind a comparison.
void FilterLine::takeProposal(int row) {
  const QString line = model_->item(row)->data(lineRole).toString();
  const auto behind = static_cast<int>(text().size()) - cursorPosition();
  completer_->popup()->hide();
  setText(line);
  setCursorPosition(static_cast<int>(line.size()) - behind);
  propose();
  if (!proposals_.empty()) completer_->complete();
}

bool FilterLine::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
    QMetaObject::invokeMethod(this, &FilterLine::shade, Qt::QueuedConnection);
  }
  return QLineEdit::event(event);
}

void FilterLine::keyPressEvent(QKeyEvent* event) {
  const bool behindBlank = !hasSelectedText() && cursorPosition() == text().size() && text().endsWith(QLatin1Char(' '));
  if (event->key() == Qt::Key_Backspace && event->modifiers() == Qt::NoModifier && behindBlank) {
    const std::vector<FilterTerm> terms = termsOf(text());
    if (!terms.empty() && terms.back().isCondition) {
      setSelection(terms.back().begin, static_cast<int>(text().size()) - terms.back().begin);
      return del();
    }
  }
  QLineEdit::keyPressEvent(event);
}

void FilterLine::changeEvent(QEvent* event) {
  QLineEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) shade();
}

}  // namespace slipstream::ui
