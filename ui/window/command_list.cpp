// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_list.h"

#include <algorithm>

#include "ui/window/fuzzy_match.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostShown = 50;

}  // namespace

void CommandList::setCommands(std::vector<Command> commands) {
  beginResetModel();
  all_ = std::move(commands);
  narrow();
  endResetModel();
}

void CommandList::setTyped(const QString& typed) {
  beginResetModel();
  typed_ = typed;
  narrow();
  endResetModel();
}

void CommandList::narrow() {
  std::vector<std::pair<int, std::size_t>> scored;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (const auto score = fuzzyScore(typed_, all_[i].title)) scored.emplace_back(*score, i);
  }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (scored.size() > mostShown) scored.resize(mostShown);
  fitting_.clear();
  for (const auto& [score, index] : scored) fitting_.push_back(index);
}

int CommandList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(fitting_.size());
}

QVariant CommandList::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Command& command = at(index.row());
  if (role == Qt::DisplayRole) return command.title;
  if (role == Qt::DecorationRole) return command.icon;
  if (role == hintRole) return command.hint;
  if (role == Qt::AccessibleTextRole)
    return command.hint.isEmpty() ? command.title : tr("%1, %2").arg(command.title, command.hint);
  return {};
}

}  // namespace slipstream::ui
