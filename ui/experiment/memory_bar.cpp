// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/memory_bar.h"

#include <QPainter>

#include "ui/theme/theme.h"

namespace slipstream::ui {

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
  setFixedHeight(sizeHint().height());
}

void MemoryBar::setPieces(std::vector<Piece> pieces, double whole) {
  pieces_ = std::move(pieces);
  double together = 0;
  for (const Piece& piece : pieces_) together += piece.size;
  whole_ = std::max(whole, together);
  update();
}

void MemoryBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), tokens().base);
  double left = 0;
  for (const Piece& piece : pieces_) {
    const double width = whole_ > 0 ? piece.size / whole_ * this->width() : 0;
    if (width >= 0.5) painter.fillRect(QRectF(left, 0, std::max(1.0, width - 1), height()), piece.colour);
    left += width;
  }
  painter.setPen(tokens().hairline);
  painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
}

}  // namespace slipstream::ui
