// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/loss_scale/spec.h"

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

using Options = LossScaleGroupOptions;

/// What becomes of optimizer.loss_scale.
void describeDivisor(RunPlan& plan) {
  const double divisor = plan.experiment.optimizer.lossScale;
  if (divisor == 1) return;
  const std::string number = numberText(divisor);
  if (plan.experiment.lossScale.kind != LossScaleKind::none) {
    decide(plan, adjusted("optimizer.loss_scale", number, Reason::displaced,
                          phrase("the scale of precision.loss_scale, which is divided out once, before gradients are "
                                 "exchanged")));
  } else if (plan.experiment.boost.isOn("dim_reduce")) {
    decide(plan, noEffect("optimizer.loss_scale", number, Reason::displaced,
                          phrase("dim_reduce steps by itself, and no loss was scaled")));
  } else {
    decide(plan, adjusted("optimizer.loss_scale", number, Reason::written,
                          phrase("the optimizer divides gradients by {0} though no loss was multiplied "
                                 "(precision.loss_scale): the learning rate acts as if it were {0} times smaller",
                                 {number})));
  }
}

/// What the kind does, in words.
Text kindText(const LossScaleSpec& scale) {
  const std::string first = numberText(scale.scale);
  switch (scale.kind) {
    case LossScaleKind::none:
      return {};
    case LossScaleKind::fixed:
      return scale.dropOverflowUpdate ? phrase("{}; a step that overflows on any rank updates nothing", {first})
                                      : phrase("{}; nobody looks for overflows", {first});
    case LossScaleKind::dynamic:
      return phrase("from {}, divided by {} after an overflow, multiplied after {} without",
                    {first, numberText(scale.factor), countedText(scale.window, "step")});
    case LossScaleKind::group:
      return phrase("from {}, one for each of optimizer.groups and one for the other tensors", {first});
  }
  return {};
}

void describe(RunPlan& plan) {
  static const EnumNames<LossScaleKind> kinds{
      {"fixed", LossScaleKind::fixed}, {"dynamic", LossScaleKind::dynamic}, {"group", LossScaleKind::group}};
  describeDivisor(plan);
  const LossScaleSpec& scale = plan.experiment.lossScale;
  if (scale.kind == LossScaleKind::none) return;
  decide(plan, adjusted("precision.loss_scale", wordOf(kinds, scale.kind), Reason::written, kindText(scale)));
}

/// The switch and precision.loss_scale become one.
Status resolveShape(RunPlan& plan, const NetworkShape&) {
  BoostConfig& boost = plan.experiment.boost;
  LossScaleSpec& scale = plan.experiment.lossScale;
  const bool other = scale.kind == LossScaleKind::fixed || scale.kind == LossScaleKind::dynamic;
  if (boost.isOn<Options>() && other) {
    const Text why = phrase("precision.loss_scale names another kind");
    if (boost.isRequested(Options::algorithm)) {
      return fail("boost.dictionary.boost.loss_scale_group", "true", why.in(),
                  "write \"kind\": \"group\" in precision.loss_scale, or remove one of the two");
    }
    switchOff(plan, Options::algorithm, Reason::displaced, why);
  }
  if (boost.isOn<Options>() && scale.kind == LossScaleKind::none) {
    scale.kind = LossScaleKind::group;
    scale.scale = firstScale(scale.kind);
  }
  if (scale.kind == LossScaleKind::group && plan.experiment.optimizer.lossScale != 1) {
    return fail("optimizer.loss_scale", numberText(plan.experiment.optimizer.lossScale),
                "would divide the gradients by a loss scale a second time",
                "remove it: loss_scale_group divides its own scales out again");
  }
  if (scale.kind == LossScaleKind::group && !boost.isOn<Options>()) {
    boost.setOn<Options>();
    decideAlgorithm(plan,
                    switchedOn(Options::algorithm, Reason::written, phrase("precision.loss_scale.kind is group")));
  }
  describe(plan);
  return {};
}

void addMemory(const RunPlan& plan, const NetworkShape&, MemoryForecast& forecast) {
  constexpr std::int64_t flagBytes = 4;
  forecast["boost"] += flagBytes * lossScaleFlags(plan.experiment.lossScale, plan.experiment.optimizer);
}

}  // namespace

std::int64_t lossScaleFlags(const LossScaleSpec& spec, const OptimizerSpec& optimizer) {
  if (spec.kind == LossScaleKind::none) return 0;
  return spec.kind == LossScaleKind::group ? std::ssize(optimizer.groups) + 1 : 1;
}

AlgorithmSpec LossScaleAlgorithm::spec() {
  return {.key = Options::algorithm,
          .title = "Loss scale groups",
          .summary = "keeps small gradients above zero, by parameter group; an overflow skips the step",
          .slot = "policy and gradient pass",
          .folder = "loss_scale",
          .hasSwitch = true,
          .metrics = {lossScaleMetrics.begin(), lossScaleMetrics.end()},
          .resolveShape = resolveShape,
          .addMemory = addMemory};
}

}  // namespace slipstream
