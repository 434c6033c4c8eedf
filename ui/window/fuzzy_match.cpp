// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fuzzy_match.h"

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

}  // namespace

std::optional<int> fuzzyScore(const QString& typed, const QString& text) {
  QString letters = typed.toCaseFolded();
  letters.remove(QLatin1Char(' '));
  if (letters.isEmpty()) return 0;
  const QString folded = text.toCaseFolded();
  const auto size = static_cast<std::size_t>(folded.size());
  // best[i]: the score where the newest letter stands at i.
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

}  // namespace slipstream::ui
