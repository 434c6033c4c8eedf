// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/live_progress.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

constexpr std::size_t stepsRemembered = 101;

std::optional<std::size_t> columnOf(const MetricBlock& block, std::string_view name) {
  const auto found = std::find(block.names.begin(), block.names.end(), name);
  if (found == block.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - block.names.begin());
}

double valueAt(const MetricBlock& block, std::size_t row, std::optional<std::size_t> column) {
  return column ? block.values[row * block.names.size() + *column] : 0;
}

}  // namespace

void LiveProgress::metrics(int rank, const MetricBlock& block) {
  join(rank, block);
  slowHosts_.add(rank, block);
  if (const auto accuracy = columnOf(block, metric::accuracy)) {
    for (std::size_t row = 0; row < block.steps.size(); ++row) {
      evaluations_[block.steps[row]] = valueAt(block, row, accuracy);
    }
  }
  reportEvaluations();
}

/// The rank that evaluates has told its own steps before: those that others still owe are waited for.
void LiveProgress::reportEvaluations() {
  while (!evaluations_.empty()) {
    const auto next = evaluations_.begin();
    if (!joining_.empty() && joining_.begin()->first < next->first) return;
    observer_.evaluated(next->first, next->second);
    evaluations_.erase(next);
  }
}

void LiveProgress::join(int rank, const MetricBlock& block) {
  const auto lossColumn = columnOf(block, metric::loss);
  if (!lossColumn) return;
  const auto seconds = columnOf(block, metric::stepSeconds);
  const auto rate = columnOf(block, metric::samplesPerSecond);
  for (std::size_t row = 0; row < block.steps.size(); ++row) {
    const auto entry = joining_.try_emplace(block.steps[row]).first;
    Joining& step = entry->second;
    step.losses.resize(static_cast<std::size_t>(ranks_));
    step.losses[static_cast<std::size_t>(rank)] = valueAt(block, row, lossColumn);
    step.stepSeconds += valueAt(block, row, seconds);
    step.samplesPerSecond += valueAt(block, row, rate);
    if (++step.ranks < ranks_) continue;
    const double loss = std::accumulate(step.losses.begin(), step.losses.end(), 0.0);
    const StepReport report{entry->first, loss / ranks_, step.stepSeconds / ranks_, step.samplesPerSecond};
    joining_.erase(entry);
    recent_.push_back(report.stepSeconds);
    newest_ = report.step;
    if (recent_.size() > stepsRemembered) recent_.pop_front();
    observer_.step(report);
  }
}

double LiveProgress::medianStepSeconds() const {
  if (recent_.empty()) return 0;
  std::vector<double> sorted(recent_.begin(), recent_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace slipstream
