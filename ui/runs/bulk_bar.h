// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <string>
#include <vector>

#include "ui/workspace/workspace.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace slipstream::ui {

class ElidedLabel;
class Notice;

/// What can be done to the runs that are ticked in the table. Hidden while none is.
class BulkBar : public QFrame {
  Q_OBJECT

 public:
  /// Questions go to `notice`.
  BulkBar(Workspace& workspace, Notice& notice, QWidget* parent = nullptr);

  /// `runs`: ticked, in the order of the table; `of`: all runs that are listed.
  void setRuns(std::vector<std::string> runs, int of);

  /// Where tags to add are typed.
  QLineEdit* tagLine() const { return tags_; }

 Q_SIGNALS:
  void unticked();  ///< all of them shall be

 private:
  void build();
  void refresh();
  std::vector<const RunRow*> rows(const StoreSnapshot& snapshot) const;
  bool setTags(const QString& typed);
  void setArchived();
  void showOn(PageId page);

  Workspace& workspace_;
  Notice& notice_;
  QLabel* count_;
  ElidedLabel* of_;
  QPushButton *tag_, *pin_, *compare_, *report_, *archive_, *remove_;
  QLineEdit* tags_;
  std::vector<std::string> runs_;
};

}  // namespace slipstream::ui
