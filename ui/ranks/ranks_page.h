#pragma once

#include <QComboBox>
#include <QSpinBox>
#include <QTimer>

#include "ui/parts/fact_table.h"
#include "ui/parts/parts.h"
#include "ui/parts/run_title.h"
#include "ui/ranks/ranks_words.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

/// Where the time and the memory of each rank of the current run went.
class RanksPage : public Page {
  Q_OBJECT

 public:
  RanksPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("ranks"); }
  QString title() const override { return tr("Ranks"); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildContent();
  QWidget* buildTime();
  QWidget* buildMemory();
  void buildControls();
  QLayout* controlRow();
  void runChanged();
  void schedule();
  void ask();
  void receive(RanksReading reading);
  void showTime();
  void showMemory();
  void showRange();
  StepsAsked stepsAsked() const;

  QStackedLayout* layers_;
  EmptyState* empty_;
  RunTitle* title_;
  QComboBox* order_;
  QSpinBox* first_;
  QSpinBox* last_;
  QPushButton* wholeRun_;
  StackedBars* timeBars_;
  StackedBars* memoryBars_;
  FactTable* timeParts_;
  FactTable* timeFacts_;
  FactTable* memoryParts_;
  QLabel* timeNote_;
  QLabel* memoryNote_;

  std::string run_;
  RanksReading reading_;
  bool whole_ = true;  ///< all steps, also those to come
  bool stale_ = true;
  QTimer timer_;
  Newest newest_;
};

}  // namespace slipstream::ui
