// SPDX-License-Identifier: GPL-3.0-or-later
// Every boost kernel on the tensors of ResNet-50 (25.6 M fp32 parameters), beside the rate at which the GPU copies:
//   bench_cuda [REPETITIONS] [CLASSES]
// With 1000 classes most tensors begin where four values can be taken at once, with 10 none does.
// Prints one JSON line a kernel: median milliseconds of a call (launching and, where numbers come back to the host,
// reading them included), the bytes that it cannot do without, and the share of the copy's rate that makes.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/base/text.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/devices/open_device.h"
#include "engine/nn/optimizer_kernels.h"
#include "engine/spec/network_spec.h"
#include "tests/bench/bench_numbers.h"

namespace slipstream::bench {
namespace {

constexpr std::size_t mostRanks = 16;
constexpr std::size_t components = 32;
/// Calls between two looks at the clock: starting one takes a while that the next ones hide.
constexpr int callsAtOnce = 10;

struct Kernel {
  std::string name;
  double vectorsMoved;  ///< how many times the parameters' bytes
  std::function<void()> run;
  std::vector<double> seconds = {};
};

/// Tensors one behind the other. `rows`: those of two dimensions or more in rows, one for each output.
std::vector<TensorSegment> partsOf(const NetworkShape& network, bool rows) {
  std::vector<TensorSegment> parts;
  std::size_t start = 0;
  for (const TensorSpec& tensor : network.tensors) {
    std::size_t elements = 1;
    for (const auto dimension : tensor.shape) elements *= static_cast<std::size_t>(dimension);
    const bool centred = rows && tensor.shape.size() > 1;
    const std::size_t row = centred ? elements / static_cast<std::size_t>(tensor.shape.front()) : 0;
    parts.push_back({start, elements, parts.size(), row});
    start += elements;
  }
  return parts;
}

class KernelBench {
 public:
  KernelBench(Device& device, const NetworkShape& network)
      : device_(device),
        parts_(partsOf(network, false)),
        rows_(partsOf(network, true)),
        elements_(parts_.back().start + parts_.back().elements) {
    for (std::size_t n = 0; n < mostRanks; ++n) leaves_.push_back(vector(elements_));
    copy_ = device.allocate(elements_ * sizeof(std::uint16_t), MemoryCategory::weights);
    matrix_ = vector(components * stride());
    std::size_t mostRows = 1;
    for (const TensorSegment& part : rows_) {
      if (part.row > 0) mostRows = std::max(mostRows, part.elements / part.row);
    }
    rowSums_ = device.allocate(mostRows * sizeof(double), MemoryCategory::boost);
  }

  std::vector<Kernel> kernels() {
    std::vector<Kernel> all;
    addCopy(all);
    addVectors(all);
    addSteps(all);
    addPasses(all);
    for (const std::size_t ranks : {1U, 2U, 4U, 8U, 12U, 16U}) addAdasum(all, ranks);
    for (const std::size_t ranks : {2U, 8U, 16U}) addWholeAdasum(all, ranks);
    addDimReduce(all);
    return all;
  }

  std::size_t elements() const { return elements_; }

 private:
  float* leaf(std::size_t n) { return leaves_[n]->as<float>().data(); }
  std::size_t stride() const { return (elements_ + 15) / 16 * 16; }
  /// Drawn: zeros would let a GPU run faster than gradients do.
  std::unique_ptr<Buffer> vector(std::size_t size) {
    auto made = device_.allocate(size * sizeof(float), MemoryCategory::boost);
    std::vector<float> values(size);
    for (float& value : values) value = static_cast<float>(random_.uniform(-1, 1));
    device_.copyIn(made->bytes(), std::as_bytes(std::span(values)));
    return made;
  }

  /// Of memory that no cache holds: the first of all kernels, whose rate the others are measured by.
  void addCopy(std::vector<Kernel>& all) {
    const auto half = matrix_->as<float>().subspan(0, matrix_->as<float>().size() / 2);
    const auto other = matrix_->as<float>().subspan(half.size(), half.size());
    const double vectors = 2 * static_cast<double>(half.size()) / static_cast<double>(elements_);
    all.push_back({"copy", vectors, [=, this] { cudaVectorKernels().copy(device_.queue(), half, other); }});
  }

