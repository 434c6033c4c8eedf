// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "engine/rank_table/rank_table_tools.h"

class QFormLayout;
class QLabel;
class QLineEdit;

namespace slipstream::ui {

/// Where a new rank table can come from.
enum class TableSource { localDevices, hostList, slurm };

/// Asks for what a new table needs, above the table it will replace.
class GeneratePanel : public QFrame {
  Q_OBJECT

 public:
  explicit GeneratePanel(QWidget* parent = nullptr);
  void ask(TableSource source);

 Q_SIGNALS:
  void generated(const RankTable& table);

 private:
  QLineEdit* field(const QString& title, const QString& example);
  void generate();
  Result<NamedRankTable> made() const;

  TableSource source_ = TableSource::localDevices;
  QLabel* heading_;
  QLabel* wrong_;
  QFormLayout* form_;
  QLineEdit* devices_;
  QLineEdit* server_;
  QLineEdit* hosts_;
  QLineEdit* nodes_;
  QLineEdit* tasks_;
  QLineEdit* addresses_;
};

}  // namespace slipstream::ui
