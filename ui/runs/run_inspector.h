// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QStringList>

#include "ui/runs/run_facts.h"
#include "ui/workspace/workspace.h"

class QFormLayout;
class QLabel;
class QPlainTextEdit;

namespace slipstream::ui {

class ElidedLabel;
class LabelFields;
class StateChip;

/// What there is to know of the current run: how it ended and why, what it did otherwise than the baseline, where it
/// ran, and how to repeat it. Tags and the note are edited here.
class RunInspector : public QDockWidget {
  Q_OBJECT

 public:
  RunInspector(Workspace& workspace, QWidget* parent);

  /// Comes to sight, ready for tags to be typed.
  void editTags();

 private:
  void build();
  void refresh();
  void refreshHead();
  void read();
  void showFacts(const RunFacts& facts);
  void addFact(const QString& name, const QString& value);

  Workspace& workspace_;
  ElidedLabel* title_;
  StateChip* state_;
  QLabel* why_;
  QPlainTextEdit* lines_;
  LabelFields* labels_;
  QLabel* differencesHead_;
  QLabel* noDifference_;
  QFormLayout* differences_;
  QFormLayout* facts_;
  QPlainTextEdit* command_;
  Newest newest_;
  std::string run_;    ///< that is shown
  QString readStamp_;  ///< of what was read of it
};

}  // namespace slipstream::ui
