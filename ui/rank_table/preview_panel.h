// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QButtonGroup>
#include <QPushButton>
#include <QTextEdit>
#include <QWidget>
#include <map>

#include "engine/rank_table/rank_table.h"
#include "ui/documents/rank_table_document.h"

class QLabel;
class QStackedLayout;

namespace slipstream::ui {

/// Text in a fixed width whose lines may be tinted. Undo is the document's, not its own.
class TextView : public QTextEdit {
  Q_OBJECT

 public:
  explicit TextView(QWidget* parent = nullptr);

  /// Replaces only what differs, so that the cursor stays where it was.
  void showText(const QString& text);
  void setMarks(const std::map<int, Verdict>& lines);  ///< counted from 0
  const std::map<int, Verdict>& marks() const { return marks_; }
  void goToLine(int line);  ///< counted from 0

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showWholeLines();
  std::map<int, Verdict> marks_;
  bool setsMargins_ = false;
};

/// The document as text, which can be edited, and the host file and rank file that are made of it.
class PreviewPanel : public QWidget {
  Q_OBJECT

 public:
  PreviewPanel(RankTableDocument& document, QWidget* parent);

  void showLine(int line);  ///< of the text, from 1
  void setCurrent(RankTablePosition place);

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
  void resizeEvent(QResizeEvent* event) override;
  void joinForms();
  void showTable();
  void showFirst();
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
  std::vector<RankTablePosition> places_;  ///< of the lines shown
};

}  // namespace slipstream::ui
