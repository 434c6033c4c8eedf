#include <fmt/format.h>

#include "engine/plan/less_bn.h"
#include "engine/plan/settle.h"

namespace slipstream {

Status settleLessBn(RunPlan& plan) {
  BoostConfig& boost = plan.experiment.boost;
  if (!boost.lessBn) return {};
  const int blocks = lessBnBlocks(plan.experiment.network);
  if (blocks == 0 && boost.isDemanded("less_bn")) {
    return fail(
        "boost.dictionary.boost.less_bn", "true",
        fmt::format("network {} has no bottleneck block whose batch norms could go", plan.experiment.network.name),
        "use a network with bottleneck blocks (small_resnet_bottleneck, resnet50), or set it to false");
  }
  NetworkRewrite rewrite = lessBn(plan.experiment.network, boost.fnFlag);
  if (blocks == 0) {
    decideAlgorithm(plan, "less_bn", "off",
                    "the network has no bottleneck block; fn_flag and gc_flag stay as they are");
  } else {
    decideAlgorithm(plan, "less_bn", "on", rewrite.text());
  }
  if (!rewrite.replacedHead.empty()) {
    decide(plan, "less_bn.fn_flag", "on", fmt::format("{} became a normalised dense layer", rewrite.replacedHead));
  }
  plan.experiment.network = std::move(rewrite.network);
  return {};
}

}  // namespace slipstream
