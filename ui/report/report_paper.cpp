// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_paper.h"

#include <QFontMetricsF>
#include <QTextDocument>
#include <algorithm>
#include <numeric>

#include "ui/charts/chart_painter.h"
#include "ui/compare/comparison_grids.h"
#include "ui/compare/comparison_words.h"
#include "ui/compare/figure_picture.h"
#include "ui/parts/cell_painter.h"
#include "ui/parts/parts.h"
#include "ui/report/report_text.h"
#include "ui/report/report_words.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr double margin = 48, chartHeight = 220, rowHeight = 24, footHeight = 20;
constexpr int mostFactColumns = 2;
constexpr std::size_t rowsOfPiece = 16;

}  // namespace

ReportPaper::ReportPaper(const QSizeF& sheet, bool endless, std::shared_ptr<const ReportSummary> summary)
    : sheet_(sheet), endless_(endless), summary_(std::move(summary)) {
  startSheet();
  plan();
}

bool ReportPaper::drawNext() {
  if (pieces_.empty()) return false;
  const PaperColours paper;
  pieces_.front()();
  pieces_.pop_front();
  return true;
}

double ReportPaper::width() const {
  return sheet_.width() - 2 * margin;
}

QSizeF ReportPaper::size() const {
  return endless_ ? QSizeF(sheet_.width(), top_ + margin) : sheet_;
}

void ReportPaper::startSheet() {
  sheets_.push_back(std::make_unique<Sheet>());
  painter().begin(&sheets_.back()->picture);
  painter().setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  top_ = margin;
}

double ReportPaper::take(double height) {
  const double bottom = sheet_.height() - margin - footHeight;
  if (!endless_ && top_ > margin && top_ + height > bottom) startSheet();
  const double at = top_;
  top_ += height;
  return at;
}

void ReportPaper::skip(double height) {
  if (top_ > margin) top_ += height;
}

void ReportPaper::addText(const QString& text, const QFont& font, const QColor& colour) {
  const QRectF endlessRoom(0, 0, width(), 1e6);
  const int flags = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap | Qt::TextWrapAnywhere;
  const double height = QFontMetricsF(font).boundingRect(endlessRoom, flags, text).height();
  const double at = take(height);
  painter().setFont(font);
  painter().setPen(colour);
  painter().drawText(QRectF(margin, at, width(), height + 2), flags, text);
}

void ReportPaper::addRichText(const QString& html) {
  QTextDocument document;
  document.setDefaultFont(textFont(TextSize::body));
  document.setDocumentMargin(0);
  document.setHtml(QStringLiteral("<div style=\"color:%1\">%2</div>").arg(tokens().text.name(), html));
  document.setTextWidth(width());
  const double at = take(document.size().height());
  painter().save();
  painter().translate(margin, at);
  document.drawContents(&painter());
  painter().restore();
}

void ReportPaper::addFacts(const std::vector<std::pair<QString, QString>>& facts) {
  const QFontMetricsF names(textFont(TextSize::secondary));
  const QFontMetricsF values(textFont(TextSize::body));
  const double height = names.height() + values.height() + gapText;
  const double column = width() / mostFactColumns;
  double at = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto place = static_cast<int>(i) % mostFactColumns;
    if (place == 0) at = take(height);
    const double left = margin + place * column;
    painter().setFont(textFont(TextSize::secondary));
    painter().setPen(tokens().secondText);
    painter().drawText(QPointF(left, at + names.ascent()), facts[i].first);
    painter().setFont(textFont(TextSize::body));
    painter().setPen(tokens().text);
    painter().drawText(QPointF(left, at + names.height() + values.ascent()),
                       values.elidedText(facts[i].second, Qt::ElideMiddle, column - gapWide));
  }
}

void ReportPaper::addCharts(const std::vector<ChartPicture>& pictures) {
  const double column = (width() - gapSection) / 2;
  double at = 0;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (i % 2 == 0) at = take(chartHeight + gapWide);
    ChartPainter chart;
    chart.layOut(pictures[i], QSizeF(column, chartHeight));
    painter().save();
    painter().translate(margin + static_cast<double>(i % 2) * (column + gapSection), at);
    chart.paint(painter());
    chart.paintCursor(painter());
    painter().restore();
  }
}

/// A piece for its head, and one for every few rows.
void ReportPaper::planTable(CellGrid grid) {
  struct Table {
    CellGrid grid;
    std::vector<double> widths;
    double scale = 1;
  };
  const auto table = std::make_shared<Table>(Table{std::move(grid), {}});
  pieces_.emplace_back([this, table] {
    for (std::size_t column = 0; column < table->grid.heads.size(); ++column) {
      double needed = headWidth(table->grid.heads[column]);
      for (const auto& row : table->grid.rows) needed = std::max(needed, cellWidth(row[column]));
      table->widths.push_back(needed);
    }
    const double needed = std::accumulate(table->widths.begin(), table->widths.end(), 0.0);
    // A table that is too wide is made smaller as a whole; one that is not fills the width with its first column.
    table->scale = std::min(1.0, width() / needed);
    if (table->scale == 1.0) table->widths.front() += width() - needed;
    addRow(table->grid, table->widths, table->scale, nullptr);
  });
  for (std::size_t first = 0; first < table->grid.rows.size(); first += rowsOfPiece) {
    pieces_.emplace_back([this, table, first] {
      const std::size_t end = std::min(first + rowsOfPiece, table->grid.rows.size());
      for (std::size_t row = first; row < end; ++row) {
        addRow(table->grid, table->widths, table->scale, &table->grid.rows[row]);
      }
    });
  }
}

