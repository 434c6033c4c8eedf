// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <map>
#include <optional>
#include <vector>

#include "ui/documents/document.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// A problem in the list of all, and the page that shows its document.
struct ProblemEntry {
  Problem problem;
  PageId page = PageId::boost;

  /// As the command line says it: "where: problem (found VALUE); remedy".
  QString text() const;
  /// Reads alike, fix included; what the fix does is not compared.
  bool sameText(const ProblemEntry& other) const;
};

/// The problems of one document that have fixes; two of them at least.
struct ProblemGroup {
  struct Kind {
    QString label = {};
    int count = 0;
  };
  PageId page = PageId::boost;
  QString title = {};
  int fixes = 0;
  std::map<int, Kind> kinds = {};
};

/// What is to be put right in all open documents: errors before warnings of one document, documents one after the
/// other.
class ProblemsModel : public QAbstractListModel {
  Q_OBJECT

 public:
  ProblemsModel(Workspace& workspace, QObject* parent);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  const ProblemEntry& entry(int row) const { return entries_[static_cast<std::size_t>(row)]; }
  int errors() const { return count(Verdict::reject); }
  int warnings() const { return count(Verdict::warn); }
  std::vector<ProblemGroup> fixable() const;
  /// Makes the fixes of a document, or those of a kind, as one undo step called `label`, and reports what was done.
  void fixAll(PageId page, std::optional<int> kind, const QString& label);
  /// Goes to the place at fault.
  void show(int row) const;

 Q_SIGNALS:
  void countsChanged();

 private:
  void refresh();
  void merge(std::vector<ProblemEntry> wanted);
  int count(Verdict severity) const;
  static QString fixedText(const QString& title, const MadeFixes& made);

  Workspace& workspace_;
  std::vector<ProblemEntry> entries_;
};

}  // namespace slipstream::ui
