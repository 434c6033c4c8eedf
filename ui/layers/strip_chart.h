// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainter>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "engine/analysis/layer_maps.h"

namespace slipstream::ui {

/// One entry of the key above the strips.
struct StripKey {
  bool map = false;  ///< the colours from `from` to 1 between `low` and `high`; else the text alone
  double from = 0;
  QString low, high;
  QString text;
};

/// Rows of cells over the steps of a run: a heat map, a timeline. A value, as ShownChart is.
struct StripModel {
  QString title;
  QString treatment;  ///< what was done to the numbers, where there is room for it
  StripKey key;
  std::vector<HeatRow> rows;               ///< NaN: an empty cell
  std::function<QColor(double)> colour;    ///< of a value in 0..1
  std::function<QString(double)> reading;  ///< text of a value
  bool numbers = false;                    ///< those texts are short numbers: each row has its own at the cursor
  bool emptyKey = false;                   ///< the key shows what an empty cell means
  QString emptyText;                       ///< "frozen"
  bool threads = false;                    ///< a hairline through each row

  double first = 0, last = 1;  ///< steps at the edges of the cells
  double leftRoom = 0;
  double rightRoom = 0;  ///< at least that much right of the cells, for what rows are worth at the cursor
  bool xLabels = true;
  std::optional<double> cursor;
};

/// From one row to the next, a gap of 2 px included; of very many rows less, and then not all are named.
inline constexpr int usualPitch = 24, roomyPitch = 30, leastPitch = 6, leastPitchForNumbers = 20;

/// Height of the title row.
int stripTitleHeight();

/// Title and what the cursor reads at the left, the key at the right, which ends at `right`.
void paintStripTitle(QPainter& painter, const StripModel& model, const QString& reading, double right);
void paintStrip(QPainter& painter, const StripModel& model, int row, int pitch, const QRectF& plot);
void paintStripAxis(QPainter& painter, const StripModel& model, const QRectF& plot, double width);
void paintStripCursor(QPainter& painter, const StripModel& model, const QRectF& plot, double pixel, double width);
/// What a row is worth at the cursor, right of its cells.
void paintStripReading(QPainter& painter, const QString& reading, const QRectF& plot, int row, int pitch);
/// What such numbers need right of the cells.
double stripReadingRoom();

/// Draws a StripModel on the axis of the charts above and below it.
class StripChart : public QWidget {
  Q_OBJECT

 public:
  explicit StripChart(QWidget* parent = nullptr);

  const StripModel& model() const { return model_; }
  void setModel(StripModel model);
  void setCursor(std::optional<double> x);
  /// From one row to the next.
  int pitch() const { return pitch_; }
  void setPitch(int pitch);

  /// What the names of these rows need left of the plot.
  static double roomOf(const std::vector<HeatRow>& rows);

  QRectF plot() const;
  double xAt(double pixel) const;
  double pixelOf(double x) const;
  /// Nothing where the place is beside the cells or the cell is empty.
  std::optional<double> valueAt(int row, double x) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void rangeWanted(double first, double last);
  void wholeRangeWanted();
  void cursorMoved(std::optional<double> x);
  void cursorStepped(int samples);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString readingText() const;
  void paintReadings(QPainter& painter) const;

  StripModel model_;
  int pitch_ = usualPitch;
  int row_ = -1;  ///< under the mouse, or chosen by the arrow keys
  std::optional<double> pressedAt_;
};

}  // namespace slipstream::ui
