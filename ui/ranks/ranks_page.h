// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QSpinBox>

#include "ui/ranks/rank_bars.h"
#include "ui/widgets/key_value_table.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {

/// Where the time and the memory of each rank of the current run went.
class RanksPage : public RunPage {
  Q_OBJECT

 public:
  RanksPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::ranks; }
  QString title() const override { return tr("Ranks"); }

 protected:
  void forget() override;
  void ask() override;

 private:
  QWidget* buildContent();
  QLayout* buildColumns();
  void buildControls();
  QLayout* controlRow();
  void receive(RanksReading reading);
  void showTime();
  void showMemory();
  void showRange();
  StepsAsked stepsAsked() const;

  QComboBox* order_;
  QSpinBox* first_;
  QSpinBox* last_;
  QPushButton* wholeRun_;
  QLabel* finding_;  ///< what takes most of a step
  StackedBars* timeBars_;
  StackedBars* memoryBars_;
  KeyValueTable* timeParts_;
  KeyValueTable* timeSummary_;
  KeyValueTable* memoryParts_;
  QLabel* timeNote_;
  QLabel* memoryNote_;

  RanksReading reading_;
  bool whole_ = true;  ///< all steps, also those to come
};

}  // namespace slipstream::ui
