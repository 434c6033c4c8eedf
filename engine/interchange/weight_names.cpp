// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/weight_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace slipstream {
namespace {

constexpr std::string_view statistics = "state/";

constexpr std::array<std::string_view, 15> stateNames{"learning_rate",
                                                      "momentum",
                                                      "global_step",
                                                      "scale_sense",
                                                      "current_iterator_step",
                                                      "last_overflow_iterator_step",
                                                      "gk_last",
                                                      "bk",
                                                      "sk",
                                                      "epoch_num",
                                                      "step_num",
                                                      "loss_scale",
                                                      "beta1_power",
                                                      "beta2_power",
                                                      "random_op"};
constexpr std::array<std::string_view, 9> stateBeginnings{
    "moments.",           "moment1.",      "moment2.",           "accum.",        "stat.",
    "grad_accumulation.", "delta_weight.", "grad_res_momentum.", "weights_clone."};

/// boost_<group>. of gradient freezing: every group of the optimizer has its own moments.
bool isBoostGroup(std::string_view name) {
  constexpr std::string_view word = "boost_";
  if (!name.starts_with(word)) return false;
  const auto end = name.find('.');
  const std::string_view group = name.substr(word.size(), end == std::string_view::npos ? end : end - word.size());
  return end != std::string_view::npos && !group.empty() &&
         group.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool isTrainingState(std::string_view name) {
  if (plainName(name).find('/') != std::string_view::npos) return true;  // ours: "momentum/NAME"
  return std::ranges::find(stateNames, name) != stateNames.end() || isBoostGroup(name) ||
         std::ranges::any_of(stateBeginnings, [&](std::string_view start) { return name.starts_with(start); });
}

std::string_view plainName(std::string_view name) {
  return name.starts_with(statistics) ? name.substr(statistics.size()) : name;
}

std::string commonPrefix(const std::vector<std::string>& wanted, const std::vector<std::string>& present) {
  const std::set<std::string_view> names(present.begin(), present.end());
  std::set<std::string> candidates;
  // Any of them shows the prefix where there is one; the first few suffice where some are missing.
  constexpr std::size_t enough = 8;
  for (std::size_t i = 0; i < std::min(enough, wanted.size()); ++i) {
    for (const std::string& name : present) {
      if (name.ends_with("." + wanted[i])) candidates.insert(name.substr(0, name.size() - wanted[i].size()));
    }
  }
  std::string best;
  std::ptrdiff_t most = 0;
  for (const std::string& prefix : candidates) {
    const auto found = std::ranges::count_if(wanted, [&](const auto& name) { return names.contains(prefix + name); });
    if (found > most) {
      most = found;
      best = prefix;
    }
  }
  return best;
}

}  // namespace slipstream
