// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/planning/variants.h"

#include <algorithm>

#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

Failure unknownVariant(const std::string& name, const std::vector<std::string>& known) {
  if (known.empty()) return {"--variant", name, "the experiment has no variants", "leave the flag out"};
  const auto near = nearestWord(name, known);
  return {"--variant", name, "names none of the experiment's variants",
          near ? "did you mean " + *near + "?" : "name one of " + join(known, ", ")};
}

}  // namespace

Status keepVariants(std::vector<RunPlan>& plans, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::vector<std::string> known;
  for (const RunPlan& plan : plans) {
    if (!plan.experiment.variant.empty()) known.push_back(plan.experiment.variant);
  }
  Failures failures;
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) failures.push_back(unknownVariant(name, known));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  std::erase_if(plans,
                [&](const RunPlan& plan) { return std::ranges::find(names, plan.experiment.variant) == names.end(); });
  return {};
}

}  // namespace slipstream::cli
