// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <map>

#include "engine/analysis/curve_source.h"
#include "ui/charts/shown_chart.h"
#include "ui/store/latest_request.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

struct ShownRun;

class MetricPicker;

/// What the page is about: the name of a run or of what several have in common, state, what was asked, how far it is.
class RunHeader : public QWidget {
  Q_OBJECT

 public:
  RunHeader(Workspace& workspace, std::shared_ptr<CurveSource> source, QWidget* parent = nullptr);

  void refresh();
  void setNarrow(bool narrow);

 private:
  struct Facts;
  struct Details;
  class KnownFacts;
  /// Returns whether it is the current run's.
  bool showTitle(const RunRow& current, const std::vector<ShownRun>& shown);
  void show(const Details& details);

  Workspace& workspace_;
  std::shared_ptr<CurveSource> source_;
  std::shared_ptr<KnownFacts> known_;
  ElidedLabel* name_;
  StateChip* state_;
  ElidedLabel* details_;
  QLabel* unit_;
  QLabel* steps_;
  QProgressBar* progress_;
  QLabel* share_;
  LatestRequest asked_;
};

/// The row above the charts: how all of them show their curves.
class ChartControls : public QWidget {
  Q_OBJECT

 public:
  explicit ChartControls(QWidget* parent = nullptr);

  const ChartOptions& options() const { return options_; }
  void setOptions(const ChartOptions& options);
  /// Metrics that may be added as charts.
  void setMetrics(const std::vector<std::string>& metrics);
  /// The menu of layouts, filled by the page, and the name of the one at hand.
  QMenu& layouts() { return *layouts_; }
  void setLayoutName(const QString& name);
  /// `foldable`: the legend stands beside the charts, and may be put away.
  void setLegend(bool foldable, bool unfolded);
  /// Whether raw lines are drawn: of very many curves, and beside bands, there are none.
  void setRawLines(bool there);
  /// Whether many of the runs differ in their seeds alone: bands are drawn then, unless somebody has chosen otherwise,
  /// or an axis that has none.
  void setSeeds(bool many);
  /// Whether any curve has so many samples that it is smoothed where that is asked for.
  void setSmoothable(bool smoothable);

  /// With the fewest words: as little as a window asks for.
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void changed();
  void chartWanted(const std::string& metric);
  void legendWanted(bool unfolded);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  /// All words; fewer on buttons that have a symbol; and as few as there can be.
  enum class Words { all, fewer, fewest };
  /// As many words as have room.
  void fit();
  void setWords(Words words);
  void measure();
  /// Whoever has chosen them.
  void apply(const ChartOptions& options);
  void take();
  void enableSmoothing();
  void enableWallTime();

  ChartOptions options_;
  bool smoothable_ = true, hasRawLines_ = true;
  Words words_ = Words::all;
  bool bandsChosen_ = false;     ///< by a person, on or off
  std::map<Words, int> widths_;  ///< that the controls need
  QLabel* axis_;
  QComboBox* x_;
  QSlider* smoothing_;
  QLabel* smoothingValue_;
  QCheckBox* raw_;
  QCheckBox* logarithmic_;
  QCheckBox* bands_;
  QPushButton* add_;
  MetricPicker* metrics_;
  QPushButton* layout_;
  QMenu* layouts_;
  QPushButton* legend_;
  QPushButton* reset_;
};

}  // namespace slipstream::ui
