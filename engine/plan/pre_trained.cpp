#include "engine/plan/pre_trained.h"

#include "engine/base/text.h"
#include "engine/interchange/tensor_file.h"
#include "engine/plan/settle.h"
#include "engine/plan/wanted_tensors.h"

namespace slipstream {

Result<WeightMatch> matchPreTrained(const PreTrainedSpec& spec, const NetworkSpec& network, const NetworkShape& shape) {
  SLIPSTREAM_TRY(file, TensorFile::open(spec.file));
  WeightMatch match(std::move(file), wantedTensors(network, shape));
  const WeightReport& report = match.report();
  if (report.weights == 0) {
    return fail("network.pre_trained", spec.file, "holds no weight of this network by name",
                "name a file of this network: `slipstream checkpoint inspect FILE` lists what it holds");
  }
  if (report.complete() || spec.missing == MissingWeights::initialize) return match;
  return tl::unexpected(report.failures(
      "name a file of this network in network.pre_trained, or have the rest initialized: network.pre_trained.missing = "
      "initialize"));
}

Status settlePreTrained(RunPlan& plan, const NetworkShape& shape) {
  const PreTrainedSpec& spec = plan.experiment.preTrained;
  if (spec.file.empty()) return {};
  SLIPSTREAM_TRY(match, matchPreTrained(spec, plan.experiment.network, shape));
  decide(plan, "network.pre_trained", "read", join(match.report().lines(), "; "));
  return {};
}

}  // namespace slipstream
