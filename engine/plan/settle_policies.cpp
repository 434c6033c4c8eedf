// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/plan/freeze_groups.h"
#include "engine/plan/settle.h"

namespace slipstream {
namespace {

class Settling {
 public:
  Settling(RunPlan& plan, const NetworkShape& shape)
      : plan_(plan), experiment_(plan.experiment), boost_(plan.experiment.boost), shape_(shape) {}

  Status run() {
    SLIPSTREAM_CHECK(freeze());
    SLIPSTREAM_CHECK(lossScale());
    accumulation();
    centralization();
    return {};
  }

 private:
  Status freeze() {
    if (!boost_.gradFreeze) return {};
    const int blocks = freezeBlockCount(shape_.tensors);
    const bool written = boost_.written.contains("grad_freeze.param_groups");
    const bool demanded = written || boost_.isDemanded("grad_freeze");
    const std::string held =
        fmt::format("the network {} has {} of layers", experiment_.network.name, counted(blocks, "block"));
    if (blocks < 2 && demanded) {
      return fail("boost.dictionary.grad_freeze", "", held + ": there is nothing to freeze below the last one",
                  "switch grad_freeze off, or use a network of four tensors and more");
    }
    if (blocks < 2) return switchOff("grad_freeze", held + ": there is nothing to freeze below the last one");
    if (boost_.paramGroups > blocks && demanded) {
      return fail("boost.dictionary.grad_freeze.param_groups", std::to_string(boost_.paramGroups),
                  "is more groups than " + held, fmt::format("write {} or fewer", blocks));
    }
    if (boost_.paramGroups > blocks) {
      boost_.paramGroups = blocks;
      decide("grad_freeze.param_groups", std::to_string(blocks), held + ", and a group needs one");
    }
    if (boost_.paramGroups == 1) {
      switchOffWithoutEffect(plan_, "grad_freeze", "param_groups is 1, and one group is the whole network");
      return {};
    }
    describeFreeze();
    return {};
  }

  void describeFreeze() {
    std::vector<std::string> starts;
    for (const int layer : firstTrainedLayers(shape_.tensors, boost_.paramGroups)) {
      starts.push_back(experiment_.network.layers[static_cast<std::size_t>(layer)].name);
    }
    decide("grad_freeze.groups", std::to_string(boost_.paramGroups),
           fmt::format("about {:.0f} % of the steps train all layers; the others train from one of these on: {}",
                       100 * boost_.freezeP, join({starts.begin() + 1, starts.end()}, ", ")));
    if (boost_.freezeType == 0 && freezeFullSteps(boost_.freezeP, boost_.paramGroups) == 0) {
      decide("grad_freeze.freeze_p", numberText(boost_.freezeP),
             fmt::format("no step trains the layers before {}: type 0 needs at least {:.3g} for {} groups", starts[1],
                         1.0 / boost_.paramGroups, boost_.paramGroups));
    }
  }

  Status lossScale() {
    LossScaleSpec& scale = experiment_.lossScale;
    const bool other = scale.kind == LossScaleKind::fixed || scale.kind == LossScaleKind::dynamic;
    if (boost_.lossScaleGroup && other) {
      const std::string why = "precision.loss_scale names another kind";
      if (!boost_.isDemanded("loss_scale_group")) {
        slipstream::switchOff(plan_, "loss_scale_group", why);
      } else {
        return fail("boost.dictionary.boost.loss_scale_group", "true", why,
                    "write \"kind\": \"group\" in precision.loss_scale, or remove one of the two");
      }
    }
    if (boost_.lossScaleGroup && scale.kind == LossScaleKind::none) {
      scale.kind = LossScaleKind::group;
      scale.scale = firstScale(scale.kind);
    }
    if (scale.kind == LossScaleKind::group && experiment_.optimizer.lossScale != 1) {
      return fail("optimizer.loss_scale", numberText(experiment_.optimizer.lossScale),
                  "would divide the gradients by a loss scale a second time",
                  "remove it: loss_scale_group divides its own scales out again");
    }
    if (scale.kind == LossScaleKind::group && !boost_.lossScaleGroup) {
      boost_.lossScaleGroup = true;
      decideAlgorithm(plan_, {"loss_scale_group", "on", "precision.loss_scale.kind is group"});
    }
    describeLossScale();
    return {};
  }

