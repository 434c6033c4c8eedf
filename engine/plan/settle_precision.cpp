#include <algorithm>

#include "engine/plan/processor.h"
#include "engine/plan/settle.h"

namespace slipstream {

void settlePrecision(RunPlan& plan, const NetworkShape& shape) {
  Experiment& experiment = plan.experiment;
  if (experiment.ampLevel == "auto") {
    const bool pays = multipliesBfloat16();
    experiment.ampLevel = pays ? "O2" : "O0";
    decide(
        plan, "precision.amp_level", experiment.ampLevel,
        pays ? "auto: this processor has instructions for bf16" : "auto: this processor has no instructions for bf16");
  }
  if (pictureType(experiment) == NumberType::float32) return;
  const bool hasPictures = std::ranges::any_of(shape.outputs, [](SampleShape output) { return output.height != 0; });
  decide(plan, "precision.amp_level", experiment.ampLevel,
         hasPictures
             ? "pictures and their gradients are bf16 between layers; weights, their gradients and what is flat "
               "stay fp32"
             : "no effect: no layer passes pictures on");
  if (!experiment.keepBatchNormFp32 || experiment.ampLevel == "O3") {
    decide(plan, "precision.keep_batchnorm_fp32", "no effect",
           "statistics and parameters of batch norms are fp32 on the CPU at every level");
  }
}

}  // namespace slipstream
