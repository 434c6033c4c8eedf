// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/documents/rank_table_document.h"

namespace slipstream::ui {

/// Which rank is where: a box for each device, under the name of its server. Boxes at fault are tinted. A click or the
/// arrow keys choose a device.
class PlacementView : public QWidget {
  Q_OBJECT

 public:
  PlacementView(RankTableDocument& document, QWidget* parent);

  void setCurrent(RankTablePosition place);
  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosen(RankTablePosition place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Box {
    RankTablePosition place;
    QRect where;
    QString text;
  };
  void arrange();
  int columns() const;
  void paintBox(QPainter& painter, const Box& box) const;
  const Box* boxAt(const QPoint& point) const;

  RankTableDocument& document_;
  std::vector<Box> boxes_;
  std::vector<Box> names_;  ///< of servers
  RankTablePosition current_;
};

}  // namespace slipstream::ui
