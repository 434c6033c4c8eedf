// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_grid.h"

#include <algorithm>

#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int narrowWidth = 860;
constexpr int leastLarge = 220, leastSmall = 130;
constexpr double largeShare = 0.6;

}  // namespace

ChartGrid::ChartGrid(QWidget* parent) : QScrollArea(parent), body_(new QWidget) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  body_->setProperty("page", true);
  body_->setAttribute(Qt::WA_StyledBackground);
  setWidget(body_);
}

bool ChartGrid::isNarrow() const {
  return width() < narrowWidth;
}

void ChartGrid::setCharts(const std::vector<QWidget*>& charts) {
  for (QWidget* chart : charts_) {
    if (std::find(charts.begin(), charts.end(), chart) == charts.end()) chart->hide();
  }
  charts_ = charts;
  for (QWidget* chart : charts_) {
    chart->setParent(body_);
    chart->show();
  }
  place();
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  place();
}

void ChartGrid::place() {
  const int width = viewport()->width();
  const int height = viewport()->height();
  const int inRow = isNarrow() ? 2 : 3;
  const auto small = static_cast<int>(charts_.empty() ? 0 : charts_.size() - 1);
  const int rows = (small + inRow - 1) / inRow;
  const int large = rows == 0 ? std::max(leastLarge, height)
                              : std::max(leastLarge, static_cast<int>(largeShare * (height - gapWide)));
  const int low = std::max(leastSmall, height - large - gapWide);
  body_->resize(width, large + rows * (low + gapWide));
  const int cell = (width - (inRow - 1) * gapText) / inRow;
  for (int i = 0; i <= small && !charts_.empty(); ++i) {
    QWidget* chart = charts_[static_cast<std::size_t>(i)];
    if (i == 0) {
      chart->setGeometry(0, 0, width, large);
      continue;
    }
    const int row = (i - 1) / inRow;
    const int column = (i - 1) % inRow;
    chart->setGeometry(column * (cell + gapText), large + gapWide + row * (low + gapWide), cell, low);
  }
}

}  // namespace slipstream::ui
