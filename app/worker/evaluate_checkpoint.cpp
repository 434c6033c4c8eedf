#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/thread_communicator.h"
#include "engine/device/open_device.h"
#include "engine/plan/run_plan.h"
#include "engine/record/checkpoint_store.h"
#include "engine/record/run_store.h"
#include "engine/train/evaluate.h"

namespace slipstream::worker {
namespace {

template <class T>
T valueOf(Result<T> result) {
  if (!result) throw Error(toText(result.error()));
  return std::move(*result);
}

void addTensor(CheckpointStore& store, const TensorRecord& record, double share, std::span<float> values) {
  const std::vector<std::byte> bytes = store.read(record.hash);
  if (bytes.size() != values.size_bytes())
    throw Error("tensor " + record.name + " has another size than the network's");
  std::vector<float> stored(values.size());
  std::memcpy(stored.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += static_cast<float>(share) * stored[i];
  }
}

/// Fills `values` with the mean over the ranks' versions of a tensor (one version where all ranks share it).
void load(CheckpointStore& store, const CheckpointManifest& manifest, const std::string& name,
          std::span<float> values) {
  std::vector<TensorRecord> records;
  std::copy_if(manifest.tensors.begin(), manifest.tensors.end(), std::back_inserter(records),
               [&](const TensorRecord& record) { return record.name == name; });
  if (records.empty()) throw Error("the checkpoint holds no tensor " + name);
  std::fill(values.begin(), values.end(), 0.0F);
  for (const TensorRecord& record : records)
    addTensor(store, record, 1.0 / static_cast<double>(records.size()), values);
}

/// JSON knows neither NaN nor infinities.
nlohmann::json jsonNumber(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

}  // namespace

int evaluateCheckpoint(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) throw Error("--evaluate needs STORE RUN STEP [DATA]");
  const auto runs = valueOf(RunStore::open(arguments[0], StoreAccess::read));
  const RunRecord run = valueOf(runs->find(arguments[1]));
  RunPlan plan = valueOf(parseRunPlan(run.planText));
  if (arguments.size() > 3) plan.experiment.dataset.path = arguments[3];
  const auto images = loadImages(plan.experiment.dataset, Part::evaluation, plan.experiment.seed);
  if (!images) {
    std::cerr << toText(images.error());
    return 2;
  }

  const auto checkpoints = valueOf(CheckpointStore::openToRead(arguments[0], run.id));
  const CheckpointManifest manifest = valueOf(checkpoints->manifest(parseInteger(arguments[2]).value_or(-1)));
  const auto meter = makeMemoryMeter();
  const auto device = valueOf(openDevice("cpu", 0, *meter));
  constexpr std::int64_t batchSize = 256;
  const auto network = makeNetwork(plan.experiment.network, images->shape, batchSize, *device);
  const ParameterLayout& layout = network->layout();
  WholeParameterStore weights(*device, layout.size(), MemoryCategory::weights);
  for (const FlatTensor& tensor : layout.tensors())
    load(*checkpoints, manifest, tensor.spec.name, weights.acquire(tensor.range));
  for (const NetworkState& state : network->states()) load(*checkpoints, manifest, "state/" + state.name, state.values);

  Evaluation evaluation;
  runThreadRanks(1, [&](Communicator& alone) {
    evaluation = evaluate(*network, weights, plan.experiment.loss, plan.experiment.dataset, *images, batchSize, alone);
  });
  std::cout << nlohmann::json{{"run", run.id},
                              {"step", manifest.step},
                              {"accuracy", evaluation.accuracy},
                              {"loss", jsonNumber(evaluation.loss)},
                              {"samples", evaluation.samples}}
            << "\n";
  return 0;
}

}  // namespace slipstream::worker
