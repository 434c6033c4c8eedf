// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>

#include "ui/charts/chart_options.h"

namespace slipstream::ui {

/// The row above the charts: how all of them show their curves.
class ChartControls : public QWidget {
  Q_OBJECT

 public:
  explicit ChartControls(QWidget* parent = nullptr);

  const ChartOptions& options() const { return options_; }
  void setOptions(const ChartOptions& options);
  /// Metrics that may be added as charts.
  void setMetrics(const std::vector<std::string>& metrics);
  /// In fewer words where there is little room.
  void setNarrow(bool narrow);
  /// Whether any curve has so many samples that it is smoothed where that is asked for.
  void setSmoothable(bool smoothable);

 Q_SIGNALS:
  void changed();
  void chartWanted(const std::string& metric);

 private:
  void build();
  void take();
  void enableSmoothing();
  void enableWallTime();

  ChartOptions options_;
  bool smoothable_ = true;
  QComboBox* x_;
  QSlider* smoothing_;
  QLabel* smoothingValue_;
  QCheckBox* raw_;
  QCheckBox* logarithmic_;
  QCheckBox* bands_;
  QPushButton* add_;
  QMenu* metrics_;
  QPushButton* reset_;
};

}  // namespace slipstream::ui
