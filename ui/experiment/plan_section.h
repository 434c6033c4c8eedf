// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <string>
#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class KeyRow;

/// What is looked for among the settings of a form.
struct SettingFilter {
  QString words = {};  ///< all of them, anywhere in title, key and help
  bool onlyChanged = false;

  bool isEmpty() const { return words.isEmpty() && !onlyChanged; }
};

/// The settings of one section of the file as a card: a row each. Those that mean nothing beside the others are folded
/// into one line that says how many they are, which, and why.
class PlanSection : public QFrame {
  Q_OBJECT

 public:
  /// `section`: its key in the file; empty for the keys outside any.
  PlanSection(ExperimentEditing& editing, std::string section, QWidget* parent = nullptr);

  const std::string& section() const { return section_; }
  QString title() const;
  const std::vector<KeyRow*>& rows() const { return rows_; }
  /// Below the rows.
  void append(QWidget* widget);

  /// Shows what holds now, and what the newest plan says of it.
  void refresh();
  void setFilter(const SettingFilter& filter);
  /// Shows the row, also where it was folded or left out by the filter.
  void reveal(KeyRow& row);
  int changedCount() const;

 private:
  bool isShown(const KeyRow& row) const;
  void buildFold();
  void setUnfolded(bool unfolded);
  void arrange();
  void refreshFold();
  QString reason() const;
  QString summary() const;

  ExperimentEditing& editing_;
  std::string section_;
  std::vector<KeyRow*> rows_;
  std::vector<KeyRow*> folded_;
  SettingFilter filter_;
  bool unfolded_ = false;
  QLabel* title_;
  ElidedLabel* summary_;
  QVBoxLayout* applying_;
  QWidget* fold_;
  QToolButton* arrow_;
  ElidedLabel* titles_;
  ElidedLabel* why_;
  QWidget* others_;
  QVBoxLayout* notApplying_;
};

}  // namespace slipstream::ui
