// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/less_bn/spec.h"

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

using Options = LessBnOptions;

/// What less_bn changes in this run, each part in words; empty where it changes nothing.
std::vector<Text> partsThatAct(const NetworkRewrite& rewrite, bool centralizes) {
  std::vector<Text> parts;
  if (!rewrite.removedBatchNorms.empty()) {
    parts.push_back(phrase("{} removed ({})", {countedText(std::ssize(rewrite.removedBatchNorms), "batch norm"),
                                               join(rewrite.removedBatchNorms, ", ")}));
  }
  if (!rewrite.replacedHead.empty()) parts.push_back(phrase("last dense layer normalised"));
  if (centralizes) parts.push_back(phrase("gradients centralised"));
  return parts;
}

Status refuseIneffective(RunPlan& plan) {
  const Text why = phrase(
      "changes nothing: network {} has no bottleneck block whose batch norms could go, and neither fn_flag nor gc_flag "
      "acts",
      {plan.experiment.network.name});
  if (!plan.experiment.boost.isRequested("less_bn")) {
    switchOffWithoutEffect(plan, "less_bn", Reason::network, phrase("it {}", {why}));
    return {};
  }
  return fail("boost.dictionary.boost.less_bn", "true", why.in(),
              "set less_bn.fn_flag or less_bn.gc_flag to true, use a network with bottleneck blocks "
              "(small_resnet_bottleneck, resnet50), or set it to false");
}

Status resolve(RunPlan& plan) {
  BoostConfig& boost = plan.experiment.boost;
  if (!boost.isOn<Options>()) return {};
  if (plan.experiment.network.isProgram()) {
    switchOff(plan, "less_bn", Reason::network, phrase("the program owns the network, and nothing else rewrites it"));
    return {};
  }
  Options& options = boost.edit<Options>();
  NetworkRewrite rewrite = lessBn(plan.experiment.network, options.fnFlag);
  const std::vector<Text> parts = partsThatAct(rewrite, options.gcFlag);
  if (parts.empty()) return refuseIneffective(plan);
  options.removedBatchNorms = static_cast<int>(rewrite.removedBatchNorms.size());
  Text why = joined(parts, ", ");
  if (rewrite.removedBatchNorms.empty()) why = phrase("{}; no bottleneck block, so no batch norm removed", {why});
  decideAlgorithm(plan, switchedOn("less_bn", Reason::network, why));
  if (!rewrite.replacedHead.empty()) {
    decide(plan, switchedOn("less_bn.fn_flag", Reason::option,
                            phrase("{} became a normalised dense layer", {rewrite.replacedHead})));
  }
  plan.experiment.network = std::move(rewrite.network);
  return {};
}

void describeFindings(Fields& fields, BoostConfig& boost) {
  int& removed = boost.edit<Options>().removedBatchNorms;
  if (fields.wants("removed_batch_norms", removed > 0)) fields.integer("removed_batch_norms", removed, atLeast(0));
}

}  // namespace

AlgorithmSpec LessBnAlgorithm::spec() {
  return {.key = Options::algorithm,
          .title = "Less batch norm",
          .summary = "fewer batch norms and a normalised last layer",
          .slot = "the plan's network",
          .hasSwitch = true,
          .levels = {BoostLevel::O1, BoostLevel::O2},
          .options = Options::keys(),
          .describeFindings = describeFindings,
          .resolve = resolve};
}

}  // namespace slipstream