  void addVectors(std::vector<Kernel>& all) {
    all.push_back({"accumulate", 3, [this] {
                     const float* part = leaf(0);
                     float* sum = leaf(1);
                     cudaVectorKernels().sum(device_.queue(), {&part, 1}, {&sum, 1}, elements_, 1.0F, true);
                   }});
    all.push_back({"mean of 8", 9, [this] {
                     std::vector<const float*> parts;
                     for (std::size_t n = 0; n < 8; ++n) parts.push_back(leaf(n));
                     float* sum = leaf(8);
                     cudaVectorKernels().sum(device_.queue(), parts, {&sum, 1}, elements_, 0.125F, false);
                   }});
  }

  void addStep(std::vector<Kernel>& all, const std::string& name, double vectors, bool rows, WeightCopy copy) {
    const std::shared_ptr<SegmentPlan> plan = cudaOptimizerKernels().plan(device_.queue(), rows ? rows_ : parts_);
    all.push_back({name, vectors, [this, plan, copy] {
                     const std::vector<StepNumbers> numbers(parts_.size(), {0.1F, 1.0F, 1e-4F, 0.9F, 1.0F});
                     cudaOptimizerKernels().step(device_.queue(), *plan,
                                                 {StepForm::momentum, leaf(0), leaf(1), leaf(2), numbers, copy,
                                                  copy_->as<std::uint16_t>().data()});
                   }});
  }

  void addSteps(std::vector<Kernel>& all) {
    addStep(all, "momentum step", 5, false, WeightCopy::none);
    addStep(all, "momentum step, fp16 copy", 5.5, false, WeightCopy::float16);
    addStep(all, "momentum step, bf16 copy", 5.5, false, WeightCopy::bfloat16);
    addStep(all, "momentum step, centralised", 5, true, WeightCopy::none);
  }

  void addPasses(std::vector<Kernel>& all) {
    all.push_back({"unscale", 2, [this] {
                     cudaLossScaleKernels().unscale(device_.queue(), leaf(3), elements_, 1.0, 1.0F, leaf(2));
                   }});
    all.push_back({"centralise, tensor by tensor", 2, [this] {
                     for (const TensorSegment& part : rows_) {
                       if (part.row == 0) continue;
                       float* values = leaf(4) + part.start;
                       const RowsSegment whole{0, part.elements, part.row};
                       double* sums = rowSums_->as<double>().data();
                       cudaGradCentralizationKernels().sumRows(device_.queue(), values, nullptr, 0, whole, sums);
                       cudaGradCentralizationKernels().subtractMeans(device_.queue(), values, whole, sums);
                     }
                   }});
  }

  void addAdasum(std::vector<Kernel>& all, std::size_t ranks) {
    const auto count = static_cast<double>(ranks);
    const auto& kernels = cudaAdasumKernels<float>();
    const std::shared_ptr<SegmentPlan> plan = kernels.plan(device_.queue(), parts_);
    const auto pointers = [this, ranks] {
      std::vector<const float*> leaves;
      for (std::size_t n = 0; n < ranks; ++n) leaves.push_back(leaf(n));
      return leaves;
    };
    all.push_back({"adasum dots of " + std::to_string(ranks), count, [this, plan, pointers, ranks, &kernels] {
                     std::vector<double> sums(parts_.size() * gramSize(ranks));
                     kernels.dotsOfSegments(device_.queue(), *plan, pointers().data(), ranks, sums.data());
                   }});
    all.push_back({"adasum combine of " + std::to_string(ranks), count + 1, [this, plan, pointers, ranks, &kernels] {
                     const std::vector<double> coefficients(parts_.size() * ranks, 1.0 / static_cast<double>(ranks));
                     float* output = leaf(0);
                     kernels.combineSegments(device_.queue(), *plan, pointers().data(), coefficients.data(), ranks,
                                             &output, 1);
                   }});
  }

  /// As one exchange computes it: dot products, every tensor's tree on the host, combination.
  void addWholeAdasum(std::vector<Kernel>& all, std::size_t ranks) {
    const auto& kernels = cudaAdasumKernels<float>();
    const std::shared_ptr<SegmentPlan> plan = kernels.plan(device_.queue(), parts_);
    all.push_back(
        {"adasum of " + std::to_string(ranks), 2.0 * static_cast<double>(ranks) + 1, [this, plan, ranks, &kernels] {
           std::vector<const float*> leaves;
           for (std::size_t n = 0; n < ranks; ++n) leaves.push_back(leaf(n));
           std::vector<double> sums(parts_.size() * gramSize(ranks));
           kernels.dotsOfSegments(device_.queue(), *plan, leaves.data(), ranks, sums.data());
           std::vector<double> coefficients;
           for (std::size_t part = 0; part < parts_.size(); ++part) {
             const auto gram = std::span(sums).subspan(part * gramSize(ranks), gramSize(ranks));
             const AdasumTree tree = adasumTree(gram, ranks, 0);
             coefficients.insert(coefficients.end(), tree.coefficients.begin(), tree.coefficients.end());
           }
           float* output = leaf(0);
           kernels.combineSegments(device_.queue(), *plan, leaves.data(), coefficients.data(), ranks, &output, 1);
         }});
  }

