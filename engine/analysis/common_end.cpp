// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/common_end.h"

#include <algorithm>
#include <set>

namespace slipstream {
namespace {

constexpr std::string_view separator = ", ";

/// The longest of its ends behind a comma that all labels have, which begin before it; with the comma.
std::string_view commonEnd(const std::vector<std::string>& labels) {
  const std::string_view first = labels.front();
  for (std::size_t at = first.find(separator); at != std::string_view::npos; at = first.find(separator, at + 1)) {
    const std::string_view end = first.substr(at);
    const auto hasIt = [end](const std::string& label) { return label.size() > end.size() && label.ends_with(end); };
    if (at > 0 && std::ranges::all_of(labels, hasIt)) return end;
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
  return end.substr(separator.size());
}

}  // namespace slipstream
