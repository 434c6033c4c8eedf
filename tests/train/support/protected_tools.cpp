// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/support/protected_tools.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/comm/staged_communicator.h"
#include "engine/device/cpu_device.h"
#include "engine/device/device.h"
#include "tests/support/spawn_ranks.h"
#include "tests/train/support/thread_run.h"

namespace slipstream::test {
namespace {

thread_local ProtectedDevice* deviceOfThread = nullptr;

/// The CPU's kernel, with the device's memory unlocked.
template <auto cpuTable, auto entry, class Result, class... Arguments>
Result runUnprotected(Arguments... arguments) {
  const Unprotected unlocked(*deviceOfThread);
  return (cpuTable().*entry)(arguments...);
}

/// Entries are named one by one: one that is forgotten is null, and ends the process.
template <auto cpuTable, auto entry, class Table, class Result, class... Arguments>
void take(Table& table, Result (*Table::*)(Arguments...)) {
  table.*entry = &runUnprotected<cpuTable, entry, Result, Arguments...>;
}

template <class T>
const AdasumKernels<T>& protectedAdasum() {
  using Table = AdasumKernels<T>;
  constexpr auto cpu = &cpuAdasumKernels<T>;
  static const Table table = [] {
    Table made{};
    take<cpu, &Table::dots>(made, &Table::dots);
    take<cpu, &Table::exactDots>(made, &Table::exactDots);
    take<cpu, &Table::combine>(made, &Table::combine);
    take<cpu, &Table::exactCombine>(made, &Table::exactCombine);
    take<cpu, &Table::plan>(made, &Table::plan);
    take<cpu, &Table::dotsOfSegments>(made, &Table::dotsOfSegments);
    take<cpu, &Table::combineSegments>(made, &Table::combineSegments);
    return made;
  }();
  return table;
}

const VectorKernels& protectedVectors() {
  using Table = VectorKernels;
  static const Table table = [] {
    Table made{};
    take<cpuVectorKernels, &Table::sum>(made, &Table::sum);
    take<cpuVectorKernels, &Table::scale>(made, &Table::scale);
    take<cpuVectorKernels, &Table::subtract>(made, &Table::subtract);
    take<cpuVectorKernels, &Table::difference>(made, &Table::difference);
    take<cpuVectorKernels, &Table::copy>(made, &Table::copy);
    take<cpuVectorKernels, &Table::clear>(made, &Table::clear);
    return made;
  }();
  return table;
}

const OptimizerKernels& protectedOptimizer() {
  using Table = OptimizerKernels;
  static const Table table = [] {
    Table made{};
    take<cpuOptimizerKernels, &Table::plan>(made, &Table::plan);
    take<cpuOptimizerKernels, &Table::step>(made, &Table::step);
    return made;
  }();
  return table;
}

const LossScaleKernels& protectedLossScale() {
  static const LossScaleKernels table = [] {
    LossScaleKernels made{};
    take<cpuLossScaleKernels, &LossScaleKernels::unscale>(made, &LossScaleKernels::unscale);
    return made;
  }();
  return table;
}

const GradCentralizationKernels& protectedGradCentralization() {
  using Table = GradCentralizationKernels;
  static const Table table = [] {
    Table made{};
    take<cpuGradCentralizationKernels, &Table::sumRows>(made, &Table::sumRows);
    take<cpuGradCentralizationKernels, &Table::subtractMeans>(made, &Table::subtractMeans);
    return made;
  }();
  return table;
}

const DimReduceKernels& protectedDimReduce() {
  using Table = DimReduceKernels;
  static const Table table = [] {
    Table made{};
    take<cpuDimReduceKernels, &Table::project>(made, &Table::project);
    take<cpuDimReduceKernels, &Table::backProject>(made, &Table::backProject);
    take<cpuDimReduceKernels, &Table::residualStep>(made, &Table::residualStep);
    take<cpuDimReduceKernels, &Table::moveAlong>(made, &Table::moveAlong);
    return made;
  }();
  return table;
}

/// Copies of what layers ask for, written back when they let go.
class CopiedStore final : public ParameterStore {
 public:
  CopiedStore(ParameterStore& store, Device& device) : store_(store), device_(device) {}

  std::span<float> acquire(Range range) override {
    const std::span<float> values = store_.acquire(range);
    Borrowed& borrowed = borrowed_[range.begin];
    borrowed = {values, readValues(device_, values)};
    return borrowed.copy;
  }
  void release(Range range) override {
    auto borrowed = borrowed_.extract(range.begin);
    writeValues(device_, borrowed.mapped().values, borrowed.mapped().copy);
    store_.release(range);
  }
  std::vector<PinnedRange> kept() override { return store_.kept(); }

 private:
  struct Borrowed {
    std::span<float> values;
    std::vector<float> copy;
  };
  ParameterStore& store_;
  Device& device_;
  std::map<std::int64_t, Borrowed> borrowed_;  ///< by where it begins
};

/// Puts what `inner` computes on the host beside parameters and statistics of the device.
class ProtectedNetwork final : public Network {
 public:
  ProtectedNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                   Device& device)
      : device_(device), network_(slipstream::makeNetwork(spec, input, maximumBatch, pictures, *host_)) {
    for (const NetworkState& state : network_->states()) {
      statistics_.push_back(device.allocate(state.values.size_bytes(), MemoryCategory::weights));
      writeValues(device, statistics_.back()->as<float>(), state.values);
    }
  }

