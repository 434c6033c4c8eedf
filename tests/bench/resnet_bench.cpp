// One training step of a large network on pictures of noise: forward, loss, backward, update. Prints one JSON line:
// medians of several steps, and where the time goes by kind of layer.
// Arguments: NETWORK BATCH THREADS STEPS PRECISION (resnet50 16 2 5 fp32; or bf16).
#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/device/cpu/cpu_device.h"
#include "engine/nn/loss.h"
#include "engine/nn/network.h"
#include "engine/nn/optimizer.h"
#include "engine/plan/network_file.h"
#include "tests/bench/bench_numbers.h"

namespace slipstream::bench {
namespace {

constexpr SampleShape photo{224, 224, 3};
constexpr std::int64_t classes = 1000;

/// Sums the seconds of every kind of layer, both ways.
class KindClock final : public LayerObserver {
 public:
  explicit KindClock(const NetworkSpec& network) : network_(network) {}
  void beforeForward(int) override { watch_.restart(); }
  void afterForward(int layer) override { add("forward", layer); }
  void beforeBackward(int) override { watch_.restart(); }
  void afterBackward(int layer) override { add("backward", layer); }
  const std::map<std::string, double>& seconds() const { return seconds_; }
  void forget() { seconds_.clear(); }

 private:
  void add(const std::string& way, int layer) {
    seconds_[nameOf(network_.layers[static_cast<std::size_t>(layer)].kind) + "." + way] += watch_.restart();
  }

  const NetworkSpec& network_;
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

void measure(const std::string& name, std::int64_t batch, int threads, int steps, const std::string& precision) {
  omp_set_num_threads(threads);
  const NetworkSpec spec = builtInNetwork(name, classes).value();
  const auto meter = makeMemoryMeter();
  const auto device = openCpuDevice(*meter);
  const auto network =
      makeNetwork(spec, photo, batch, precision == "bf16" ? NumberType::bfloat16 : NumberType::float32, *device);
  const Range all{0, network->layout().size()};
  WholeParameterStore weights(*device, all.size(), MemoryCategory::weights);
  WholeParameterStore gradients(*device, all.size(), MemoryCategory::gradients);
  const auto optimizer = makeOptimizer({}, network->layout(), all, 1000.0, 1000, *device, cpuOptimizerKernels());
  initializeWeights(network->layout(), weights, 1);
  Random random(1, RandomStream::test);
  std::vector<float> inputs(static_cast<std::size_t>(batch * photo.elements()));
  for (float& value : inputs) value = static_cast<float>(random.normal());
  std::vector<std::int32_t> labels(static_cast<std::size_t>(batch));
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(classes));
  std::vector<float> gradient(static_cast<std::size_t>(batch * classes));

  KindClock kinds(spec);
  std::vector<double> seconds;
  for (int step = -1; step < steps; ++step) {  // the first warms up
    if (step == 0) kinds.forget();
    Stopwatch watch;
    const auto logits = network->forward(inputs, batch, NetworkMode::training, weights, &kinds);
    crossEntropy({}, logits, labels, classes, gradient, 1.0);
    network->backward(gradient, batch, weights, gradients, false, 0, &kinds);
    optimizer->update(all, weights.acquire(all), gradients.acquire(all), step + 1);
    if (step >= 0) seconds.push_back(watch.restart());
  }
  std::string table;
  for (const auto& [kind, spent] : kinds.seconds()) {
    table += fmt::format("{}\"{}\":{:.1f}", table.empty() ? "" : ",", kind, 1e3 * spent / steps);
  }
  fmt::print(
      "{{\"bench\":\"resnet\",\"network\":\"{}\",\"precision\":\"{}\",\"batch\":{},\"threads\":{},\"steps\":{},"
      "\"images_per_second\":{:.2f},"
      "\"step_ms\":{:.1f},\"peak_mb\":{:.0f},\"ms_by_layer\":{{{}}}}}\n",
      name, precision, batch, threads, steps, static_cast<double>(batch) / median(seconds), 1e3 * median(seconds),
      peakMemory(), table);
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** arguments) {
  const auto argument = [&](int index, const char* otherwise) {
    return std::string(index < count ? arguments[index] : otherwise);
  };
  slipstream::bench::measure(argument(1, "resnet50"), std::stoll(argument(2, "16")), std::stoi(argument(3, "2")),
                             std::stoi(argument(4, "5")), argument(5, "fp32"));
}
