// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QButtonGroup>
#include <QPushButton>
#include <QWidget>
#include <map>

#include "ui/rank_table/rank_table_document.h"

class QLabel;
class QStackedLayout;

namespace slipstream::ui {

class TextView;

/// The document as text, which can be edited, and the host file and rank file that it stands for.
class PreviewPanel : public QWidget {
  Q_OBJECT

 public:
  PreviewPanel(RankTableDocument& document, QWidget* parent);

  void showLine(int line);  ///< of the text, from 1
  void setCurrent(RankTablePlace place);

  /// Where there is no room for the placement above, it is one of the forms here, and the one that is shown first.
  void takePlacement(QWidget* placement);
  /// It belongs to nobody then; null where it was not taken.
  QWidget* givePlacement();

 private:
  enum Form { table, hostFile, rankFile, placement };
  Form form() const { return static_cast<Form>(forms_->checkedId()); }
  void build();
  void choose(Form form);
  void refresh();
  void showTable();
  void showLines();
  void offerExport();
  void exportFile();
  void copyText();
  std::map<int, Verdict> markedLines() const;

  RankTableDocument& document_;
  QLabel* title_;
  QButtonGroup* forms_;
  QStackedLayout* views_ = nullptr;
  QWidget* placement_ = nullptr;  ///< while it is one of the forms
  TextView* text_;
  QLabel* reason_;
  QPushButton* copy_;
  QPushButton* export_;
  std::vector<RankTablePlace> places_;  ///< of the lines shown
};

}  // namespace slipstream::ui
