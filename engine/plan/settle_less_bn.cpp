// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/plan/less_bn.h"
#include "engine/plan/settle.h"

namespace slipstream {
namespace {

/// What less_bn changes in this run, each part in words; empty where it changes nothing.
std::vector<std::string> partsThatAct(const NetworkRewrite& rewrite, bool centralizes) {
  std::vector<std::string> parts;
  if (!rewrite.removedBatchNorms.empty()) {
    parts.push_back(fmt::format("{} removed ({})", counted(std::ssize(rewrite.removedBatchNorms), "batch norm"),
                                join(rewrite.removedBatchNorms, ", ")));
  }
  if (!rewrite.replacedHead.empty()) parts.push_back("last dense layer normalised");
  if (centralizes) parts.push_back("gradients centralised");
  return parts;
}

Status refuseIneffective(RunPlan& plan) {
  const std::string why = fmt::format(
      "changes nothing: network {} has no bottleneck block whose batch norms could go, and neither fn_flag nor gc_flag "
      "acts",
      plan.experiment.network.name);
  if (!plan.experiment.boost.isDemanded("less_bn")) {
    switchOffWithoutEffect(plan, "less_bn", "it " + why);
    return {};
  }
  return fail("boost.dictionary.boost.less_bn", "true", why,
              "set less_bn.fn_flag or less_bn.gc_flag to true, use a network with bottleneck blocks "
              "(small_resnet_bottleneck, resnet50), or set it to false");
}

}  // namespace

Status settleLessBn(RunPlan& plan) {
  BoostConfig& boost = plan.experiment.boost;
  if (!boost.lessBn) return {};
  NetworkRewrite rewrite = lessBn(plan.experiment.network, boost.fnFlag);
  const std::vector<std::string> parts = partsThatAct(rewrite, boost.gcFlag);
  if (parts.empty()) return refuseIneffective(plan);
  boost.removedBatchNorms = static_cast<int>(rewrite.removedBatchNorms.size());
  const bool none = rewrite.removedBatchNorms.empty();
  decideAlgorithm(
      plan, {"less_bn", "on", join(parts, ", ") + (none ? "; no bottleneck block, so no batch norm removed" : "")});
  if (!rewrite.replacedHead.empty()) {
    decide(plan, "less_bn.fn_flag", "on", fmt::format("{} became a normalised dense layer", rewrite.replacedHead));
  }
  plan.experiment.network = std::move(rewrite.network);
  return {};
}

}  // namespace slipstream
