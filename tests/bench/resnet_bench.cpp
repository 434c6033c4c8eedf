// SPDX-License-Identifier: GPL-3.0-or-later
// One training step of a large network on images of noise that are on the device: forward, loss, backward, update.
// Prints one JSON line: medians of several steps, and where the time goes by kind of layer.
// Arguments: NETWORK BATCH THREADS STEPS PRECISION DEVICE (resnet50 16 2 5 fp32 cpu; or bf16; or fp16 on cuda).
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/devices/open_device.h"
#include "engine/experiment/network_file.h"
#include "engine/nn/device_loss.h"
#include "engine/nn/network.h"
#include "engine/nn/optimizer.h"
#include "engine/spec/device_kind.h"
#include "tests/bench/bench_numbers.h"
#include "tests/bench/optimizer_of_device.h"
#include "tests/bench/rank_environment.h"

namespace slipstream::bench {
namespace {

constexpr SampleShape photo{224, 224, 3};
constexpr std::int64_t classes = 1000;

/// Sums the seconds of every kind of layer, both ways; where it `waits`, with what the device does for it.
class KindClock final : public LayerObserver {
 public:
  KindClock(const NetworkSpec& network, Device& device, bool waits)
      : network_(network), device_(device), waits_(waits) {}
  void beforeForward(int) override { start(); }
  void afterForward(int layer) override { add("forward", layer); }
  void beforeBackward(int) override { start(); }
  void afterBackward(int layer) override { add("backward", layer); }
  const std::map<std::string, double>& seconds() const { return seconds_; }
  void forget() { seconds_.clear(); }

 private:
  void start() {
    if (waits_) device_.synchronize();
    watch_.restart();
  }
  void add(const std::string& way, int layer) {
    if (waits_) device_.synchronize();
    seconds_[nameOf(network_.layers[static_cast<std::size_t>(layer)].kind) + "." + way] += watch_.restart();
  }

  const NetworkSpec& network_;
  Device& device_;
  bool waits_;
  Stopwatch watch_;
  std::map<std::string, double> seconds_;
};

/// Megabytes of this process at its highest.
double peakMemory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kilobytes;
  }
  return kilobytes / 1024;
}

NumberType typeOf(const std::string& precision) {
  if (precision == "fp32") return NumberType::float32;
  if (precision == "bf16") return NumberType::bfloat16;
  if (precision == "fp16") return NumberType::float16;
  throw Error("the precision is fp32, bf16 or fp16, not " + precision);
}

std::unique_ptr<Device> deviceOf(const std::string& text, MemoryMeter& meter) {
  const auto name = parseDeviceName(text, "device");
  if (!name) throw Error(toText(name.error()));
  auto device = openDevice(*name->kind, name->number.value_or(0), meter);
  if (!device) throw Error(toText(device.error()));
  return std::move(*device);
}

/// As with mixed precision; the optimizer divides again.
constexpr double lossScale = 1024;

OptimizerSpec optimizerSpec() {
  OptimizerSpec spec;
  spec.lossScale = lossScale;
  return spec;
}

/// All that a step works on, on the device.
class Training {
 public:
  Training(const NetworkSpec& spec, std::int64_t batch, NumberType type, Device& device)
      : device_(device),
        batch_(batch),
        network_(makeNetwork(spec, photo, batch, type, device)),
        all_{0, network_->layout().size()},
        weights_(device, all_.size(), MemoryCategory::weights),
        gradients_(device, all_.size(), MemoryCategory::gradients),
        loss_(makeDeviceLoss(device)),
        optimizer_(optimizerSpec(), network_->layout(), all_, 1000.0, 1000, device, optimizerOf(device)),
        inputs_(
            device.allocate(static_cast<std::size_t>(batch * photo.elements()) * sizeof(float), MemoryCategory::data)),
        outputGradient_(
            device.allocate(static_cast<std::size_t>(batch * classes) * sizeof(float), MemoryCategory::activations)) {
    initializeWeights(network_->layout(), weights_, 1, device);
    Random random(1, RandomStream::test);
    std::vector<float> inputs(static_cast<std::size_t>(batch * photo.elements()));
    for (float& value : inputs) value = static_cast<float>(random.normal());
    device.copyIn(inputs_->bytes(), std::as_bytes(std::span(inputs)));
    for (std::int64_t i = 0; i < batch; ++i) labels_.push_back(static_cast<std::int32_t>(random.below(classes)));
  }

