// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/weight_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "engine/base/text.h"

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

/// What PyTorch's batch norms count beside their running statistics.
constexpr std::string_view batchCount = "num_batches_tracked";

struct Renaming {
  std::string_view own;
  std::string_view torchvision;
};

/// The last parts of names, as they lie between dots, and the others.
constexpr std::array tensorParts{Renaming{"gamma", "weight"}, Renaming{"beta", "bias"},
                                 Renaming{"moving_mean", "running_mean"}, Renaming{"moving_variance", "running_var"}};
constexpr std::array layerParts{Renaming{"down_sample_layer", "downsample"}, Renaming{"end_point", "fc"}};

std::string renamed(const std::string& part, std::span<const Renaming> renamings) {
  const auto found = std::ranges::find(renamings, part, &Renaming::own);
  return found == renamings.end() ? part : std::string(found->torchvision);
}

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

std::string torchvisionName(std::string_view name) {
  std::vector<std::string> parts = split(name, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) parts[i] = renamed(parts[i], layerParts);
  parts.back() = renamed(parts.back(), tensorParts);
  return join(parts, ".");
}

std::string nameIn(TensorNames names, const std::string& name) {
  return names == TensorNames::own ? name : torchvisionName(name);
}

bool isTrainingState(std::string_view name) {
  if (name == batchCount || name.ends_with("." + std::string(batchCount))) return true;
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

std::optional<std::string> nearestName(std::string_view name, const std::vector<std::string>& names) {
  std::optional<std::string> best;
  std::size_t least = 0;
  for (const std::string& other : names) {
    const std::size_t longer = std::max(name.size(), other.size());
    const std::size_t apart = longer - std::min(name.size(), other.size());  // the least that the distance may be
    if (2 * apart >= longer || (best && apart >= least)) continue;
    const std::size_t distance = editDistance(name, other);
    if (2 * distance >= longer || (best && distance >= least)) continue;
    best = other;
    least = distance;
  }
  return best;
}

}  // namespace slipstream
