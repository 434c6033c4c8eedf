#include <algorithm>

#include "engine/plan/processor.h"
#include "engine/plan/settle.h"

namespace slipstream {
namespace {

std::string kept(const Experiment& experiment) {
  const NumberType pictures = pictureType(experiment);
  const std::string kept = "pictures and their gradients are " + std::string(nameOf(pictures)) +
                           " between layers; weights, their gradients and what is flat stay fp32";
  if (!computesOnGpu(experiment) || pictures == NumberType::float16) return kept;
  return kept + " (not fp16: that needs a loss scale which drops steps that overflow, precision.loss_scale)";
}

}  // namespace

void settlePrecision(RunPlan& plan, const NetworkShape& shape) {
  Experiment& experiment = plan.experiment;
  if (experiment.ampLevel == "auto") {
    const bool gpu = computesOnGpu(experiment);
    const bool pays = gpu || multipliesBfloat16();
    experiment.ampLevel = pays ? "O2" : "O0";
    decide(plan, "precision.amp_level", experiment.ampLevel,
           gpu    ? "auto: on a GPU"
           : pays ? "auto: this processor has instructions for bf16"
                  : "auto: this processor has no instructions for bf16");
  }
  if (pictureType(experiment) == NumberType::float32) return;
  const bool hasPictures = std::ranges::any_of(shape.outputs, [](SampleShape output) { return output.height != 0; });
  decide(plan, "precision.amp_level", experiment.ampLevel,
         hasPictures ? kept(experiment) : "no effect: no layer passes pictures on");
  if (!experiment.keepBatchNormFp32 || experiment.ampLevel == "O3") {
    decide(plan, "precision.keep_batchnorm_fp32", "no effect",
           "statistics and parameters of batch norms are fp32 at every level");
  }
}

}  // namespace slipstream
