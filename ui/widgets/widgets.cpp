// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/widgets.h"

#include <QAbstractButton>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QStyle>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "engine/rank_table/rank_table.h"

namespace slipstream::ui {

int widthForFont(int pixels) {
  // What the sentence takes in the font that the widths were chosen with.
  constexpr double chosenWith = 290;
  const double here = QFontMetricsF(textFont(TextSize::body))
                          .horizontalAdvance(QStringLiteral("Optimizer state of 1,000,000 weights, 10.136.101.171"));
  return static_cast<int>(std::ceil(pixels * std::max(1.0, here / chosenWith)));
}

QLabel* label(const QString& text, TextSize size, bool second) {
  auto* made = new QLabel(text);
  made->setTextFormat(Qt::PlainText);
  made->setFont(textFont(size));
  if (second) made->setProperty("second", true);
  return made;
}

QString listed(const QStringList& parts) {
  return parts.join(windowLanguage() == Language::chinese ? QStringLiteral("，") : QStringLiteral(", "));
}

QString enumerated(const QStringList& names) {
  return names.join(windowLanguage() == Language::chinese ? QStringLiteral("、") : QStringLiteral(", "));
}

QLabel* labelFor(const QString& title, QWidget* control) {
  QLabel* made = label(title);
  made->setBuddy(control);
  control->setAccessibleName(title);
  return made;
}

QString plainToolTip(const QString& text) {
  return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

QFrame* hairline() {
  auto* line = new QFrame;
  line->setProperty("line", true);
  line->setFixedHeight(1);
  return line;
}

void paintTint(QPainter& painter, const QWidget& widget, const QColor& tint) {
  constexpr int corner = 4;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tint);
  painter.drawRoundedRect(widget.rect(), corner, corner);
}

void paintHairline(QPainter& painter, const QRect& row) {
  const double width = 1 / painter.device()->devicePixelRatioF();
  painter.fillRect(QRectF(row.left(), row.top() + row.height() - width, row.width(), width), tokens().hairline);
}

QPushButton* button(const QString& text) {
  auto* made = new QPushButton(text);
  made->setAutoDefault(false);
  return made;
}

/// With the gap between icon and words that the style leaves out.
constexpr QSize iconBesideWords{22, 16};

QPushButton* button(Symbol symbol, const QString& text) {
  QPushButton* made = button(text);
  made->setIcon(icon(symbol));
  if (!text.isEmpty()) made->setIconSize(iconBesideWords);
  return made;
}

QPushButton* primaryButton(Symbol symbol, const QString& text) {
  QPushButton* made = button(text);
  made->setIcon(icon(symbol, IconInk::onAccent));
  made->setIconSize(iconBesideWords);
  made->setProperty("primary", true);
  return made;
}

QToolButton* iconButton(Symbol symbol, const QString& name) {
  auto* made = new QToolButton;
  made->setIcon(icon(symbol));
  made->setToolTip(name);
  made->setAccessibleName(name);
  return made;
}

QToolButton* toolButton(QAction* action) {
  auto* made = new QToolButton;
  made->setDefaultAction(action);
  made->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonTextBesideIcon);
  made->setIconSize(iconBesideWords);
  made->setProperty("framed", true);
  made->setProperty("wordsAlone", action->icon().isNull());
  return made;
}

void openMenuOf(QToolButton& button, Symbol symbol, QMenu* menu) {
  button.setIcon(icon(symbol));
  button.setIconSize(iconBesideWords);
  button.setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button.setProperty("framed", true);
  button.setProperty("menu", true);
  button.setPopupMode(QToolButton::InstantPopup);
  button.setMenu(menu);
}

