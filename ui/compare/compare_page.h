// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/comparison_document.h"
#include "ui/workspace/page.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace slipstream::ui {

class BalancedLabel;
class CellTable;
class ChartFlow;
class CompareHeader;
class ReportSaver;

/// What the compare page asks of the store.
struct CompareQuery {
  std::vector<std::string> runs;  ///< ids; a pinned one among them becomes the first
  ChartX axis = ChartX::step;
  bool operator==(const CompareQuery&) const = default;
};

struct CompareAnswer {
  Comparison comparison;
  std::vector<ChartModel> charts;
  Failures failures;  ///< where there are some, nothing else is
};

/// The runs that are shown, held against the first of them: only what differs, their curves, and what came of it,
/// paired by seed.
class ComparePage : public ShownRunsPage {
  Q_OBJECT

 public:
  ComparePage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::compare; }
  QString title() const override { return tr("Compare"); }
  /// What is shown.
  const CompareAnswer& shown() const { return shown_; }
  /// The interval tables as CSV, into the clipboard.
  void copyTables();

 protected:
  void refresh() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeBody();
  QWidget* makeDifferences();
  void arrange();
  void fitCharts();
  void showAnswer(CompareAnswer answer);
  void showOneVariant();
  void showTables();
  void showConclusion();
  void showDifferences();

  CompareHeader* header_ = nullptr;
  QWidget* differences_ = nullptr;
  CellTable* parameters_ = nullptr;
  BalancedLabel* conclusion_ = nullptr;
  QVBoxLayout* notes_ = nullptr;  ///< beside the parameters
  QLabel* hidden_ = nullptr;
  QPushButton* showAll_ = nullptr;
  ChartFlow* charts_ = nullptr;
  QWidget* results_ = nullptr;
  std::vector<CellTable*> tables_;
  QLabel* remarks_ = nullptr;
  QBoxLayout* body_ = nullptr;
  ReportSaver* saver_;

  CompareAnswer shown_;
  CompareQuery asked_;
  bool all_ = false;
  bool narrow_ = false;
};

}  // namespace slipstream::ui