  void addDimReduce(std::vector<Kernel>& all) {
    const auto& kernels = cudaDimReduceKernels();
    const DeviceRows rows{matrix_->as<float>().data(), components, stride()};
    all.push_back({"project on 32", components + 1, [this, rows, &kernels] {
                     std::vector<double> found(components);
                     kernels.project(device_.queue(), rows, leaf(0), elements_, found.data());
                   }});
    all.push_back({"project back from 32", components + 1, [this, rows, &kernels] {
                     const std::vector<double> by(components, 0.5);
                     kernels.backProject(device_.queue(), rows, by.data(), leaf(0), elements_);
                   }});
    all.push_back({"residual step", 4, [this, &kernels] {
                     kernels.residualStep(device_.queue(), 0.9F, leaf(0), leaf(1), leaf(2), elements_);
                   }});
    all.push_back({"move along", 3, [this, &kernels] {
                     kernels.moveAlong(device_.queue(), leaf(0), 0.1F, leaf(1), leaf(2), elements_);
                   }});
  }

  Device& device_;
  Random random_{1, RandomStream::test};
  std::vector<TensorSegment> parts_;
  std::vector<TensorSegment> rows_;
  std::size_t elements_;
  std::vector<std::unique_ptr<Buffer>> leaves_;
  std::unique_ptr<Buffer> copy_;
  std::unique_ptr<Buffer> rowSums_;  ///< of the tensor with the most rows
  std::unique_ptr<Buffer> matrix_;   ///< [components, stride()]
};

void measure(Device& device, std::vector<Kernel>& kernels, int repetitions) {
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (Kernel& kernel : kernels) {
      device.synchronize();
      const Stopwatch watch;
      for (int call = 0; call < callsAtOnce; ++call) kernel.run();
      device.synchronize();
      if (repetition >= 0) kernel.seconds.push_back(watch.seconds() / callsAtOnce);
    }
  }
}

void report(const std::vector<Kernel>& kernels, std::size_t elements) {
  const auto bytes = [&](const Kernel& kernel) {
    return kernel.vectorsMoved * static_cast<double>(elements * sizeof(float));
  };
  const double ceiling = bytes(kernels.front()) / median(kernels.front().seconds);
  for (const Kernel& kernel : kernels) {
    const double rate = bytes(kernel) / median(kernel.seconds);
    std::printf(
        "{\"benchmark\":\"cuda\",\"kernel\":\"%s\",\"parameters\":%zu,\"bytes\":%.0f,\"repetitions\":%zu,"
        "\"milliseconds\":%.4f,\"gigabytes_per_second\":%.1f,\"share_of_copy\":%.3f}\n",
        kernel.name.c_str(), elements, bytes(kernel), kernel.seconds.size(), 1000 * median(kernel.seconds), rate / 1e9,
        rate / ceiling);
  }
}

}  // namespace
}  // namespace slipstream::bench

int main(int count, char** arguments) {
  using namespace slipstream;
  const auto argument = [&](int index, std::int64_t otherwise) {
    return index < count ? parseInteger(arguments[index]).value_or(otherwise) : otherwise;
  };
  const auto repetitions = argument(1, 11);
  const auto classes = argument(2, 1000);
  MemoryMeter meter;
  const auto device = openDevice(cudaKind(), 0, meter);
  if (!device) {
    std::fprintf(stderr, "%s\n", toText(device.error()).c_str());
    return 2;
  }
  const NetworkShape network = networkShape(builtInNetwork("resnet50", classes).value(), {224, 224, 3}).value();
  bench::KernelBench bench(**device, network);
  auto kernels = bench.kernels();
  bench::measure(**device, kernels, static_cast<int>(repetitions));
  bench::report(kernels, bench.elements());
}
