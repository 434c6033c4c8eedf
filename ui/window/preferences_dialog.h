// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace slipstream::ui {

struct Actions;

/// What the window looks like and where it begins. Everything acts at once and is remembered.
class PreferencesDialog : public QDialog {
  Q_OBJECT

 public:
  /// Theme, language and notices are those of the window's actions.
  explicit PreferencesDialog(const Actions& actions, QWidget* parent = nullptr);

 private:
  void build();
  void addChoice(QComboBox& box, const QList<QAction*>& choices);
  QWidget* buildStore();
  void setFontPercent(int percent);
  void setGroupsDigits(bool grouped);
  void reset();

  const Actions& actions_;
  QComboBox* theme_;
  QComboBox* language_;
  QSpinBox* fontSize_;
  QComboBox* numbers_;
  QCheckBox* notices_;
  QLineEdit* store_;
};

}  // namespace slipstream::ui