  /// As a run's: the host waits for the loss, once.
  double step(std::int64_t number, LayerObserver* observer) {
    loss_->take(labels_, classes);
    const auto logits = network_->forward(inputs_->as<float>(), batch_, NetworkMode::training, weights_, observer);
    const auto gradient = outputGradient_->as<float>();
    loss_->start({}, logits, gradient, lossScale);
    network_->backward(gradient, batch_, weights_, gradients_, false, 0, observer);
    optimizer_.update(all_, weights_.acquire(all_), gradients_.acquire(all_), number);
    const double loss = loss_->result().loss;
    device_.synchronize();
    return loss;
  }

 private:
  Device& device_;
  std::int64_t batch_;
  std::unique_ptr<Network> network_;
  Range all_;
  WholeParameterStore weights_;
  WholeParameterStore gradients_;
  std::unique_ptr<DeviceLoss> loss_;
  Optimizer optimizer_;
  std::unique_ptr<Buffer> inputs_;
  std::unique_ptr<Buffer> outputGradient_;
  std::vector<std::int32_t> labels_;
};

/// What the engine counts on a GPU, by category each at its highest; or this process of the host's memory.
double peakMegabytes(const std::string& device, const MemoryMeter& meter) {
  if (device == "cpu") return peakMemory();
  const auto peak = meter.peak();
  return static_cast<double>(std::accumulate(peak.begin(), peak.end(), std::int64_t{0})) / (1 << 20);
}

void measure(const std::string& name, std::int64_t batch, int threads, int steps, const std::string& precision,
             const std::string& deviceName) {
  omp_set_num_threads(threads);
  const NetworkSpec spec = builtInNetwork(name, classes).value();
  MemoryMeter meter;
  const auto device = deviceOf(deviceName, meter);
  Training training(spec, batch, typeOf(precision), *device);
  const bool cpu = deviceName == "cpu";
  KindClock kinds(spec, *device, !cpu);
  std::vector<double> seconds;
  for (int step = -1; step < steps; ++step) {  // the first warms up
    if (step == 0) kinds.forget();
    Stopwatch watch;
    training.step(step + 1, cpu ? &kinds : nullptr);
    if (step >= 0) seconds.push_back(watch.restart());
  }
  // Waiting behind every layer, a GPU is slower: its table is of steps of its own.
  for (int step = 0; step < steps && !cpu; ++step) training.step(steps + step, &kinds);
  std::string table;
  for (const auto& [kind, spent] : kinds.seconds()) {
    table += fmt::format("{}\"{}\":{:.1f}", table.empty() ? "" : ",", kind, 1e3 * spent / steps);
  }
  fmt::print(
      "{{\"bench\":\"resnet\",\"network\":\"{}\",\"device\":\"{}\",\"precision\":\"{}\",\"batch\":{},"
      "\"threads\":{},\"steps\":{},\"images_per_second\":{:.2f},"
      "\"step_ms\":{:.1f},\"peak_mb\":{:.0f},\"ms_by_layer\":{{{}}}}}\n",
      name, deviceName, precision, batch, threads, steps, static_cast<double>(batch) / median(seconds),
      1e3 * median(seconds), peakMegabytes(deviceName, meter), table);
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** arguments) {
  const auto argument = [&](int index, const char* otherwise) {
    return std::string(index < count ? arguments[index] : otherwise);
  };
  try {
    slipstream::bench::becomeRank(std::stoi(argument(3, "2")), arguments);
    slipstream::bench::measure(argument(1, "resnet50"), std::stoll(argument(2, "16")), std::stoi(argument(3, "2")),
                               std::stoi(argument(4, "5")), argument(5, "fp32"), argument(6, "cpu"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
