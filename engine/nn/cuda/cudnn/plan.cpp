// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/nn/cuda/cudnn/graph.h"

namespace slipstream {
namespace {

constexpr std::int64_t modestWorkspace = std::int64_t{1} << 30;

/// What an engine is known for.
struct EngineNotes {
  std::vector<cudnnBackendNumericalNote_t> numbers;
  std::int64_t engine = 0;

  bool has(cudnnBackendNumericalNote_t note) const { return std::ranges::find(numbers, note) != numbers.end(); }
};

EngineNotes notesOf(const CudnnDescriptor& config) {
  const auto engines = config.descriptors(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, "an engine");
  const CudnnDescriptor& engine = engines.at(0);
  return {engine.values<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE),
          engine.values<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX).at(0)};
}

/// Sums in another order each time are never wanted. For fp32 neither are tensor cores, which take it as TF32, nor
/// transforms, which lose digits.
bool isWanted(const EngineNotes& notes, NumberType type) {
  if (notes.has(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC)) return false;
  if (notes.has(CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION)) return false;
  if (type != NumberType::float32) return true;
  constexpr std::array rounding{CUDNN_NUMERICAL_NOTE_TENSOR_CORE,
                                CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS,
                                CUDNN_NUMERICAL_NOTE_FFT,
                                CUDNN_NUMERICAL_NOTE_WINOGRAD,
                                CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4,
                                CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6,
                                CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13};
  return std::ranges::none_of(rounding, [&](auto note) { return notes.has(note); });
}

std::vector<CudnnDescriptor> suggestions(const CudnnGraph& graph, const CudnnDevice& device,
                                         cudnnBackendHeurMode_t mode) {
  CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "heuristics");
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.descriptor())
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, mode)
      .set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device.descriptor());
  if (!heuristics.tryFinalize()) return {};
  return heuristics.descriptors(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                                "an engine's set-up");
}

std::string textOf(const CudnnDescriptor& plan) {
  const auto text = plan.values<char>(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION);
  return {text.data(), strnlen(text.data(), text.size())};
}

/// Bound to this machine's GPU where the device is that, so that it can run.
std::optional<CudnnDescriptor> planFrom(const std::string& text, const CudnnDevice& device) {
  CudnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "a kept plan");
  if (device.handle()) {
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, *device.handle());
  } else {
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device.descriptor());
  }
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, std::span<const char>(text.c_str(), text.size() + 1));
  if (!plan.tryFinalize()) return std::nullopt;
  return plan;
}

/// Set up from the properties of the GPU alone, and then read as a kept one would be: the way that is tested without a
/// GPU is the only one.
std::optional<CudnnDescriptor> planOf(const CudnnDescriptor& config, const CudnnDevice& device) {
  CudnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "a plan");
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device.descriptor())
      .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
  if (!plan.tryFinalize()) return std::nullopt;
  return planFrom(textOf(plan), device);
}

/// A few roundings of fp16 and bf16. Of fp32 what the order of many additions explains; TF32 is fifty times as far.
double mostDistance(NumberType type) {
  switch (type) {
    case NumberType::float32:
      return 1e-5;
    case NumberType::bfloat16:
      return 4 * 0x1p-8;
    case NumberType::float16:
      return 4 * 0x1p-11;
  }
  throw Error("values of an unknown type");
}

bool isSound(const PlanTrial& trial, NumberType type) {
  return trial.repeats && std::isfinite(trial.seconds) && trial.distance <= mostDistance(type);
}

/// The fastest that is sound; nothing where none is.
std::optional<std::size_t> bestOf(const std::vector<PlanTrial>& trials, NumberType type) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!isSound(trials[i], type)) continue;
    if (!best || trials[i].seconds < trials[*best].seconds) best = i;
  }
  return best;
}

}  // namespace

std::vector<CudnnPlan> CudnnPlan::candidates(const CudnnGraph& graph, NumberType type, const CudnnDevice& device,
                                             std::size_t most) {
  std::vector<CudnnPlan> plans;
  std::optional<CudnnPlan> largest;  ///< the best of those that want much memory
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    for (const CudnnDescriptor& config : suggestions(graph, device, mode)) {
      const EngineNotes notes = notesOf(config);
      if (!isWanted(notes, type)) continue;
      auto built = planOf(config, device);
      if (!built) continue;
      CudnnPlan plan(std::move(*built), "cudnn engine " + std::to_string(notes.engine));
      if (plan.workspaceBytes() > modestWorkspace) {
        if (!largest) largest = std::move(plan);
        continue;
      }
      plans.push_back(std::move(plan));
      if (plans.size() == most) return plans;
    }
    if (!plans.empty()) return plans;
  }
  if (largest) plans.push_back(std::move(*largest));
  return plans;
}

PlanChoice CudnnPlan::build(const PlanRequest& request, const CudnnDevice& device, const TryPlans& tryPlans) {
  const CudnnGraph graph(request);
  auto plans = candidates(graph, request.type, device, tryPlans ? mostTried : 1);
  if (plans.empty()) return {std::nullopt};
  if (!tryPlans) return {std::move(plans.front())};
  const std::vector<PlanTrial> trials = tryPlans(request, plans, graph.tensors());
  if (trials.empty()) {
    if (plainer(request.pattern)) return {std::nullopt, false};
    return {std::move(plans.front()), false};
  }
  const auto best = bestOf(trials, request.type);
  if (!best) return {std::nullopt};
  return {std::move(plans[*best])};
}

std::optional<CudnnPlan> CudnnPlan::load(const std::string& serialised, const std::string& name,
                                         const CudnnDevice& device) {
  auto plan = planFrom(serialised, device);
  if (!plan) return std::nullopt;
  return CudnnPlan(std::move(*plan), name);
}

std::string CudnnPlan::serialised() const {
  return textOf(plan_);
}

std::int64_t CudnnPlan::workspaceBytes() const {
  return plan_.values<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE).at(0);
}

void CudnnPlan::run(cudnnHandle_t handle, const PlanMemory& memory, void* workspace) const {
  std::vector<std::int64_t> names;
  std::vector<void*> places;
  for (const auto& [tensor, place] : memory) {
    names.push_back(static_cast<std::int64_t>(tensor));
    places.push_back(const_cast<void*>(place));
  }
  CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "the memory of a plan");
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::span<const std::int64_t>(names))
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, std::span<void* const>(places))
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace)
      .finalize();
  checkCudnn(cudnn().execute(handle, plan_.handle(), pack.handle()), "run " + name_);
}

}  // namespace slipstream
