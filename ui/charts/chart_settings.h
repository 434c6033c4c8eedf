// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QFrame>
#include <QLineEdit>
#include <QPushButton>
#include <optional>
#include <utility>

#include "ui/charts/chart_arrangement.h"

namespace slipstream::ui {

/// The ends of one axis: two fields, empty where the chart finds them itself.
class AxisRange : public QWidget {
  Q_OBJECT

 public:
  AxisRange(const QString& axis, QWidget* parent = nullptr);
  void setRange(const std::optional<std::pair<double, double>>& range);

 Q_SIGNALS:
  /// Nothing: found by the chart again.
  void changed(std::optional<std::pair<double, double>> range);

 private:
  void take();

  QLineEdit* from_;
  QLineEdit* to_;
};

/// The small window of a chart's own settings: logarithmic axes, their ends, what lies outside, and what is done with
/// its data.
class ChartSettings : public QFrame {
  Q_OBJECT

 public:
  struct State {
    QString title;
    ChartView view;
    bool mayBeLogarithmic = false, logarithmic = false;
    bool logarithmicX = false, mayBeLogarithmicX = true;
    std::optional<std::pair<double, double>> zoom;
    bool removable = false;
  };
  explicit ChartSettings(const State& state, QWidget* parent);
  void popup(const QPoint& topRight);

 protected:
  bool event(QEvent* event) override;

 Q_SIGNALS:
  void viewChanged(const ChartView& view);
  void logarithmicXChanged(bool logarithmic);
  void zoomChanged(std::optional<std::pair<double, double>> zoom);
  void copyWanted();
  void saveWanted();
  void removeWanted();

 private:
  ChartView view_;
};

}  // namespace slipstream::ui
