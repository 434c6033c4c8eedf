// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/report_summary.h"
#include "ui/workspace/shown_runs_page.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace slipstream::ui {

class CellTable;
class ChartFlow;
class ElidedLabel;
class ReportSaver;

/// The report of the shown runs. What is shown is what the saved page begins with; decisions, memory and time by rank
/// stand in the page alone.
class ReportPage : public ShownRunsPage {
  Q_OBJECT

 public:
  ReportPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("report"); }
  QString title() const override { return tr("Report"); }
  ReportSaver& saver() { return *saver_; }
  /// What is shown; nothing before the store has answered.
  const std::optional<ReportSummary>& shown() const { return shown_; }

 protected:
  void refresh() override;

 private:
  QWidget* makeBody();
  QWidget* makeHead();
  void showSummary(const Result<ReportSummary>& summary);
  void showFacts();
  void showTables();
  void showCommands();
  CellTable* tableAt(std::size_t index);

  ReportSaver* saver_;
  ElidedLabel* title_ = nullptr;
  QLabel* lead_ = nullptr;
  QGridLayout* facts_ = nullptr;
  ChartFlow* charts_ = nullptr;
  QVBoxLayout* tables_ = nullptr;
  std::vector<CellTable*> made_;
  QLabel* remarks_ = nullptr;
  QLabel* commands_ = nullptr;

  std::optional<ReportSummary> shown_;
  std::vector<std::string> asked_;
};

}  // namespace slipstream::ui
