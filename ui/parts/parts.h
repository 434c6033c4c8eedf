// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>

#include "engine/record/run_store.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

class QVBoxLayout;

namespace slipstream::ui {

// The small pieces that every page is made of.

/// Margins and gaps of the 4 px grid.
inline constexpr int gapSmall = 4, gapText = 8, gapWide = 12, pageMargin = 16, gapSection = 24;

/// A width that holds its text in the look's own font, for the font at hand: at least `pixels`.
int widthForFont(int pixels);

/// Text in one size of the scale. `second`: in the colour of captions.
QLabel* label(const QString& text, TextSize size = TextSize::body, bool second = false);
QFrame* hairline();
QPushButton* button(const QString& text);
QPushButton* button(Symbol symbol, const QString& text);
QPushButton* primaryButton(Symbol symbol, const QString& text);
/// A column without margins.
QVBoxLayout* column(QWidget* parent, int gap = gapText);

/// Text that is cut in its middle where it is too long, with the whole of it as tool tip. Words of our own are never
/// cut: they have shorter ones, of which the last always has room, or none at all.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
  /// `shorter`: said instead, the first one that has room.
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

/// A run's state as shape and word, on a shade.
class StateChip : public QWidget {
  Q_OBJECT

 public:
  explicit StateChip(QWidget* parent = nullptr);
  void setState(RunState state);
  /// The shape with another word: "Modified".
  void setState(RunState state, const QString& word);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  RunState state_ = RunState::draft;
  QString word_;
};

/// A short piece of a run's line: its colour and its dash. 14 x 4 px.
class Swatch : public QWidget {
  Q_OBJECT

 public:
  explicit Swatch(int slot = 0, QWidget* parent = nullptr);
  void setSlot(int slot);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int slot_;
};
void paintSwatch(QPainter& painter, const QRectF& place, int slot);

/// What a page shows when it has nothing: what is missing, why, and one button.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  EmptyState(const QString& what, const QString& why, QPushButton* button = nullptr, QWidget* parent = nullptr);
  void setWords(const QString& what, const QString& why);

 private:
  QLabel* what_;
  QLabel* why_;
};

}  // namespace slipstream::ui
