// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QIcon>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace slipstream::ui {

/// How well what was typed fits a text that has its letters in the same order; higher is better, nothing where it does
/// not fit. Letters at beginnings of words and next to one another count most; capitals and spaces do not matter.
std::optional<int> fuzzyScore(const QString& typed, const QString& text);

/// Something that the command box can do or go to.
struct Command {
  QString title;
  QString hint;  ///< its key, or what kind of thing it is
  QIcon icon;
  std::function<void()> perform;
};

/// The commands that fit what was typed, the best first.
class CommandList : public QAbstractListModel {
  Q_OBJECT

 public:
  static constexpr int hintRole = Qt::UserRole;

  using QAbstractListModel::QAbstractListModel;

  void setCommands(std::vector<Command> commands);
  void setTyped(const QString& typed);
  const Command& at(int row) const { return all_[fitting_[static_cast<std::size_t>(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void narrow();

  std::vector<Command> all_;
  std::vector<std::size_t> fitting_;
  QString typed_;
};

}  // namespace slipstream::ui
