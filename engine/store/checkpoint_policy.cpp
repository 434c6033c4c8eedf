// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/store/checkpoint_removal.h"

namespace slipstream {
namespace {

/// The N of "PREFIX_N-1_5.ckpt", 0 of "PREFIX-1_5.ckpt", nothing of any other file.
std::optional<std::int64_t> generationOf(const std::string& file, const std::string& prefix) {
  if (!startsWith(file, prefix) || !endsWith(file, ".ckpt") || endsWith(file, "_breakpoint.ckpt")) return std::nullopt;
  const std::string rest = file.substr(prefix.size());
  if (startsWith(rest, "-")) return 0;
  if (!startsWith(rest, "_")) return std::nullopt;
  return parseInteger(rest.substr(1, rest.find('-') - 1));
}

}  // namespace

std::string checkpointPrefix(const std::string& prefix, const std::vector<std::string>& existingFiles) {
  std::optional<std::int64_t> newest;
  for (const std::string& file : existingFiles) newest = std::max(newest, generationOf(file, prefix));
  return newest ? fmt::format("{}_{}", prefix, *newest + 1) : prefix;
}

std::string checkpointFileName(const std::string& prefix, std::int64_t epoch, std::int64_t stepInEpoch) {
  return fmt::format("{}-{}_{}.ckpt", prefix, epoch, stepInEpoch);
}

std::vector<std::int64_t> checkpointsToRemove(const std::vector<std::int64_t>& steps, std::int64_t keep) {
  const std::int64_t surplus = keep <= 0 ? 0 : std::max<std::int64_t>(0, std::ssize(steps) - keep);
  return {steps.begin(), steps.begin() + surplus};
}

}  // namespace slipstream
