// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/common_end.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace slipstream {
namespace {

constexpr std::string_view separator = ", ";

bool isLetter(char character) {
  return std::isalpha(static_cast<unsigned char>(character)) != 0;
}

bool isNumber(std::string_view word) {
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0 &&
         word.find_first_not_of("0123456789.e+-") == std::string_view::npos;
}

/// " lr 0.01": names of settings, each with its number.
bool areSettings(std::string_view words) {
  for (bool isName = true; !words.empty(); isName = !isName) {
    words.remove_prefix(1);
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    const bool fits = isName ? !word.empty() && isLetter(word.front()) && end < words.size() : isNumber(word);
    if (!fits) return false;
    words.remove_prefix(end);
  }
  return true;
}

/// What may be taken off: words behind a comma, or settings behind a blank that no comma is before.
bool isEnd(std::string_view label, std::size_t at) {
  const std::string_view end = label.substr(at);
  if (label[at - 1] == ',' || end.find_first_not_of(separator) == std::string_view::npos) return false;
  return end.starts_with(separator) || areSettings(end);
}

/// The longest of its ends that all labels have, which begin before it; with the comma, or the blank before settings.
std::string_view commonEnd(const std::vector<std::string>& labels) {
  const std::string_view first = labels.front();
  for (std::size_t at = first.find_first_of(separator, 1); at != std::string_view::npos;
       at = first.find_first_of(separator, at + 1)) {
    if (!isEnd(first, at)) continue;
    const std::string_view end = first.substr(at);
    const auto hasIt = [end](const std::string& label) { return label.size() > end.size() && label.ends_with(end); };
    if (std::ranges::all_of(labels, hasIt)) return end;
  }
  return {};
}

}  // namespace

std::string takeCommonEnd(std::vector<std::string>& labels) {
  const std::set<std::string> before(labels.begin(), labels.end());
  if (before.size() < 2) return {};
  const std::string end(commonEnd(labels));
  if (end.empty()) return {};
  for (std::string& label : labels) label.resize(label.size() - end.size());
  return end.substr(end.find_first_not_of(separator));
}

}  // namespace slipstream
