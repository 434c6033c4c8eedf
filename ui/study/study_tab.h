// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "engine/study_results/study_reading.h"
#include "ui/widgets/cell_grid.h"

class QLabel;
class QVBoxLayout;

namespace slipstream::ui {

class CellTable;
class ChartFlow;

/// What a tab is about: a study, and the cell that is chosen in its matrix.
struct StudyView {
  const StudyReading& reading;
  StudySettings factors;  ///< of the chosen column
  std::string variant;    ///< of the chosen row; empty: none
};

/// One view of what a study came to: charts, a table of their figures, and a line of how to read them; or why there is
/// nothing to draw.
class StudyTab : public QWidget {
  Q_OBJECT

 public:
  explicit StudyTab(QWidget* parent = nullptr);

  virtual QString title() const = 0;
  virtual void show(const StudyView& view) = 0;

  /// A chart or a table, not only words about why there is none.
  bool hasFigures() const;
  /// Charts have a height for the window's.
  void fitToWindow();
  const QLabel& note() const { return *note_; }
  CellTable& table() { return *table_; }
  ChartFlow& charts() { return *charts_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showNothing(const QString& why);
  /// `order`: in which curves are named; empty: as they are drawn.
  void showCharts(const std::vector<ChartModel>& models, const std::vector<std::size_t>& order = {});
  /// `note`: how to read it; empty: none.
  void showTable(CellGrid grid, const QString& note);
  QVBoxLayout& body() { return *body_; }

 private:
  QVBoxLayout* body_;
  ChartFlow* charts_;
  CellTable* table_;
  QLabel* note_;
};

}  // namespace slipstream::ui
