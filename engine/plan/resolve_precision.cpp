// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/plan/resolve.h"
#include "engine/probe/processor.h"

namespace slipstream {
namespace {

/// As what the network stores its values, and multiplies them.
Text storedAs(const Experiment& experiment, bool images) {
  const std::string type(nameOf(imageType(experiment)));
  const Text asImages = phrase(
      "images and their gradients are {} between layers; weights, their gradients and what is flat "
      "stay fp32",
      {type});
  if (!deviceKindOf(experiment).denseHalfTypes) return asImages;
  const Text stored = images ? asImages : phrase("everything is stored as fp32");
  return phrase("{}; dense layers multiply in {}", {stored, type});
}

Text kept(const Experiment& experiment, bool images) {
  const NumberType pictures = imageType(experiment);
  const Text kept = storedAs(experiment, images);
  if (!deviceKindOf(experiment).float16Images || pictures == NumberType::float16) return kept;
  return phrase("{} (not fp16: that needs a loss scale which drops steps that overflow, precision.loss_scale)", {kept});
}

bool hasImages(const NetworkShape& shape) {
  return std::ranges::any_of(shape.outputs, [](SampleShape output) { return output.height != 0; });
}

/// Narrow values pay where layers pass images on and the device multiplies them.
void chooseLevel(RunPlan& plan, bool pictures, bool multiplies) {
  Experiment& experiment = plan.experiment;
  const DeviceKind& device = deviceKindOf(experiment);
  experiment.ampLevel = pictures && (device.multipliesHalfTypes || multiplies) ? "O2" : "O0";
  decide(plan, adjusted("precision.amp_level", experiment.ampLevel, pictures ? Reason::device : Reason::network,
                        !pictures                    ? phrase("auto: no layer passes images on")
                        : device.multipliesHalfTypes ? phrase("auto: on a {}", {device.noun})
                        : multiplies                 ? phrase("auto: this processor has instructions for bf16")
                                                     : phrase("auto: this processor has no instructions for bf16")));
}

/// Values that a processor cannot multiply as they are have to be widened first.
void warnOfSlowNumbers(RunPlan& plan, bool multiplies) {
  if (deviceKindOf(plan.experiment).multipliesHalfTypes || multiplies) return;
  decide(
      plan,
      warning(adjusted("precision.amp_level", plan.experiment.ampLevel, Reason::device,
                       phrase("this processor has no instructions for bf16: products are taken in fp32, so the level "
                              "saves memory and no time")),
              "write auto or O0"));
}

}  // namespace

Status resolvePrecision(RunPlan& plan, const NetworkShape& shape) {
  return resolvePrecision(plan, shape, multipliesBfloat16());
}

Status resolvePrecision(RunPlan& plan, const NetworkShape& shape, bool multipliesBfloat16) {
  Experiment& experiment = plan.experiment;
  const bool chosen = experiment.ampLevel == "auto";
  if (chosen) chooseLevel(plan, hasImages(shape), multipliesBfloat16);
  if (imageType(experiment) == NumberType::float32) return {};
  if (!hasImages(shape) && !deviceKindOf(experiment).denseHalfTypes) {
    return fail("precision.amp_level", experiment.ampLevel,
                fmt::format("changes nothing: no layer of network {} passes images on, and what is flat stays fp32",
                            experiment.network.name),
                "write O0, or auto, which chooses");
  }
  decide(plan,
         adjusted("precision.amp_level", experiment.ampLevel, Reason::written, kept(experiment, hasImages(shape))));
  if (!chosen) warnOfSlowNumbers(plan, multipliesBfloat16);
  if (experiment.ampLevel == "O3") {
    decide(plan, {"precision.keep_batchnorm_fp32", Effect::noEffect, "no effect", Reason::written,
                  phrase("O3 is O2: statistics and parameters of batch norms are fp32 at every level")});
  }
  return {};
}

}  // namespace slipstream