QVBoxLayout* column(QWidget* parent, int gap) {
  auto* layout = parent == nullptr ? new QVBoxLayout : new QVBoxLayout(parent);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

QHBoxLayout* rowLayout(QWidget* parent, int gap) {
  auto* layout = parent == nullptr ? new QHBoxLayout : new QHBoxLayout(parent);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

void addAll(QBoxLayout& layout, const std::vector<QWidget*>& widgets) {
  for (QWidget* widget : widgets) layout.addWidget(widget);
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent), whole_(text) {
  setTextFormat(Qt::PlainText);
  elide();
}

void ElidedLabel::setWhole(const QString& text, const QStringList& shorter) {
  whole_ = text;
  shorter_ = shorter;
  updateGeometry();
  elide();
}

QSize ElidedLabel::minimumSizeHint() const {
  const QString least = shorter_.isEmpty() ? QStringLiteral("M…M") : shorter_.last();
  return {fontMetrics().horizontalAdvance(least) + (shorter_.isEmpty() ? 0 : 2), QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(whole_) + 2, QLabel::sizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

QString ElidedLabel::fitting() const {
  const auto cut = [this](const QString& text) { return fontMetrics().elidedText(text, Qt::ElideMiddle, width()); };
  if (shorter_.isEmpty() || cut(whole_) == whole_) return cut(whole_);
  for (const QString& text : shorter_) {
    if (cut(text) == text) return text;
  }
  return cut(shorter_.last());
}

void ElidedLabel::elide() {
  const QString shown = fitting();
  if (shown != text()) setText(shown);
  setToolTip(shown == whole_ ? QString() : plainToolTip(whole_));
}

namespace {

/// Of the strong words that rich text begins with, and of a full stop behind them; 0 where it begins otherwise.
int widthOfStrongStart(const QString& words, QFont font) {
  static const QRegularExpression start(QStringLiteral("^(<b>.*?</b>)(?!<b>)"));
  const QRegularExpressionMatch found = start.match(words);
  if (!found.hasMatch()) return 0;
  QTextDocument measured;
  measured.setDocumentMargin(0);
  measured.setDefaultFont(font);
  measured.setHtml(found.captured(1) + QLatin1Char('.'));
  return static_cast<int>(std::ceil(measured.idealWidth()));
}

}  // namespace

BalancedLabel::BalancedLabel(QWidget* parent) : QLabel(parent) {
  setWordWrap(true);
}

void BalancedLabel::setWords(const QString& words) {
  if (words == text()) return;
  setText(words);
  balance();
}

void BalancedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) balance();  // margins that change are told in this way, too
}

/// As narrow as the words can be without another line; but no narrower than a strong start that has room in one.
void BalancedLabel::balance() {
  constexpr int closeEnough = 4;
  setContentsMargins(0, 0, 0, 0);
  const int height = heightForWidth(width());
  int tooNarrow = width() / 2, enough = width();
  if (height <= fontMetrics().lineSpacing() * 3 / 2) return;  // one line is as good anywhere
  while (enough - tooNarrow > closeEnough) {
    const int middle = (enough + tooNarrow) / 2;
    (heightForWidth(middle) <= height ? enough : tooNarrow) = middle;
  }
  const int strong = widthOfStrongStart(text(), font());
  if (strong <= width()) enough = std::max(enough, strong);
  setContentsMargins(0, 0, width() - enough, 0);
}

QSize FittingStack::sizeHint() const {
  return currentWidget() == nullptr ? QSize() : currentWidget()->sizeHint();
}

QSize FittingStack::minimumSizeHint() const {
  return currentWidget() == nullptr ? QSize() : currentWidget()->minimumSizeHint();
}

StateChip::StateChip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateChip::setState(RunState state) {
  setState(state, stateText(state));
}

void StateChip::setState(RunState state, const QString& word) {
  state_ = state;
  word_ = word;
  setAccessibleName(word);
  updateGeometry();
  update();
}

QSize StateChip::sizeHint() const {
  return {fontMetrics().horizontalAdvance(word_) + 38, fontMetrics().height() + 4};
}

void StateChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(state_ == RunState::running ? tokens().informationTint : tokens().shade);
  painter.drawRoundedRect(rect(), 3, 3);
  paintState(painter, QRectF(8, (height() - 12) / 2.0, 12, 12), state_);
  painter.setPen(tokens().text);
  painter.drawText(rect().adjusted(26, 0, -6, 0), Qt::AlignVCenter, word_);
}

void paintSwatch(QPainter& painter, const QRectF& place, int slot) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const RunStroke pen = runPen(slot);
  if (pen.dash.isEmpty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.colour);
    painter.drawRoundedRect(place, 1.5, 1.5);
  } else {
    QPen dashed(pen.colour, place.height(), Qt::SolidLine, Qt::FlatCap);
    QList<double> pattern = pen.dash;
    for (double& length : pattern) length /= place.height();
    dashed.setDashPattern(pattern);
    painter.setPen(dashed);
    painter.drawLine(QLineF(place.left(), place.center().y(), place.right(), place.center().y()));
  }
  painter.restore();
}

