// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

namespace slipstream::ui {

/// Parts of a whole side by side, with the rest of it empty.
class MemoryBar : public QWidget {
  Q_OBJECT

 public:
  struct Piece {
    QColor colour;
    double size;
  };

  explicit MemoryBar(QWidget* parent = nullptr);
  /// `whole` less than the pieces together: they are all there is.
  void setPieces(std::vector<Piece> pieces, double whole);
  QSize sizeHint() const override { return {200, 18}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Piece> pieces_;
  double whole_ = 0;
};

}  // namespace slipstream::ui
