// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <string>

class QLabel;
class QPushButton;
class QScrollArea;
class QTableView;

namespace slipstream::ui {

class CellModel;
class ExperimentEditing;

/// The stages of the run one after the other: what each does, and adding, removing and moving them.
class StagesCard : public QFrame {
  Q_OBJECT

 public:
  StagesCard(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  bool reveal(const std::string& path, QScrollArea& area);

 private:
  QWidget* buildButtons();
  void add();
  void remove();
  void move(int by);
  void editSettings();
  int chosen() const;
  void refreshButtons();

  ExperimentEditing& editing_;
  CellModel* rows_;
  QTableView* table_;
  QLabel* none_;
  QPushButton* remove_ = nullptr;
  QPushButton* up_ = nullptr;
  QPushButton* down_ = nullptr;
  QPushButton* edit_ = nullptr;
};

}  // namespace slipstream::ui
