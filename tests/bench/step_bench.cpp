// SPDX-License-Identifier: GPL-3.0-or-later
// What a training step costs without ranks, data and recording: the MLP 784-512-512-10, LeNet-5 and the small ResNets
// with micro-batches of 32 on one thread. Prints one JSON line a network: medians of repetitions of many steps each.
// Arguments: other built-in networks instead. After --frozen: the same for each group of grad_freeze.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/boost/grad_freeze/spec.h"
#include "engine/boost/less_bn/spec.h"
#include "engine/device/cpu_device.h"
#include "engine/nn/loss.h"
#include "engine/nn/network.h"
#include "engine/nn/optimizer.h"
#include "tests/bench/bench_numbers.h"
#include "tests/bench/rank_environment.h"

namespace slipstream::bench {
namespace {

constexpr SampleShape digit{28, 28, 1};
constexpr std::int64_t batch = 32;
constexpr int repetitions = 15;
constexpr int stepsEach = 60;

struct StepSeconds {
  double forward = 0;
  double backward = 0;  ///< with the loss
  double optimizer = 0;
  double whole() const { return forward + backward + optimizer; }
};

class Stepper {
 public:
  explicit Stepper(const NetworkSpec& network)
      : network_(makeNetwork(network, digit, batch, NumberType::float32, *device_)),
        all_{0, network_->layout().size()} {
    initializeWeights(network_->layout(), weights_, 1);
    Random random(1, RandomStream::test);
    for (auto& value : inputs_) value = static_cast<float>(random.normal());
    for (auto& label : labels_) label = static_cast<std::int32_t>(random.below(10));
  }

  /// Layers below `firstTrained` are frozen.
  StepSeconds step(std::int64_t number, int firstTrained) {
    StepSeconds seconds;
    Stopwatch watch;
    const auto logits = network_->forward(inputs_, batch, NetworkMode::training, weights_, nullptr);
    seconds.forward = watch.restart();
    crossEntropy({}, logits, labels_, 10, gradient_, 1.0);
    network_->backward(gradient_, batch, weights_, gradients_, false, firstTrained, nullptr);
    seconds.backward = watch.restart();
    const Range trained = network_->layout().rangeFromLayer(firstTrained);
    optimizer_.update(trained, weights_.acquire(trained), gradients_.acquire(trained), number);
    seconds.optimizer = watch.restart();
    return seconds;
  }

  const NetworkShape& shape() const { return network_->shape(); }

 private:
  MemoryMeter meter_;
  std::unique_ptr<Device> device_ = openCpuDevice(meter_);
  std::unique_ptr<Network> network_;
  Range all_;
  WholeParameterStore weights_{*device_, all_.size(), MemoryCategory::weights};
  WholeParameterStore gradients_{*device_, all_.size(), MemoryCategory::gradients};
  Optimizer optimizer_{{}, network_->layout(), all_, 1000.0, 1000, *device_, cpuOptimizerKernels()};
  std::vector<float> inputs_ = std::vector<float>(static_cast<std::size_t>(batch * digit.elements()));
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(batch);
  std::vector<float> gradient_ = std::vector<float>(batch * 10);
};

void measure(Stepper& stepper, const std::string& name, int firstTrained) {
  std::vector<double> whole;
  std::vector<double> forward;
  std::vector<double> backward;
  std::vector<double> optimizer;
  for (int repetition = -1; repetition < repetitions; ++repetition) {  // the first warms up
    StepSeconds sum;
    for (int i = 0; i < stepsEach; ++i) {
      const auto seconds = stepper.step(i, firstTrained);
      sum.forward += seconds.forward / stepsEach;
      sum.backward += seconds.backward / stepsEach;
      sum.optimizer += seconds.optimizer / stepsEach;
    }
    if (repetition < 0) continue;
    whole.push_back(sum.whole());
    forward.push_back(sum.forward);
    backward.push_back(sum.backward);
    optimizer.push_back(sum.optimizer);
  }
  std::printf(
      "{\"bench\":\"step\",\"network\":\"%s\",\"first_trained_layer\":%d,\"threads\":1,\"batch\":%d,\"repetitions\":%d,"
      "\"steps_per_second\":%.1f,"
      "\"step_ms\":%.3f,\"forward_ms\":%.3f,\"backward_ms\":%.3f,\"optimizer_ms\":%.3f}\n",
      name.c_str(), firstTrained, static_cast<int>(batch), repetitions, 1.0 / median(whole), 1e3 * median(whole),
      1e3 * median(forward), 1e3 * median(backward), 1e3 * median(optimizer));
}

void measure(const NetworkSpec& network) {
  Stepper stepper(network);
  measure(stepper, network.name, 0);
}

/// As many groups as grad_freeze makes of the network, ten at most.
void measureFrozen(const NetworkSpec& network) {
  Stepper stepper(network);
  const auto& tensors = stepper.shape().tensors;
  for (const int layer : firstTrainedLayers(tensors, std::min(10, freezeBlockCount(tensors)))) {
    measure(stepper, network.name, layer);
  }
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** arguments) {
  using slipstream::builtInNetwork;
  slipstream::bench::becomeRank(1, arguments);
  std::vector<std::string> names(arguments + 1, arguments + count);
  const bool frozen = !names.empty() && names.front() == "--frozen";
  if (frozen) names.erase(names.begin());
  const bool chosen = !names.empty();
  if (!chosen) names = {"mlp", "lenet5", "small_resnet", "small_resnet_bottleneck"};
  for (const auto& name : names) {
    const auto network = builtInNetwork(name).value();
    frozen ? slipstream::bench::measureFrozen(network) : slipstream::bench::measure(network);
  }
  if (chosen || frozen) return 0;
  auto rewritten = slipstream::lessBn(builtInNetwork("small_resnet_bottleneck").value(), true).network;
  rewritten.name += "+less_bn";
  slipstream::bench::measure(rewritten);
}
