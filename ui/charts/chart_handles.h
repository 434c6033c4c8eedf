// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPoint>

class QLabel;
class QToolButton;

namespace slipstream::ui {

class MetricChart;

/// What takes hold of a chart on a page: its title moves it, its right and lower edges resize it, two buttons at its
/// title change how it shows its values and enlarge it. It says what people want; the page does it.
class ChartHandles : public QObject {
  Q_OBJECT

 public:
  explicit ChartHandles(MetricChart* chart);

  /// A chart alone on its page stays where it is.
  void setMovable(bool movable);
  void setEnlarged(bool enlarged);
  QToolButton* settingsButton() const { return settings_; }

 Q_SIGNALS:
  void settingsWanted();
  void enlargeWanted();
  void dragged(const QPoint& where);  ///< in the chart; it is held by its title
  void dropped(const QPoint& where);
  void dragCancelled();
  /// To a size in pixels; `done`: the edge was let go.
  void resizeWanted(const QSize& size, bool done);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class Grip { none, title, right, bottom, corner };
  Grip gripAt(const QPoint& place) const;
  bool press(const QPoint& place);
  bool move(const QPoint& place);
  bool release(const QPoint& place);
  void cancel();
  void place();
  void showCursor(Grip grip);

  MetricChart* chart_;
  QLabel* mark_;
  QToolButton* settings_;
  QToolButton* enlarge_;
  bool movable_ = true, enlarged_ = false;
  Grip held_ = Grip::none;
  bool moved_ = false;
  QPoint pressedAt_;
};

}  // namespace slipstream::ui
