#pragma once

#include <QTimer>

#include "ui/layers/layers_reading.h"
#include "ui/parts/parts.h"
#include "ui/parts/run_title.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

class LineChart;
class StripChart;

/// What the algorithms do to each layer of the current run, over one axis of steps: panels below each other, only those
/// that the run has.
class LayersPage : public Page {
  Q_OBJECT

 public:
  LayersPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("layers"); }
  QString title() const override { return tr("Layers"); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildContent();
  template <class Chart>
  Chart* addPanel(Chart* chart);
  void runChanged();
  void schedule();
  void ask();
  void receive(LayersReading reading);
  void showPanels();
  void showRange(double first, double last);
  void showWholeRun();
  void setCursor(std::optional<double> x);
  void stepCursor(int samples);

  QStackedLayout* layers_;
  EmptyState* empty_;
  RunTitle* title_;
  QVBoxLayout* panels_ = nullptr;
  LineChart* loss_;
  StripChart* orthogonality_;
  StripChart* freeze_;
  LineChart* power_;
  LineChart* gradientShare_;
  LineChart* scale_;
  LineChart* variance_;
  QLabel* missing_;

  std::string run_;
  LayersReading reading_;
  std::optional<std::int64_t> first_, end_;  ///< nothing: the whole run
  std::optional<double> cursor_;
  bool stale_ = true;
  QTimer timer_;
  Newest newest_;
};

}  // namespace slipstream::ui
