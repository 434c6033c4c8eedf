// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/compare_query.h"
#include "ui/compare/comparison_grids.h"
#include "ui/parts/cell_grid.h"
#include "ui/workspace/shown_runs_page.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace slipstream::ui {

class CellTable;
class ChartFlow;
class CompareHead;
class ReportSaver;

/// The runs that are shown, held against the first of them: only what differs, their curves, and what came of it,
/// paired by seed.
class ComparePage : public ShownRunsPage {
  Q_OBJECT

 public:
  ComparePage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("compare"); }
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
  void showAnswer(CompareAnswer answer);
  void showOneVariant();
  void showTables();
  /// What is judged, then the variants that share no seed with the reference.
  std::vector<JudgedGrid> tables() const;
  void showDifferences();
  void showCharts();

  CompareHead* head_ = nullptr;
  QWidget* differences_ = nullptr;
  CellTable* parameters_ = nullptr;
  QLabel* hidden_ = nullptr;
  QPushButton* showAll_ = nullptr;
  QLabel* target_ = nullptr;
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
