#pragma once

#include <QTimer>

#include "ui/compare/compare_query.h"
#include "ui/workspace/page.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace slipstream::ui {

class CellTable;
class ChartFlow;
class CompareHead;
class EmptyState;
class ReportSaver;

/// The runs that are shown, held against the first of them: only what differs, their curves, and what came of it,
/// paired by seed.
class ComparePage : public Page {
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
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeBody();
  QWidget* makeDifferences();
  void arrange();
  void refresh();
  void showAnswer(CompareAnswer answer);
  void showTables();
  void showDifferences();
  void showCharts();
  void showNothing(const QString& what, const QString& why);

  QStackedLayout* stack_;
  EmptyState* empty_;
  QScrollArea* scroll_;
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
  std::int64_t version_ = -1;  ///< of the store when it was asked
  Newest newest_;
  QTimer later_;  ///< a living run writes more often than a comparison is worth
  bool all_ = false;
  bool narrow_ = false;
};

}  // namespace slipstream::ui
