// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ui/runs/run_table.h"

namespace slipstream::ui {

/// Where the values of one column stand on its axis, from 0 at its lower end to 1.
class ParallelAxis {
 public:
  ParallelAxis(std::size_t column, const std::vector<const RunValues*>& runs);

  std::size_t column() const { return column_; }
  /// Nothing where the run has no value there; "never" is at the end that is worse.
  std::optional<double> placeOf(const RunValues& values) const;
  /// What is written beside the axis, from below.
  struct Mark {
    double place = 0;
    QString text;
  };
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  void markNumbers();
  void markTexts();
  double placeOfNumber(double value) const;

  std::size_t column_;
  double lowest_ = 0, highest_ = 0;
  bool hasNumbers_ = false, hasNever_ = false, isLogarithmic_ = false;
  std::map<std::string, double> texts_;
  std::vector<Mark> marks_;
};

/// Parallel coordinates: an axis for each column, a line for each run that the table shows. The line at the mouse is
/// named, a click chooses its run, the arrow keys go through the runs in the order of the table.
class ParallelView : public QWidget {
  Q_OBJECT

 public:
  explicit ParallelView(QWidget* parent = nullptr);

  void show(const ArrangedRunsPointer& table, const std::vector<std::size_t>& columns);
  void setSlots(std::map<std::string, int> slots);
  void setTicked(std::set<std::string> ticked);
  void setCurrentRun(const std::string& run);
  /// Runs that are drawn, and that the table shows.
  std::size_t drawnRuns() const { return lines_.size(); }
  const std::vector<ParallelAxis>& axes() const { return axes_; }
  QSize sizeHint() const override { return {640, 360}; }
  QSize minimumSizeHint() const override { return {240, 160}; }

 Q_SIGNALS:
  void chosen(const QString& run);
  void opened(const QString& run);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct DrawnLine {
    const TableRow* row = nullptr;
    std::vector<std::optional<double>> places;  ///< one an axis
  };

  QRectF plot() const;
  double xOf(std::size_t axis) const;
  void stale();
  void drawAll(QPainter& painter) const;
  void drawAxes(QPainter& painter) const;
  void drawLine(QPainter& painter, const DrawnLine& line) const;
  int lineAt(const QPointF& place) const;
  int currentLine() const;
  void describe();

  ArrangedRunsPointer table_;  ///< lines point into it
  std::vector<ParallelAxis> axes_;
  std::vector<DrawnLine> lines_;
  std::map<std::string, int> slots_;
  std::set<std::string> ticked_;
  std::string current_;
  int hovered_ = -1;
  std::size_t left_ = 0;  ///< runs that are not drawn
  QPixmap drawn_;         ///< all but what is at hand
};

}  // namespace slipstream::ui