  void describeLossScale() {
    const LossScaleSpec& scale = experiment_.lossScale;
    describeDivisor();
    const std::string first = numberText(scale.scale);
    if (scale.kind == LossScaleKind::fixed) {
      decide("precision.loss_scale", "fixed",
             scale.dropOverflowUpdate ? fmt::format("{}; a step that overflows on any rank updates nothing", first)
                                      : fmt::format("{}; nobody looks for overflows", first));
    } else if (scale.kind == LossScaleKind::dynamic) {
      decide("precision.loss_scale", "dynamic",
             fmt::format("from {}, divided by {} after an overflow, multiplied after {} without", first,
                         numberText(scale.factor), counted(scale.window, "step")));
    } else if (scale.kind == LossScaleKind::group) {
      decide("precision.loss_scale", "group",
             fmt::format("from {}, one for each of optimizer.groups and one for the other tensors", first));
    }
  }

  /// What becomes of optimizer.loss_scale.
  void describeDivisor() {
    const double divisor = experiment_.optimizer.lossScale;
    if (divisor == 1) return;
    const std::string number = numberText(divisor);
    if (experiment_.lossScale.kind != LossScaleKind::none) {
      decide("optimizer.loss_scale", number,
             "the scale of precision.loss_scale, which is divided out once, before gradients are exchanged");
    } else if (boost_.dimReduce) {
      slipstream::decide(
          plan_, noEffect("optimizer.loss_scale", number, "dim_reduce steps by itself, and no loss was scaled"));
    } else {
      decide("optimizer.loss_scale", number,
             fmt::format("the optimizer divides gradients by {0} though no loss was multiplied (precision.loss_scale): "
                         "the learning rate acts as if it were {0} times smaller",
                         number));
    }
  }

  void accumulation() {
    const int batches = batchesPerStep(experiment_);
    const TrainSpec& train = experiment_.train;
    if (batches > 1) {
      decide("grad_accumulation.grad_accumulation_step", std::to_string(batches),
             fmt::format("a step is {} batches a rank: one exchange and one update for the mean over their samples",
                         batches));
    }
    const bool sum = train.microReduction == MicroReduction::sum;
    if (train.microSize > 1) {
      decide("train.micro_size", std::to_string(train.microSize),
             fmt::format("at most {} at once; loss and gradient are the {} over micro-batches",
                         counted(samplesPerPass(experiment_), "sample"), sum ? "sum" : "mean"));
    } else if (sum) {
      slipstream::decide(plan_, noEffect("train.micro_reduction", "sum", "a batch is one micro-batch"));
    }
  }

  void centralization() {
    const OptimizerSpec& optimizer = experiment_.optimizer;
    const bool byGroup =
        std::ranges::any_of(optimizer.groups, [](const auto& group) { return group.gradCentralization == true; });
    const bool byLessBn = boost_.lessBn && boost_.gcFlag;
    if (!optimizer.gradCentralization && !byGroup && !byLessBn) return;
    const char* asked = optimizer.gradCentralization ? "optimizer.grad_centralization"
                        : byLessBn                   ? "less_bn.gc_flag"
                                                     : "a group's grad_centralization";
    decide("grad_centralization", "on",
           fmt::format("{}: gradients of tensors of two dimensions and more lose the mean of each row", asked));
  }

  void decide(std::string subject, std::string state, std::string why) {
    slipstream::decide(plan_, std::move(subject), std::move(state), std::move(why));
  }

  Status switchOff(const std::string& algorithm, const std::string& why) {
    slipstream::switchOff(plan_, algorithm, why);
    return {};
  }

  RunPlan& plan_;
  Experiment& experiment_;
  BoostConfig& boost_;
  const NetworkShape& shape_;
};

}  // namespace

Status settlePolicies(RunPlan& plan, const NetworkShape& shape) {
  return Settling(plan, shape).run();
}

}  // namespace slipstream