  const NetworkShape& shape() const override { return network_->shape(); }
  const ParameterLayout& layout() const override { return network_->layout(); }
  std::span<const float> forward(std::span<const float> input, std::int64_t batch, NetworkMode mode,
                                 ParameterStore& weights, LayerObserver* observer) override {
    CopiedStore copies(weights, device_);
    const auto inner = network_->states();
    const auto own = states();
    for (std::size_t i = 0; i < own.size(); ++i) inner[i].write(own[i].read());
    input_ = taken(input);
    const auto outputs = network_->forward(input_, batch, mode, copies, observer);
    for (std::size_t i = 0; i < own.size(); ++i) own[i].write(inner[i].read());
    outputs_ = device_.allocate(outputs.size_bytes(), MemoryCategory::activations);
    writeValues(device_, outputs_->as<float>(), outputs);
    return outputs_->as<float>();
  }
  void backward(std::span<const float> outputGradient, std::int64_t batch, ParameterStore& weights,
                ParameterStore& gradients, bool accumulate, int firstTrainedLayer, LayerObserver* observer) override {
    CopiedStore copies(weights, device_);
    CopiedStore results(gradients, device_);
    network_->backward(taken(outputGradient), batch, copies, results, accumulate, firstTrainedLayer, observer);
  }
  std::vector<NetworkState> states() override {
    std::vector<NetworkState> states = network_->states();
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i].values = statistics_[i]->as<float>();
      states[i].device = &device_;
    }
    return states;
  }
  std::vector<std::string> kernels() const override { return network_->kernels(); }

 private:
  /// What stands in the device's memory: nothing else is a network on it given.
  std::vector<float> taken(std::span<const float> values) const {
    if (!device_.holds(values.data())) throw Error("a network on a device is given memory of the host");
    return readValues(device_, values);
  }

  Device& device_;
  MemoryMeter meter_;
  std::unique_ptr<Device> host_ = openCpuDevice(meter_);
  std::unique_ptr<Network> network_;
  std::vector<std::unique_ptr<Buffer>> statistics_;  ///< one a state, on the device
  std::vector<float> input_;                         ///< stays until backward has run
  std::unique_ptr<Buffer> outputs_;                  ///< on the device
};

std::unique_ptr<Network> makeProtectedNetwork(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                              NumberType pictures, Device& device) {
  return std::make_unique<ProtectedNetwork>(spec, input, maximumBatch, pictures, device);
}

/// The CPU's, of copies.
class ProtectedLoss final : public DeviceLoss {
 public:
  explicit ProtectedLoss(Device& device) : device_(device) {}

  void take(std::span<const std::int32_t> labels, std::int64_t classes) override { loss_->take(labels, classes); }
  void start(const LossSpec& spec, std::span<const float> logits, std::span<float> gradient,
             double gradientScale) override {
    std::vector<float> copy(gradient.size());
    loss_->start(spec, readValues(device_, logits), copy, gradientScale);
    if (!gradient.empty()) writeValues(device_, gradient, copy);
  }
  LossResult result() override { return loss_->result(); }

 private:
  Device& device_;
  MemoryMeter meter_;
  std::unique_ptr<Device> host_ = openCpuDevice(meter_);
  std::unique_ptr<DeviceLoss> loss_ = makeDeviceLoss(*host_);
};

std::unique_ptr<DeviceLoss> makeProtectedLoss(Device& device) {
  return std::make_unique<ProtectedLoss>(device);
}

/// The CPU's, of copies.
class ProtectedImageInput final : public ImageInput {
 public:
  ProtectedImageInput(Device& device, const ImageNormalization& normalization)
      : device_(device), input_(makeImageInput(device, normalization)) {}

  void normalize(std::span<const std::uint8_t> pictures, Activation to) override {
    std::vector<std::uint8_t> copy(pictures.size());
    device_.copyOut(std::as_writable_bytes(std::span(copy)), std::as_bytes(pictures));
    std::vector<float> values(to.size());
    input_->normalize(copy, {to.type(), std::as_writable_bytes(std::span(values)).data(), values.size()});
    writeValues(device_, {to.as<float>(), to.size()}, values);
  }

 private:
  Device& device_;
  std::unique_ptr<ImageInput> input_;
};

std::unique_ptr<ImageInput> makeProtectedImageInput(Device& device, const ImageNormalization& normalization) {
  return std::make_unique<ProtectedImageInput>(device, normalization);
}

}  // namespace

TrainingTools protectedTools(ProtectedDevice& device) {
  deviceOfThread = &device;
  KernelTables tables;
  tables.add(protectedAdasum<float>());
  tables.add(protectedAdasum<double>());
  tables.add(protectedVectors());
  tables.add(protectedOptimizer());
  tables.add(protectedLossScale());
  tables.add(protectedGradCentralization());
  tables.add(protectedDimReduce());
  return {tables, makeProtectedNetwork, makeProtectedLoss, makeProtectedImageInput};
}

ProtectedWork trainProtectedRanks(MemoryStore& store, const RunPlan& plan, const ProtectedRun& run) {
  const WorkerTask task = taskOf(store, plan, run.fromStep);
  ProtectedWork work;
  spawnRanks(plan.ranks(), [&](Communicator& world) {
    MemoryLink link(store, task, world.rank());
    MemoryMeter meter;
    ProtectedDevice device(meter);
    if (!run.records) device.neverRecord();
    const auto staged = stageThroughHost(world, device, {.chunkBytes = 4096, .inFlight = 3});
    train(link, *staged, device, run.tools(device), shareTrainingData(plan.experiment, world));
    if (world.rank() == 0) work = {device.recordings(), device.launches()};
  });
  return work;
}

}  // namespace slipstream::test
