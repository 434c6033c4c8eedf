// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/layers/layers_reading.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {

class LineChart;
class StripChart;

/// What the algorithms do to each layer of the current run, over one axis of steps: panels below each other, only those
/// that the run has.
class LayersPage : public RunPage {
  Q_OBJECT

 public:
  LayersPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::layers; }
  QString title() const override { return tr("Layers"); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void forget() override;
  void ask() override;

 private:
  QWidget* buildContent();
  template <class Chart>
  Chart* addPanel(Chart* chart);
  void receive(LayersReading reading);
  void showPanels();
  void fitStrips();
  void fitLoss();
  void showRange(double first, double last);
  void showWholeRun();
  void setCursor(std::optional<double> x);
  void stepCursor(int samples);

  QVBoxLayout* panels_ = nullptr;
  LineChart* loss_;
  StripChart* orthogonality_;
  StripChart* freeze_;
  LineChart* power_;
  LineChart* gradientShare_;
  LineChart* scale_;
  LineChart* variance_;
  QLabel* missing_;

  LayersReading reading_;
  std::optional<std::int64_t> first_, end_;  ///< nothing: the whole run
  std::optional<double> cursor_;
};

}  // namespace slipstream::ui
