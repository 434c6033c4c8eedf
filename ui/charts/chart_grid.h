// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

namespace slipstream::ui {

/// One large chart over rows of small ones: three in a row, or two where it is narrow. What has no room is reached by
/// scrolling.
class ChartGrid : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChartGrid(QWidget* parent = nullptr);
  /// The first one is the large one. Charts that are no longer among them are hidden.
  void setCharts(const std::vector<QWidget*>& charts);
  bool isNarrow() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void place();

  QWidget* body_;
  std::vector<QWidget*> charts_;
};

}  // namespace slipstream::ui
