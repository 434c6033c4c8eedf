// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/chart_flow.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <algorithm>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int leastChartWidth = 290, mostColumns = 3;
constexpr int lowPage = 640, lowChart = 170, usualChart = 250;  ///< heights

/// The next or last sample of the first curve from x on.
std::optional<double> stepped(const ShownChart& model, int samples) {
  if (model.curves.empty() || model.curves.front().line.empty()) return std::nullopt;
  const Line& line = model.curves.front().line.front();
  if (line.x.empty()) return std::nullopt;
  const auto found = std::lower_bound(line.x.begin(), line.x.end(), model.cursor.value_or(line.x.back()));
  const auto last = std::ssize(line.x) - 1;
  const auto at = std::clamp<std::ptrdiff_t>(found - line.x.begin() + samples, 0, last);
  return line.x[static_cast<std::size_t>(at)];
}

}  // namespace

ChartFlow::ChartFlow(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(gapWide);
  laidOut_.setSingleShot(true);
  connect(&laidOut_, &QTimer::timeout, this, &ChartFlow::growToRow);
  grid_->setVerticalSpacing(gapWide);
}

LineChart* ChartFlow::makeChart() {
  auto* chart = new LineChart(this);
  chart->setFixedHeight(height_);
  connect(chart, &LineChart::cursorMoved, this, [this, chart](std::optional<double> x) {
    moveCursor(*chart, x);
    if (!x) Q_EMIT cursorLeft();
  });
  connect(chart, &LineChart::cursorStepped, this, [this, chart](int samples) {
    if (const auto x = stepped(chart->model(), samples)) moveCursor(*chart, x);
  });
  return chart;
}

void ChartFlow::setModels(std::vector<ShownChart> models) {
  while (charts_.size() < models.size()) charts_.push_back(makeChart());
  for (std::size_t i = 0; i < models.size(); ++i) {
    models[i].cursor = charts_[i]->model().cursor;
    charts_[i]->setAccessibleName(text(models[i].title));
    charts_[i]->setModel(std::move(models[i]));
  }
  if (used_ == models.size()) return;
  used_ = models.size();
  columns_ = 0;
  arrange();
}

void ChartFlow::fitTo(const QWidget& page) {
  setChartHeight(page.height() < widthForFont(lowPage) ? lowChart : usualChart);
}

void ChartFlow::setChartHeight(int height) {
  asked_ = height;
  take(height);
}

void ChartFlow::take(int height) {
  height_ = height;
  for (LineChart* chart : charts_) chart->setFixedHeight(height);
}

void ChartFlow::endBetweenRowsOf(QTableView* table, QLabel* words) {
  if (table_ != nullptr && table_ != table) table_->removeEventFilter(this);
  if (table != nullptr) table->installEventFilter(this);
  table_ = table;
  words_ = words;
  laidOut_.start();
}

/// What is above the table may change its height at any time.
bool ChartFlow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::Move) laidOut_.start();
  return QWidget::eventFilter(watched, event);
}

void ChartFlow::growToRow() {
  if (table_ == nullptr || table_->isHidden() || isHidden() || table_->model()->rowCount() == 0) return;
  if (const int height = grown(); height != height_) take(height);
}

/// The height with which no row and no line is cut.
int ChartFlow::grown() const {
  const QWidget* area = this;
  while (area != nullptr && qobject_cast<const QScrollArea*>(area) == nullptr) area = area->parentWidget();
  const auto* scroll = static_cast<const QScrollArea*>(area);
  if (scroll == nullptr) return height_;
  // A height that was set last may not have moved what is below yet; and what was grown before does not add up.
  const int moves = grid_->sizeHint().height() - height() - (height_ - asked_) * rows();
  const auto cutOf = [&](const QWidget& below, int head, int line, int lines) {
    const int seen = scroll->viewport()->height() - below.mapTo(scroll->widget(), QPoint()).y() - moves - head;
    return line > 0 && seen > 0 && seen < line * lines ? seen % line : 0;
  };
  int cut = cutOf(*table_, table_->horizontalHeader()->height(), table_->rowHeight(0), table_->model()->rowCount());
  if (cut == 0 && words_ != nullptr && !words_->isHidden()) {
    const int line = words_->fontMetrics().lineSpacing();
    cut = cutOf(*words_, 0, line, words_->height() / line);
  }
  return asked_ + std::max(0, cut - 1) / std::max(1, rows());
}

int ChartFlow::rows() const {
  return columns_ == 0 ? 0 : (static_cast<int>(used_) + columns_ - 1) / columns_;
}

void ChartFlow::setCursor(std::optional<double> x) {
  for (std::size_t i = 0; i < used_; ++i) charts_[i]->setCursor(x);
}

void ChartFlow::moveCursor(const LineChart& in, std::optional<double> x) {
  if (in.model().x == ChartX::number) return;  // columns of variants: the values are beside them
  for (std::size_t i = 0; i < used_; ++i) {
    if (charts_[i]->model().x == in.model().x) charts_[i]->setCursor(x);
  }
}

void ChartFlow::arrange() {
  const int fitting = std::clamp((width() + gapWide) / (leastChartWidth + gapWide), 1, mostColumns);
  const int columns = std::min(fitting, std::max(1, static_cast<int>(used_)));
  if (columns == columns_) return;
  columns_ = columns;
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    grid_->removeWidget(charts_[i]);
    charts_[i]->setVisible(i < used_);
    const int place = static_cast<int>(i);
    if (i < used_) grid_->addWidget(charts_[i], place / columns, place % columns);
  }
  for (int column = 0; column < mostColumns; ++column) grid_->setColumnStretch(column, column < columns ? 1 : 0);
  Q_EMIT arranged();
}

void ChartFlow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace slipstream::ui
