// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace slipstream::ui {

/// Set on widgets that draw their own focus.
inline constexpr const char* drawsFocusProperty = "drawsFocus";

/// A ring in the accent around the widget of a window that has the focus, where neither the style sheet nor the widget
/// draws one: labels with text to select, lists, sliders, the row of tabs.
class FocusRing : public QWidget {
  Q_OBJECT

 public:
  explicit FocusRing(QWidget* window);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow(QWidget* widget);
  void noteInput(QEvent* event);
  void place();

  QPointer<QWidget> around_;
  bool byKeys_ = false;  ///< the last input was a key
};

}  // namespace slipstream::ui
