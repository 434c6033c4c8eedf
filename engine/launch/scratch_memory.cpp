// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/scratch_memory.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"

namespace slipstream {
namespace {

/// The processor's library answers for the processor only.
bool takesScratch(const RunPlan& plan) {
  return !deviceKindOf(plan.experiment).ownMemory &&
         std::ranges::any_of(plan.experiment.network.layers, [](const LayerSpec& layer) {
           return layer.kind == LayerKind::conv2d || layer.kind == LayerKind::batchNorm ||
                  layer.kind == LayerKind::normalizedDense;
         });
}

std::vector<std::int64_t> askedOf(const std::vector<RunPlan*>& plans) {
  nlohmann::json texts = nlohmann::json::array();
  for (const RunPlan* plan : plans) texts.push_back(toJsonText(*plan));
  const ProgramAnswer answer = askWorker({"--activations"}, texts.dump());
  if (answer.exitCode != 0) throw Error("the worker program cannot tell: " + trim(answer.errors));
  return nlohmann::json::parse(answer.output).get<std::vector<std::int64_t>>();
}

}  // namespace

void forecastScratch(std::vector<RunPlan>& plans) {
  std::vector<RunPlan*> asking;
  for (RunPlan& plan : plans) {
    if (takesScratch(plan)) asking.push_back(&plan);
  }
  if (asking.empty()) return;
  try {
    const auto bytes = askedOf(asking);
    for (std::size_t i = 0; i < asking.size(); ++i) asking[i]->memoryPerRank["activations"] = bytes.at(i);
  } catch (const std::exception& problem) {
    for (RunPlan* plan : asking) {
      plan->decisions.push_back(adjusted("forecast", "at least", Reason::device,
                                         phrase("without the scratch memory of layers: {}", {problem.what()})));
    }
  }
}

}  // namespace slipstream
