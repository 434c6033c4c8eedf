// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/remotes/copies.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"

namespace slipstream::cli {

std::string agoText(std::int64_t wallNanoseconds) {
  if (wallNanoseconds == 0) return "never";
  constexpr std::int64_t second = 1'000'000'000;
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t hour = 60 * minute;
  constexpr std::int64_t day = 24 * hour;
  const std::int64_t age = std::max<std::int64_t>(0, slipstream::wallNanoseconds() - wallNanoseconds) / second;
  if (age < minute) return fmt::format("{} s ago", age);
  if (age < hour) return fmt::format("{} min ago", age / minute);
  if (age < day) return fmt::format("{} h ago", age / hour);
  return counted(age / day, "day") + " ago";
}

std::string stateText(RunStore& store, const RunRecord& run) {
  std::string text(nameOf(run.state));
  if (run.remote.empty()) return text;
  text += " on " + run.remote;
  if (isTerminal(run.state)) return text;
  const auto remotes = store.remotes();
  const auto remote = std::ranges::find(remotes, run.remote, &RemoteContact::name);
  return text + ", heard " + agoText(remote == remotes.end() ? 0 : remote->heardAt);
}

}  // namespace slipstream::cli
