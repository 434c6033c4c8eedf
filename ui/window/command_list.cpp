// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_list.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace slipstream::ui {
namespace {

constexpr int wordStart = 8, adjacent = 8, anywhere = 1;
constexpr int impossible = std::numeric_limits<int>::min() / 2;

bool beginsWord(const QString& text, qsizetype at) {
  return at == 0 || !text[at - 1].isLetterOrNumber();
}

constexpr std::size_t mostShown = 50;

}  // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& text) {
  QString letters = typed.toCaseFolded();
  letters.remove(QLatin1Char(' '));
  if (letters.isEmpty()) return 0;
  const QString folded = text.toCaseFolded();
  const auto size = static_cast<std::size_t>(folded.size());
  // best[i]: the score where the latest letter is at i.
  std::vector<int> best(size, impossible);
  for (qsizetype letter = 0; letter < letters.size(); ++letter) {
    std::vector<int> next(size, impossible);
    int before = letter == 0 ? 0 : impossible;  // the best of those that end before i
    for (std::size_t i = 0; i < size; ++i) {
      const auto at = static_cast<qsizetype>(i);
      const int beside = letter > 0 && i > 0 ? best[i - 1] + adjacent : impossible;
      if (folded[at] == letters[letter]) {
        const int here = beginsWord(folded, at) ? wordStart : anywhere;
        next[i] = std::max(before, beside) + here;
      }
      if (letter > 0) before = std::max(before, best[i]);
    }
    best = std::move(next);
  }
  const int score = best.empty() ? impossible : *std::max_element(best.begin(), best.end());
  if (score <= 0) return std::nullopt;
  return score * 4 - static_cast<int>(std::min<std::size_t>(size, 40)) / 8;  // the shorter of two that fit alike
}

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
