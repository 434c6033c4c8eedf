// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QTimer>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/store/run_store.h"
#include "ui/store/latest_request.h"
#include "ui/workspace/workspace.h"

class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace slipstream::ui {

/// What the inspector shows about a run.
struct RunMetadata {
  std::string run;
  std::string lastLines;  ///< of the rank that printed an error last; empty where the run went well
  std::string command, revision, device;
  std::uint64_t seed = 0;
  int ranks = 0, attempts = 0;
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the machine, as it was recorded
  /// What was asked otherwise than of the baseline; nothing where there is none.
  std::vector<std::pair<std::string, std::string>> differences;
};

/// Runs in the store's reader. `baseline`: a run's id, or empty.
RunMetadata readRunMetadata(RunStore& store, const std::string& run, const std::string& baseline);

class ElidedLabel;
class LabelFields;
class RunGlance;
class StateChip;
struct GlanceReading;

/// The current run at one glance (run_glance.h), then what it did otherwise than the baseline, where it ran, and how to
/// repeat it. Tags and the note are edited here. Esc closes it.
class RunInspector : public QDockWidget {
  Q_OBJECT

 public:
  RunInspector(Workspace& workspace, QWidget* parent);

  /// Comes to sight, ready for tags to be typed.
  void editTags();
  RunGlance& glance() const { return *glance_; }

 Q_SIGNALS:
  void closedByPerson();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build();
  void buildTitle();
  void readGlanceNow();
  void refresh();
  void refreshHeader();
  void forget(const std::string& run);
  void read();
  void showMetadata(const RunMetadata& metadata);
  void addRow(const QString& name, const QString& value);

  Workspace& workspace_;
  QLabel* swatch_;  ///< of the run's line
  ElidedLabel* title_;
  StateChip* state_;
  QWidget* details_ = nullptr;  ///< all but the head
  RunGlance* glance_;
  QPlainTextEdit* lines_;
  LabelFields* labels_;
  QLabel* differencesTitle_;
  QLabel* noDifference_;
  QFormLayout* differences_;
  QFormLayout* metadata_;
  QPlainTextEdit* command_;
  QToolButton* copies_ = nullptr;  ///< the command
  LatestRequest latest_, latestGlance_;
  QTimer pause_;         ///< between two looks at a run that goes on
  QString glanceStamp_;  ///< of what was read of it at a glance
  std::string run_;      ///< that is shown
  QString readStamp_;    ///< of what was read of it
};

}  // namespace slipstream::ui
