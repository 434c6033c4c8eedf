// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_marks.h"

#include <QPainter>
#include <algorithm>

#include "ui/theme/state_shape.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr int markSize = 12, dividerHeight = 14;
constexpr int cellWidth = 5, cellGap = 2, cellHeight = 8, mostCells = 16;

}  // namespace

EngineMark::EngineMark(QWidget* parent) : QWidget(parent) {
  setFixedSize(markSize, markSize);
}

void EngineMark::setState(std::optional<RunState> state) {
  state_ = state;
  update();
}

void EngineMark::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (state_) {
    paintState(painter, rect(), *state_);
  } else {
    paintIdle(painter, rect());
  }
}

Divider::Divider(QWidget* parent) : QWidget(parent) {
  setFixedSize(1, dividerHeight);
}

void Divider::paintEvent(QPaintEvent*) {
  QPainter(this).fillRect(rect(), tokens().hairline);
}

RankCells::RankCells(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void RankCells::setReporting(const std::vector<bool>& reporting) {
  reporting_ = reporting;
  updateGeometry();
  update();
}

QSize RankCells::sizeHint() const {
  const int cells = std::min(mostCells, static_cast<int>(reporting_.size()));
  return {std::max(0, cells * (cellWidth + cellGap) - cellGap), cellHeight};
}

/// A cell of several ranks is filled only where all of them report.
void RankCells::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const std::size_t ranks = reporting_.size();
  const std::size_t cells = std::min<std::size_t>(mostCells, ranks);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto first = reporting_.begin() + static_cast<std::ptrdiff_t>(cell * ranks / cells);
    const auto last = reporting_.begin() + static_cast<std::ptrdiff_t>((cell + 1) * ranks / cells);
    const bool all = std::all_of(first, last, [](bool reports) { return reports; });
    const QRect place(static_cast<int>(cell) * (cellWidth + cellGap), 0, cellWidth, cellHeight);
    if (all) {
      painter.fillRect(place, tokens().good);
    } else {
      painter.setPen(tokens().control);
      painter.drawRect(place.adjusted(0, 0, -1, -1));
    }
  }
}

}  // namespace slipstream::ui
