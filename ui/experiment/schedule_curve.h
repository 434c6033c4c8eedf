// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

namespace slipstream::ui {

class ExperimentEditing;

/// The learning rate over the steps of a stage, as its optimizer will use it.
class ScheduleCurve : public QWidget {
  Q_OBJECT

 public:
  ScheduleCurve(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  QSize sizeHint() const override { return {320, 132}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRectF place() const;

  ExperimentEditing& editing_;
  std::vector<double> rates_;  ///< at equal distances over the steps
  double highest_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace slipstream::ui
