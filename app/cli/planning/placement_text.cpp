// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning/placement_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/shell_line.h"
#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

using Views = std::vector<ServerView>;

bool isConsecutive(const std::vector<int>& ranks) {
  return std::ranges::adjacent_find(ranks, [](int a, int b) { return b != a + 1; }) == ranks.end();
}

/// Whether the second continues the first: as many ranks, numbered on, and the same variables but for its number.
bool continues(const ServerView& first, const ServerView& second) {
  auto expected = first.environment;
  expected["SERVER_ID"] = second.environment.at("SERVER_ID");
  return expected == second.environment && isConsecutive(first.ranks) && isConsecutive(second.ranks) &&
         second.ranks.front() == first.ranks.back() + 1;
}

/// Few ranks one by one, many as a range.
std::string ranksText(const std::vector<int>& ranks) {
  constexpr std::ptrdiff_t most = 16;
  if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
  if (std::ssize(ranks) <= most || !isConsecutive(ranks)) return fmt::format("ranks {}", fmt::join(ranks, " "));
  return fmt::format("ranks {} to {}", ranks.front(), ranks.back());
}

std::string variablesText(std::map<std::string, std::string> environment, const std::string& lastServer) {
  std::string& server = environment["SERVER_ID"];
  const bool several = server != lastServer;
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) {
    if (name != "SERVER_ID" || !several) variables.push_back(name + "=" + value);
  }
  return shellLine(variables) + (several ? fmt::format(" SERVER_ID={} to {}", server, lastServer) : "");
}

std::string viewText(const ServerView& view) {
  return fmt::format("  {}: {}\n    {}\n", view.host, ranksText(view.ranks),
                     variablesText(view.environment, view.environment.at("SERVER_ID")));
}

std::string foldedText(const ServerView& first, const ServerView& last, std::ptrdiff_t servers) {
  return fmt::format("  {} to {}, {} of {}: ranks {} to {}\n    {}\n", first.host, last.host,
                     counted(servers, "server"), counted(std::ssize(first.ranks), "rank"), first.ranks.front(),
                     last.ranks.back(), variablesText(first.environment, last.environment.at("SERVER_ID")));
}

}  // namespace

std::string placementText(const RunPlan& plan) {
  constexpr std::ptrdiff_t fewest = 3;  // that are worth folding
  const Views views = serverViews(plan);
  std::string text;
  for (auto first = views.begin(); first != views.end();) {
    auto end = first + 1;
    while (end != views.end() && continues(*(end - 1), *end)) ++end;
    if (end - first >= fewest) {
      text += foldedText(*first, *(end - 1), end - first);
    } else {
      for (auto view = first; view != end; ++view) text += viewText(*view);
    }
    first = end;
  }
  return text;
}

std::string shortenedLines(const std::string& text) {
  constexpr std::ptrdiff_t most = 24, shown = 16;
  const std::ptrdiff_t lines = std::ranges::count(text, '\n');
  if (lines <= most) return text;
  std::size_t end = 0;
  for (std::ptrdiff_t line = 0; line < shown; ++line) end = text.find('\n', end) + 1;
  return text.substr(0, end) + fmt::format("... and {} more, which --json shows\n", counted(lines - shown, "line"));
}

}  // namespace slipstream::cli
