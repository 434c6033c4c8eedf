// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/report.h"
#include "ui/workspace/page.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace slipstream::ui {

class BalancedLabel;
class CellTable;
class ChartFlow;
class ElidedLabel;
class ReportSaver;

/// The report of the shown runs. What is shown is what the saved page begins with; decisions, memory and time by rank
/// are in the saved page alone.
class ReportPage : public ShownRunsPage {
  Q_OBJECT

 public:
  ReportPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::report; }
  QString title() const override { return tr("Report"); }
  ReportSaver& saver() { return *saver_; }
  /// What is shown; nothing before the store has answered.
  const std::optional<ReportDocument>& shown() const { return shown_; }

 protected:
  void refresh() override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct ShownValue {
    QLabel* name;
    ElidedLabel* value;
  };
  struct ShownTable {
    CellTable* table;
    QLabel* caption;
  };
  QWidget* makeBody();
  QWidget* makeHeader();
  QWidget* makeSheet();
  void showDocument(const Result<ReportDocument>& document);
  void showValues(const KeyValues& values);
  void arrangeValues();
  void fitCharts();
  void showTable(std::size_t index, const Table& table, const Text& caption);
  void copyCommands();

  ReportSaver* saver_;
  QWidget* repeat_ = nullptr;  ///< the commands with their title
  ElidedLabel* title_ = nullptr;
  BalancedLabel* lead_ = nullptr;
  QGridLayout* values_ = nullptr;
  std::vector<ShownValue> shownValues_;
  int columns_ = 0;  ///< that they are arranged in
  ChartFlow* charts_ = nullptr;
  QLabel* caption_ = nullptr;  ///< of the charts
  QVBoxLayout* tables_ = nullptr;
  std::vector<ShownTable> made_;
  QLabel* remarks_ = nullptr;
  QLabel* commands_ = nullptr;

  std::optional<ReportDocument> shown_;
  std::vector<std::string> asked_;
};

}  // namespace slipstream::ui
