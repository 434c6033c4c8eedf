// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

class QWidget;

namespace slipstream::test {

/// A text as a widget draws it, whichever way: a label, a delegate, a chart.
struct DrawnText {
  QString text;
  QRectF ink;   ///< in the widget
  QRectF room;  ///< in the widget: where the painter draws, which is the widget's or less
  const QWidget* widget = nullptr;
};

/// All that the visible widgets of a window draw. Parts that stand beside each other in one line are one text.
std::vector<DrawnText> drawnTexts(QWidget& window);

/// "RunsDock > QTreeView", from the window down.
QString pathOf(const QWidget& widget);

}  // namespace slipstream::test