QPixmap swatchPixmap(int slot, double ratio) {
  constexpr int width = 14, height = 4;
  QPixmap pixmap(QSize(width, height) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  paintSwatch(painter, QRectF(0, 0, width, height), slot);
  return pixmap;
}

EmptyState::EmptyState(const QString& what, const QString& why, QPushButton* button, QWidget* parent)
    : QWidget(parent), what_(label(what, TextSize::section)), why_(label(why, TextSize::body, true)) {
  QVBoxLayout* layout = column(this);
  layout->addStretch(2);
  what_->setAlignment(Qt::AlignHCenter);
  why_->setAlignment(Qt::AlignHCenter);
  why_->setWordWrap(true);
  layout->addWidget(what_);
  layout->addWidget(why_);
  if (button != nullptr) layout->addWidget(button, 0, Qt::AlignHCenter);
  layout->addStretch(3);
}

void EmptyState::setText(const QString& what, const QString& why) {
  what_->setText(what);
  why_->setText(why);
}

void repolish(QWidget* widget) {
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

void showSeverity(QWidget& words, std::optional<Verdict> severity) {
  words.setProperty("wrong", severity == Verdict::reject);
  words.setProperty("warningText", severity == Verdict::warn);
  repolish(&words);
}

void joinSegments(const std::vector<QAbstractButton*>& buttons) {
  std::vector<QAbstractButton*> shown;
  // One that nobody has shown or hidden yet will be shown with its parent.
  const auto isHidden = [](const QAbstractButton* one) {
    return one->isHidden() && one->testAttribute(Qt::WA_WState_ExplicitShowHide);
  };
  std::ranges::copy_if(buttons, std::back_inserter(shown), std::not_fn(isHidden));
  for (QAbstractButton* one : shown) {
    const bool first = one == shown.front(), last = one == shown.back();
    one->setProperty("segment", QString::fromLatin1(first && last ? "only"
                                                    : first       ? "first"
                                                    : last        ? "last"
                                                                  : "inner"));
    repolish(one);
  }
}

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)) {
  QHBoxLayout* row = rowLayout(this, 0);
  std::vector<QAbstractButton*> choices;
  for (int i = 0; i < labels.size(); ++i) {
    QPushButton* choice = button(labels[i]);
    choice->setCheckable(true);
    group_->addButton(choice, i);
    row->addWidget(choice);
    choices.push_back(choice);
  }
  joinSegments(choices);
  connect(group_, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SegmentedControl::setCurrent(int index) {
  group_->setExclusive(false);
  for (QAbstractButton* choice : group_->buttons()) choice->setChecked(group_->id(choice) == index);
  group_->setExclusive(true);
}

void SegmentedControl::setQuiet(bool quiet) {
  for (QAbstractButton* choice : group_->buttons()) {
    if (choice->property("quiet").toBool() == quiet) continue;
    choice->setProperty("quiet", quiet);
    repolish(choice);
  }
}

void showWithin(QWidget& popup, const QPoint& topRight) {
  QPoint place(topRight.x() - popup.width(), topRight.y());
  if (const QScreen* screen = QGuiApplication::screenAt(topRight)) {
    const QRect room = screen->availableGeometry();
    place.setX(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - popup.width())));
    place.setY(std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - popup.height())));
  }
  popup.move(place);
  popup.show();
}

Language windowLanguage() {
  return QLocale().language() == QLocale::Chinese ? Language::chinese : Language::english;
}

QString text(const Text& words) {
  return text(words.in(windowLanguage()));
}

}  // namespace slipstream::ui
