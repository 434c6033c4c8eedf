// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QWidget>

#include "engine/study_results/study_summary.h"
#include "ui/workspace/workspace.h"

class QHBoxLayout;
class QLabel;
class QListView;
class QToolButton;

namespace slipstream::ui {

/// The studies of the store, the newest first; the one that is being written before them.
class StudyListModel : public QAbstractListModel {
  Q_OBJECT

 public:
  StudyListModel(Workspace& workspace, QObject* parent);

  /// Null of the draft.
  const StudySummary* studyAt(int row) const;
  bool hasDraft() const { return hasDraft_; }
  /// -1: the row of none.
  int rowOf(const StudySelection& selection) const;
  /// At the right of a row: "34 / 60", "140", "draft".
  QString valueAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void refresh();
  static QString countsText(const StudySummary& study);

  Workspace& workspace_;
  StoreSnapshotPointer snapshot_;
  bool hasDraft_ = false;
};

/// The first group of the dock on the left: which study is chosen here is what the page of studies shows. Hidden where
/// there is none.
class StudyList : public QWidget {
  Q_OBJECT

 public:
  explicit StudyList(Workspace& workspace, QWidget* parent = nullptr);

  /// Whether the page of studies is in front: on other pages no study is meant.
  void setInFront(bool inFront);
  /// Right of the values, so that they are below each other with those of a list below that scrolls.
  void setValueEdge(int edge);
  QListView& view() { return *view_; }

 private:
  void refresh();
  void choose(const QModelIndex& index);
  void apply();
  void setFolded(bool folded);

  Workspace& workspace_;
  StudyListModel* model_;
  QHBoxLayout* headLine_ = nullptr;
  QToolButton* head_;
  QLabel* count_;
  QListView* view_;
  bool folded_ = false;
  bool applying_ = false;
  bool isInFront_ = true;
};

}  // namespace slipstream::ui
