// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/runs/live_status.h"
#include "engine/runs/run_columns.h"
#include "ui/workspace/workspace.h"

class QFormLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace slipstream::ui {

/// What is read of a run to show it at one glance.
struct GlanceReading {
  RunRecord run;  ///< whole
  RunValues values;
  RunSummary summary;
  std::optional<RunPlan> plan;             ///< nothing where it cannot be read
  std::optional<LiveStatus> live;          ///< of a run that goes on
  std::optional<std::int64_t> checkpoint;  ///< the newest one to resume from
  std::int64_t bestStep = 0, lastEvaluation = 0;
  double seconds = 0;  ///< that its attempts took together
};

/// Runs in the store's reader; nothing where the run is gone.
std::optional<GlanceReading> readGlance(RunStore& store, const std::string& run);

/// The sentences about how the run stands: why it ended, what there is to go on from, what is left.
QString causeOf(const GlanceReading& reading);

/// An experiment that asks what this run was asked, and nothing else: its variant's keys, its ranks and its seed.
/// Flags of its launch (`--set`) count as far as the plan shows them in the keys that forms have.
Result<std::string> experimentOf(const RunRecord& wholeRun);

/// The training loss in a small chart with its ends.
class LossSketch : public QWidget {
  Q_OBJECT

 public:
  explicit LossSketch(QWidget* parent = nullptr);
  void show(const RunSummary& summary, int colourSlot, RunState state);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  RunSummary summary_;
  int slot_ = 0;
  RunState state_ = RunState::draft;
};

/// A run at one glance: how it stands and why, what to do next, its loss, what it was asked, how long it took, what it
/// came to, and which algorithms acted.
class RunGlance : public QWidget {
  Q_OBJECT

 public:
  explicit RunGlance(Workspace& workspace, QWidget* parent = nullptr);

  void show(const GlanceReading& reading);
  void clear();

  QPushButton* resumeButton() const { return resume_; }
  QPushButton* newButton() const { return new_; }
  QPushButton* experimentButton() const { return experiment_; }
  QPushButton* commandButton() const { return command_; }
  void copyCommand();

 protected:
  void changeEvent(QEvent* event) override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void build();
  void showCause(const GlanceReading& reading);
  void showButtons(const GlanceReading& reading);
  void showFacts(const GlanceReading& reading);
  void showFeatures(const GlanceReading& reading);
  void addFact(const QString& name, const QString& value, bool strong = false);
  void openExperiment();
  void beginFromRun();

  Workspace& workspace_;
  QLabel *causeHead_, *cause_;
  QWidget* card_;
  QPushButton *resume_, *new_, *experiment_, *command_;
  QGridLayout* buttons_ = nullptr;
  QLabel *lossTitle_, *lossValue_, *featuresTitle_;
  LossSketch* loss_;
  QFormLayout* facts_;
  QVBoxLayout* features_;
  std::shared_ptr<const GlanceReading> reading_;
};

}  // namespace slipstream::ui
