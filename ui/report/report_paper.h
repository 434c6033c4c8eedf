// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QPicture>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "engine/record/report_summary.h"
#include "ui/charts/chart_picture.h"
#include "ui/parts/cell_grid.h"

namespace slipstream::ui {

/// A report on paper: what the page shows, drawn as vectors, in the colours of paper. Lengths are pixels at 96 dpi.
/// Text and colours belong to the window's thread, so it is drawn piece by piece and the window goes on in between.
class ReportPaper {
 public:
  /// Sheets of a size; `endless`: one sheet as high as it needs to be.
  ReportPaper(const QSizeF& sheet, bool endless, std::shared_ptr<const ReportSummary> summary);

  /// Draws the next piece; false where nothing is left.
  bool drawNext();

  /// Writes the foot of every sheet and gives them away.
  std::vector<QPicture> finish();
  /// Of the sheets; of an endless one what is used.
  QSizeF size() const;

 private:
  struct Sheet {
    QPicture picture;
    QPainter painter;
  };

  void plan();
  void planTable(CellGrid grid);
  void drawHead();
  void drawCharts();
  void drawFoot();
  QPainter& painter() { return sheets_.back()->painter; }
  void startSheet();
  /// Room of this height; on the next sheet where this one has too little.
  double take(double height);
  double width() const;
  void addText(const QString& text, const QFont& font, const QColor& colour);
  void addRichText(const QString& html);
  void addFacts(const std::vector<std::pair<QString, QString>>& facts);
  void addCharts(const std::vector<ChartPicture>& pictures);
  void addRow(const CellGrid& grid, const std::vector<double>& widths, double scale, const std::vector<Cell>* row);
  void skip(double height);

  QSizeF sheet_;
  bool endless_;
  std::shared_ptr<const ReportSummary> summary_;
  std::deque<std::function<void()>> pieces_;  ///< still to be drawn
  double top_ = 0;
  std::vector<std::unique_ptr<Sheet>> sheets_;
};

}  // namespace slipstream::ui
