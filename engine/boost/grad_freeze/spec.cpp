// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_freeze/spec.h"

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

using Options = GradFreezeOptions;

void describeGroups(RunPlan& plan, const NetworkShape& shape) {
  const Options& options = plan.experiment.boost.of<Options>();
  std::vector<std::string> starts;
  for (const int layer : firstTrainedLayers(shape.tensors, options.paramGroups)) {
    starts.push_back(plan.experiment.network.layers[static_cast<std::size_t>(layer)].name);
  }
  decide(
      plan,
      adjusted("grad_freeze.groups", std::to_string(options.paramGroups), Reason::option,
               phrase("about {} % of the steps train all layers; the others train from one of these on: {}",
                      {fmt::format("{:.0f}", 100 * options.freezeP), join({starts.begin() + 1, starts.end()}, ", ")})));
  if (options.freezeType != 0 || freezeFullSteps(options.freezeP, options.paramGroups) > 0) return;
  decide(plan, adjusted("grad_freeze.freeze_p", numberText(options.freezeP), Reason::option,
                        phrase("no step trains the layers before {}: type 0 needs at least {} for {} groups",
                               {starts[1], fmt::format("{:.3g}", 1.0 / options.paramGroups),
                                std::to_string(options.paramGroups)})));
}

/// Groups are cut to the network.
Status resolveShape(RunPlan& plan, const NetworkShape& shape) {
  BoostConfig& boost = plan.experiment.boost;
  if (!boost.isOn<Options>()) return {};
  int& groups = boost.edit<Options>().paramGroups;
  const int blocks = freezeBlockCount(shape.tensors);
  const bool requested = boost.written.contains("grad_freeze.param_groups") || boost.isRequested(Options::algorithm);
  const Text held =
      phrase("the network {} has {} of layers", {plan.experiment.network.name, countedText(blocks, "block")});
  const Text nothing = phrase("{}: there is nothing to freeze below the last one", {held});
  if (blocks < 2 && requested) {
    return fail("boost.dictionary.grad_freeze", "", nothing.in(),
                "switch grad_freeze off, or use a network of four tensors and more");
  }
  if (blocks < 2) {
    switchOff(plan, Options::algorithm, Reason::network, nothing);
    return {};
  }
  if (groups > blocks && requested) {
    return fail("boost.dictionary.grad_freeze.param_groups", std::to_string(groups), "is more groups than " + held.in(),
                fmt::format("write {} or fewer", blocks));
  }
  if (groups > blocks) {
    groups = blocks;
    decide(plan, adjusted("grad_freeze.param_groups", std::to_string(blocks), Reason::network,
                          phrase("{}, and a group needs one", {held})));
  }
  if (groups == 1) {
    switchOffWithoutEffect(plan, Options::algorithm, Reason::option,
                           phrase("param_groups is 1, and one group is the whole network"));
  } else {
    describeGroups(plan, shape);
  }
  return {};
}

}  // namespace

AlgorithmSpec GradFreezeAlgorithm::spec() {
  return {.key = Options::algorithm,
          .title = "Gradient freeze",
          .summary = "trains only the last layers on a share of the steps",
          .slot = "policy",
          .hasSwitch = true,
          .levels = {BoostLevel::O1, BoostLevel::O2},
          .options = Options::keys(),
          .metrics = {gradFreezeMetrics.begin(), gradFreezeMetrics.end()},
          .resolveShape = resolveShape};
}

}  // namespace slipstream
