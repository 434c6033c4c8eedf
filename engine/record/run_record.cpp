// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_record.h"

#include <array>

namespace slipstream {
namespace {

constexpr std::array<std::string_view, 10> stateNames{"draft",    "queued", "preempted", "starting", "running",
                                                      "stopping", "done",   "failed",    "stopped",  "lost"};

}  // namespace

std::string_view nameOf(RunState state) {
  return stateNames.at(static_cast<std::size_t>(state));
}

bool isTerminal(RunState state) {
  return state == RunState::done || state == RunState::failed || state == RunState::stopped || state == RunState::lost;
}

bool isLiving(RunState state) {
  return !isTerminal(state) && state != RunState::draft;
}

std::optional<RunState> stateNamed(std::string_view name) {
  for (std::size_t i = 0; i < stateNames.size(); ++i) {
    if (stateNames[i] == name) return static_cast<RunState>(i);
  }
  return std::nullopt;
}

}  // namespace slipstream
