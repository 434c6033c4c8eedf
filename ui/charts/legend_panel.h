// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>
#include <string>
#include <vector>

#include "ui/charts/legend_model.h"

namespace slipstream::ui {

class LegendView;

/// `small`: inside, without the raw values.
enum class LegendForm { beside, inside, small };

/// The legend of a page: a table with what hides, isolates and shows its curves. Small, it lies in a chart; of many
/// curves it stands beside one, and scrolls.
class LegendPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LegendPanel(QWidget* parent = nullptr);

  LegendModel& model() { return *model_; }
  LegendView& view() { return *view_; }

  /// Inside a chart it is as small as its rows allow, with the raw values instead of the last ones. `cursor`: beside
  /// the last values there are others.
  void setForm(LegendForm form, bool raw, bool cursor);
  LegendForm form() const { return form_; }
  void setRows(std::vector<LegendRow> rows);
  /// What it takes inside a chart.
  QSize insideSize() const;

 Q_SIGNALS:
  void hideWanted(const std::vector<std::string>& runs, bool hidden);
  void isolateWanted(const std::vector<std::string>& runs);  ///< these alone
  void allWanted();
  void pointedAt(const std::vector<std::string>& runs);  ///< none: nothing
  void foldWanted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void isolate(int row);
  void refresh();
  bool isInside() const { return form_ != LegendForm::beside; }

  LegendModel* model_;
  LegendView* view_;
  QWidget* foot_;
  QLabel* count_;
  QPushButton* isolate_;
  QPushButton* all_;
  QPushButton* fold_;
  LegendForm form_ = LegendForm::beside;
};

}  // namespace slipstream::ui
