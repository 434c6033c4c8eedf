// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slipstream::ui {

/// How one chart shows its values, where that differs from the page.
struct ChartView {
  std::optional<bool> logarithmic;
  std::optional<std::pair<double, double>> range;  ///< of y
  bool everything = false;                         ///< also the few values that lie far from all others

  bool operator==(const ChartView&) const = default;
};

/// One chart of a page: its size in thirds of the page's width, and in three heights.
struct ChartSlot {
  std::string metric;
  int width = 1;
  int height = 1;
  ChartView view = {};

  bool operator==(const ChartSlot&) const = default;
};

inline constexpr int mostChartSize = 3;

/// The charts of a page, in the order in which they fill its rows. A value, so that every change is one undo step.
class ChartArrangement {
 public:
  const std::vector<ChartSlot>& slots() const { return slots_; }
  bool has(const std::string& metric) const { return indexOf(metric) >= 0; }
  const ChartSlot* find(const std::string& metric) const;

  void add(ChartSlot slot);
  void remove(const std::string& metric);
  /// To the place of the chart that is there now; a place beyond the last is the last.
  void move(const std::string& metric, int place);
  void resize(const std::string& metric, int width, int height);
  void setView(const std::string& metric, const ChartView& view);
  int indexOf(const std::string& metric) const;

  /// Where the charts of `metrics` are in `room`, in their order here; rows may reach below it. `inRow`: 3, or 2 where
  /// it is narrow.
  std::vector<QRect> places(const std::vector<std::string>& metrics, const QSize& room, int inRow) const;

  /// JSON, as it is kept between starts; nothing where the text is not one.
  QString toText() const;
  static std::optional<ChartArrangement> fromText(const QString& text);

  bool operator==(const ChartArrangement&) const = default;

 private:
  ChartSlot* slotOf(const std::string& metric);

  std::vector<ChartSlot> slots_;
};

}  // namespace slipstream::ui
