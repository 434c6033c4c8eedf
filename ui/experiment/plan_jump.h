// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QCheckBox;
class QLineEdit;
class QListWidget;

namespace slipstream::ui {

struct SettingFilter;

/// The sections of the form as a list that leads to them, with a search above and marks where something is wrong.
class PlanJump : public QWidget {
  Q_OBJECT

 public:
  explicit PlanJump(const QStringList& sections, QWidget* parent = nullptr);

  enum class Mark { none, warning, error };
  void setMark(int section, Mark mark);
  /// A section without a setting that is looked for leads nowhere.
  void setFound(int section, bool found);
  void setCurrent(int section);
  void setChanged(int settings);
  /// Nothing is looked for any more.
  void clear();

 Q_SIGNALS:
  void chosen(int section);  ///< by a person
  void filterChanged(const SettingFilter& filter);

 private:
  void announce();

  QLineEdit* search_;
  QListWidget* list_;
  QCheckBox* changed_;
};

}  // namespace slipstream::ui
