#pragma once

#include <QButtonGroup>
#include <QPushButton>
#include <QWidget>
#include <map>

#include "ui/rank_table/rank_table_document.h"

class QLabel;

namespace slipstream::ui {

class TextView;

/// The document as text, which can be edited, and the host file and rank file that it stands for.
class PreviewPanel : public QWidget {
  Q_OBJECT

 public:
  PreviewPanel(RankTableDocument& document, QWidget* parent);

  void showLine(int line);  ///< of the text, from 1
  void setCurrent(RankTablePlace place);

 private:
  enum Form { table, hostFile, rankFile };
  Form form() const { return static_cast<Form>(forms_->checkedId()); }
  void build();
  void refresh();
  void showTable();
  void showLines();
  void offerExport();
  void exportFile();
  void copyText();
  std::map<int, Verdict> markedLines() const;

  RankTableDocument& document_;
  QButtonGroup* forms_;
  TextView* text_;
  QLabel* reason_;
  QPushButton* copy_;
  QPushButton* export_;
  std::vector<RankTablePlace> places_;  ///< of the lines shown
};

}  // namespace slipstream::ui
