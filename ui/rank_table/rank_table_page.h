// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QTimer>
#include <filesystem>
#include <vector>

#include "ui/rank_table/generate_panel.h"
#include "ui/workspace/page.h"

class QAbstractItemModel;
class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QVBoxLayout;

namespace slipstream::ui {

class DryRunPanel;
class ElidedLabel;
class Notice;
class PlacementView;
class PreviewPanel;
class RankTableListModel;
class RankTableModel;
class RankTableView;

/// The rank table: as tree or list, as placement, as text; what is wrong is shown in all of them.
class RankTablePage : public Page {
  Q_OBJECT

 public:
  /// `open`: asks for a file and opens it here.
  RankTablePage(Workspace& workspace, QAction* open, QWidget* parent);

  PageId id() const override { return PageId::rankTable; }
  QString title() const override { return tr("Rank table"); }
  bool needsRuns() const override { return false; }
  Document* document() override { return &table(); }

  /// Merges files into the table, as one undo step; where any of them or the table is wrong, says so and changes
  /// nothing.
  void merge(const std::vector<std::filesystem::path>& files);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  RankTableDocument& table() { return workspace().rankTable(); }
  void makeActions();
  void build();
  QHBoxLayout* titleRow();
  QHBoxLayout* toolRow();
  QWidget* body();
  QWidget* leftSide();
  QWidget* rightSide();
  QWidget* emptySide();
  void prepareView(RankTableView* view, QAbstractItemModel* model);
  void follow();

  void refresh();
  void refreshSummary();
  void edited();
  RankTableView* view() const;
  std::vector<RankTablePosition> selected() const;
  /// In the model of the view that is shown.
  QModelIndex indexOf(RankTablePosition place, RankTableCell cell) const;
  void select(RankTablePosition place, RankTableCell cell);
  void selectionChanged();
  void showFirstFault();
  void foldFaultless();
  void showPlace(RankTablePosition place, RankTableCell cell);

  void generate(TableSource source);
  void replaceBy(const RankTable& made, const QString& label);
  void mergeTables();
  void addOneServer();
  void addOneDevice();
  void removeSelected();
  void renumber();
  void startDryRun();
  void complain(const Failures& failures);

  QAction* open_;
  struct {
    QAction *local, *hosts, *slurm, *merge, *addServer, *addDevice, *remove, *renumber, *dryRun, *train;
  } actions_{};
  RankTableModel* tree_;
  RankTableListModel* list_;
  QSortFilterProxyModel* sorted_;
  RankTableView* treeView_;
  RankTableView* listView_;
  QStackedWidget* views_;
  QStackedWidget* whole_;
  QButtonGroup* shapes_;
  PlacementView* placement_;
  QLabel* placementTitle_ = nullptr;
  QWidget* placementArea_ = nullptr;  ///< scrolls over the placement
  QVBoxLayout* rightSide_ = nullptr;
  PreviewPanel* preview_;
  GeneratePanel* generate_;
  DryRunPanel* dryRun_;
  QLabel* title_;
  ElidedLabel* summary_;
  QLabel* hint_;
  std::filesystem::path foldedFor_;  ///< the file whose faultless servers were closed
  Notice* notice_;                   ///< what could not be done
  QPushButton* save_;
  QTimer summaryTimer_;
  QDateTime editedAt_;
};

}  // namespace slipstream::ui
