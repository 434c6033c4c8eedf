// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QButtonGroup>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/text.h"
#include "engine/store/run_store.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

class QAction;
class QBoxLayout;
class QHBoxLayout;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace slipstream {
enum class Verdict;
}

namespace slipstream::ui {

// The small widgets that every page is made of.

/// Margins and gaps of the 4 px grid.
inline constexpr int gapSmall = 4, gapText = 8, gapWide = 12, pageMargin = 16, gapSection = 24;

/// Scales a width that was chosen with the design's font to the font in use; at least `pixels`.
int widthForFont(int pixels);

/// Text in one size of the scale, which is no HTML: names may look like it. `second`: in the colour of captions.
QLabel* label(const QString& text, TextSize size = TextSize::body, bool second = false);
/// "a, b", as the language of the window separates parts of a text.
QString listed(const QStringList& parts);
/// "a, b" of names; in Chinese "a、b", where the comma parts clauses alone.
QString enumerated(const QStringList& names);
/// The title of a control, which gives it the keyboard focus and its name for screen readers.
QLabel* labelFor(const QString& title, QWidget* control);
/// A tool tip that shows the text as it is, also where it looks like HTML.
QString plainToolTip(const QString& text);
QFrame* hairline();
/// Below a row, over its whole width: one pixel of the screen, on dense ones too.
void paintHairline(QPainter& painter, const QRect& row);
/// Fills all of the widget, with round corners.
void paintTint(QPainter& painter, const QWidget& widget, const QColor& tint);
QPushButton* button(const QString& text);
QPushButton* button(Symbol symbol, const QString& text);
QPushButton* primaryButton(Symbol symbol, const QString& text);
/// A button of an icon alone; its tool tip is its name.
QToolButton* iconButton(Symbol symbol, const QString& name);
/// A framed button of a tool bar, with icon and text.
QToolButton* toolButton(QAction* action);
/// Makes a button one of those that open a menu: framed, with an icon before its words and a mark behind them.
void openMenuOf(QToolButton& button, Symbol symbol, QMenu* menu);

/// A column without margins.
QVBoxLayout* column(QWidget* parent, int gap = gapText);
/// The same as a row.
QHBoxLayout* rowLayout(QWidget* parent, int gap = gapText);
/// One after the other.
void addAll(QBoxLayout& layout, const std::vector<QWidget*>& widgets);

/// Text that is cut in its middle where it is too long, with the whole of it as tool tip. Text of the
/// program itself is never cut: it has shorter forms, of which the last always fits, or none at all.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
  /// `shorter`: shown instead, the first one that fits.
  void setWhole(const QString& text, const QStringList& shorter = {});
  QString whole() const { return whole_; }
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void elide();
  QString fitting() const;

  QString whole_;
  QStringList shorter_;
};

/// Words of a few lines, all about as long: none ends with a single word on a line of its own.
class BalancedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit BalancedLabel(QWidget* parent = nullptr);
  /// Where they are rich text and begin with strong words, those are in one line that has room for them.
  void setWords(const QString& words);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void balance();
};

/// As high as the page that it shows, not as the highest of all.
class FittingStack : public QStackedWidget {
 public:
  using QStackedWidget::QStackedWidget;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
};

/// A run's state as shape and text, on a shade.
class StateChip : public QWidget {
  Q_OBJECT

 public:
  explicit StateChip(QWidget* parent = nullptr);
  void setState(RunState state);
  /// The shape with another text: "Modified".
  void setState(RunState state, const QString& word);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  RunState state_ = RunState::draft;
  QString word_;
};

/// Paints a short piece of a run's line: its colour and its dash.
void paintSwatch(QPainter& painter, const QRectF& place, int slot);
/// An image of paintSwatch, for menus and labels. `ratio`: device pixels of one.
QPixmap swatchPixmap(int slot, double ratio);

/// What a page shows when it has nothing: what is missing, why, and one button.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  EmptyState(const QString& what, const QString& why, QPushButton* button = nullptr, QWidget* parent = nullptr);
  void setText(const QString& what, const QString& why);

 private:
  QLabel* what_;
  QLabel* why_;
};

/// Styles a widget anew: a property that the style sheet asks for has changed.
void repolish(QWidget* widget);

/// Colours words by how bad is what they tell: a mistake, a warning, or nothing of the kind.
void showSeverity(QWidget& words, std::optional<Verdict> severity);

/// Draws buttons that are side by side, without a gap, as one control; those that are hidden are left out.
void joinSegments(const std::vector<QAbstractButton*>& buttons);

/// A few choices side by side, of which one holds.
class SegmentedControl : public QWidget {
  Q_OBJECT

 public:
  explicit SegmentedControl(const QStringList& labels, QWidget* parent = nullptr);

  void setCurrent(int index);  ///< -1: none
  /// The choice is there, and something else overrides it.
  void setQuiet(bool quiet);
  int current() const { return group_->checkedId(); }

 Q_SIGNALS:
  void chosen(int index);  ///< by a person

 private:
  QButtonGroup* group_;
};

/// Shows a popup of its own size with its upper right corner at `topRight`, moved in where the screen ends.
void showWithin(QWidget& popup, const QPoint& topRight);

// What the engine says, as the window shows it.
inline QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}
/// The language that documents are put into words in: the window's where it is one of theirs, else English.
Language windowLanguage();
QString text(const Text& text);

}  // namespace slipstream::ui