/// The heads where there is no row; a row that comes to stand on a new sheet has them above it.
void ReportPaper::addRow(const CellGrid& grid, const std::vector<double>& widths, double scale,
                         const std::vector<Cell>* row) {
  const std::size_t sheets = sheets_.size();
  double at = take(rowHeight * scale);
  if (row != nullptr && sheets_.size() > sheets) {
    top_ = margin;
    addRow(grid, widths, scale, nullptr);
    at = take(rowHeight * scale);
  }
  const double total = std::accumulate(widths.begin(), widths.end(), 0.0);
  painter().save();
  painter().translate(margin, at);
  painter().scale(scale, scale);
  if (row == nullptr) painter().fillRect(QRectF(0, 0, total, rowHeight), tokens().window);
  double left = 0;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    const QRectF place(left, 0, widths[column], rowHeight);
    if (row == nullptr) {
      paintHead(painter(), place, grid.heads[column]);
    } else {
      paintCell(painter(), place, (*row)[column], grid.heads[column].number);
    }
    left += widths[column];
  }
  painter().setPen(QPen(tokens().hairline, 1));
  painter().drawLine(QPointF(0, rowHeight), QPointF(total, rowHeight));
  painter().restore();
}

void ReportPaper::drawHead() {
  addText(reportText(QT_TRANSLATE_NOOP("Report", "Slipstream report")), textFont(TextSize::secondary),
          tokens().secondText);
  skip(gapWide);
  addText(reportTitle(*summary_), textFont(TextSize::welcomeTitle), tokens().text);
  skip(gapText);
  addRichText(reportLead(*summary_));
  skip(pageMargin);
  addFacts(reportFacts(*summary_));
  skip(pageMargin);
}

void ReportPaper::drawCharts() {
  std::vector<ChartPicture> pictures;
  if (!summary_->accuracy.empty()) pictures.push_back(accuracyPicture(summary_->accuracy, FigureAxis::step));
  if (!summary_->loss.empty()) pictures.push_back(lossPicture(summary_->loss, FigureAxis::step));
  shareAxis(pictures);
  addCharts(pictures);
}

void ReportPaper::drawFoot() {
  skip(gapText);
  for (const QString& remark : remarksOf(summary_->comparison)) {
    addText(remark, textFont(TextSize::secondary), tokens().secondText);
  }
  skip(pageMargin);
  addText(reportText(QT_TRANSLATE_NOOP("Report", "Repeat it")), textFont(TextSize::section), tokens().text);
}

void ReportPaper::plan() {
  const PaperColours paper;
  const Comparison& comparison = summary_->comparison;
  pieces_.emplace_back([this] { drawHead(); });
  pieces_.emplace_back([this] { drawCharts(); });
  for (JudgedGrid& judged : judgedGrids(comparison)) {
    pieces_.emplace_back([this] { skip(gapWide); });
    planTable(std::move(judged.cells));
  }
  if (comparison.arms.size() > 1 && !comparison.differences.empty()) {
    pieces_.emplace_back([this] { skip(gapSection); });
    planTable(differencesGrid(comparison, false));
  }
  pieces_.emplace_back([this] { skip(gapSection); });
  planTable(outcomesGrid(comparison));
  pieces_.emplace_back([this] { drawFoot(); });
  for (const std::string& command : summary_->commands) {
    pieces_.emplace_back([this, command] {
      skip(gapSmall);
      addText(QString::fromStdString(command), fixedFont(), tokens().text);
    });
  }
}

std::vector<QPicture> ReportPaper::finish() {
  const PaperColours paper;
  std::vector<QPicture> pictures;
  for (std::size_t i = 0; i < sheets_.size(); ++i) {
    Sheet& sheet = *sheets_[i];
    if (!endless_) {
      sheet.painter.setFont(textFont(TextSize::secondary));
      sheet.painter.setPen(tokens().secondText);
      sheet.painter.drawText(QRectF(margin, sheet_.height() - margin - footHeight / 2, width(), footHeight),
                             Qt::AlignRight | Qt::AlignVCenter,
                             reportText(QT_TRANSLATE_NOOP("Report", "page %1 of %2")).arg(i + 1).arg(sheets_.size()));
    }
    sheet.painter.end();
    pictures.push_back(sheet.picture);
  }
  return pictures;
}

}  // namespace slipstream::ui
