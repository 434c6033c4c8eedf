// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>

#include "engine/nn/cuda/cudnn/plan.h"

namespace slipstream {

/// The plans of one kind of GPU: each is searched for once, and kept as a file for the next program, as is that there
/// is none. A file that is damaged, of another version of cuDNN or of another GPU is not used, and one that cannot be
/// written is gone without.
class PlanCache {
 public:
  /// `folder` empty: nothing is kept. With `tryPlans`, the fastest of several plans is chosen; which that is, may
  /// differ from time to time, so that the first that is kept serves all programs and ranks.
  PlanCache(CudnnDevice device, std::filesystem::path folder, TryPlans tryPlans = {})
      : device_(std::move(device)), folder_(std::move(folder)), tryPlans_(std::move(tryPlans)) {}

  /// Null where cuDNN has no engine for the request, which is remembered for as long as the cache lives.
  const CudnnPlan* find(const PlanRequest& request);
  /// Throws Error where cuDNN has no engine for the request.
  const CudnnPlan& plan(const PlanRequest& request);
  /// Where the plan of a request is kept.
  std::filesystem::path fileOf(const PlanRequest& request) const;

 private:
  /// `choice` counts how plans were chosen: one that was kept under other rules is not used.
  std::string keyOf(const PlanRequest& request) const {
    constexpr const char* choice = "choice 6";
    return device_.name() + ", " + choice + (tryPlans_ ? " by trial, " : ", ") + toText(request);
  }
  std::optional<CudnnPlan> search(const PlanRequest& request) const;
  /// Nothing where no file that can be used says what was chosen.
  std::optional<PlanChoice> kept(const PlanRequest& request) const;
  void keep(const PlanRequest& request, const std::optional<CudnnPlan>& plan) const;

  CudnnDevice device_;
  std::filesystem::path folder_;
  TryPlans tryPlans_;
  std::map<std::string, std::optional<CudnnPlan>> plans_;  ///< by key
};

}  // namespace slipstream
