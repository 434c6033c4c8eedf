// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nn/support/device_bench.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/probe/processor.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

NetworkSpec spec(std::vector<LayerSpec> layers) {
  return {"layers", std::move(layers)};
}

LayerCase convolutions() {
  const SampleShape photo{13, 12, 3};
  return {"Convolutions",
          spec({conv("a", 8, 3, 2, 1), relu(), same(conv("b", 6, 5, 2)), relu(), conv("c", 5, 1, 1, 0, false),
                globalAvgPool(), dense("head", 7)}),
          photo, 3};
}
LayerCase pools() {
  return {"Pools",
          spec({conv("a", 5, 3), same(pool(LayerKind::maxPool, 3, 2)), pool(LayerKind::maxPool, 2, 1, 1),
                pool(LayerKind::avgPool, 3, 2, 1), flatten(), dense("head", 3)}),
          {15, 11, 2},
          3};
}
/// Sums over 3168 rows take more than one level; 5 channels do not fill packs, 8 do.
LayerCase batchNorms() {
  return {"BatchNorms",
          spec({conv("a", 5, 1), batchNorm("an"), relu(), conv("b", 8, 1, 1, 0, false), batchNorm("bn"),
                conv("c", 4, 2, 2, 0, false), batchNorm("cn"), relu(), globalAvgPool(), dense("head", 3)}),
          {33, 32, 3},
          3};
}
LayerCase blocks(const std::string& name, ResidualKind kind) {
  LayerList layers;
  layers.add(conv("stem", 8, 3, 1, 1, false));
  layers.add(batchNorm("bn"));
  layers.add(relu());
  layers.add(ResidualSpec{.kind = kind, .name = "one", .channels = 8, .expansion = 2});
  layers.add(ResidualSpec{.kind = kind, .name = "two", .channels = 12, .stride = 2, .expansion = 2});
  layers.add(globalAvgPool());
  layers.add(dense("head", 3));
  return {name, spec(layers.take()), {10, 9, 3}, 4};
}
/// Channels by the eight, which convolutions in fp16 fuse with; some that cannot stand between those that can.
LayerCase fusing(const std::string& name, ResidualKind kind) {
  LayerList layers;
  layers.add(conv("stem", 8, 3, 1, 1, false));
  layers.add(batchNorm("bn"));
  layers.add(relu());
  layers.add(ResidualSpec{.kind = kind, .name = "one", .channels = 16, .expansion = 2});
  layers.add(ResidualSpec{.kind = kind, .name = "two", .channels = 32, .stride = 2, .expansion = 2});
  layers.add(same(conv("odd", 8, 3, 2, 0, false)));
  layers.add(batchNorm("oddBn"));
  layers.add(relu());
  layers.add(conv("biased", 16, 1));
  layers.add(globalAvgPool());
  layers.add(dense("head", 3));
  return {name, spec(layers.take()), {11, 9, 3}, 4};
}
LayerCase sums() {
  return {"Sums",
          spec({conv("a", 4, 3, 1, 1), named("left", relu()), conv("b", 4, 3, 1, 1), named("sum", add("left")),
                relu("cut"), reading("sum", conv("c", 4, 1)), add("cut"), globalAvgPool(), dense("head", 5)}),
          {7, 6, 3},
          3};
}
/// Gradients of three readers are cut once, where they are summed.
LayerCase manyReaders() {
  return {"ManyReaders",
          spec({conv("a", 4, 3, 1, 1), relu("left"), conv("b", 4, 3, 1, 1), add("left", "sum"), relu("cut"),
                conv("c", 4, 1), reading("cut", conv("d", 4, 3, 1, 1)), add("c", "cd"), add("cut"), globalAvgPool(),
                dense("head", 5)}),
          {7, 6, 3},
          3};
}
/// One reader that reads twice.
LayerCase twice() {
  return {"Twice",
          spec({conv("a", 4, 3, 1, 1), relu("cut"), add("cut"), conv("b", 4, 1), globalAvgPool(), dense("head", 5)}),
          {7, 6, 3},
          3};
}
LayerCase flat() {
  return {
      "Flat", spec({flatten(), dense("a", 33), relu(), dense("b", 20, false), relu(), dense("c", 7)}), {5, 5, 1}, 5};
}
LayerCase normalized() {
  return {"Normalized", spec({flatten(), dense("a", 45), relu(), normalizedDense("head", 37)}), {6, 6, 1}, 4};
}

/// Shares of a result's length. A value that is rounded can change which of two a pool takes, or whether a ReLU cuts,
/// and so part of a gradient; a CPU that multiplies bf16 rounds it at the same places, but for what dense layers
/// multiply: where nothing else is rounded, a ReLU that cuts otherwise is a sixth of a small network's gradient. Others
/// take products of fp32.
struct Tolerance {
  double outputs;
  double gradients;
};
Tolerance tolerance(const LayerCase& of, NumberType type) {
  if (type == NumberType::float32) return {2e-6, 8e-6};
  if (of.network.layers.front().kind == LayerKind::flatten) return {0.01, 0.2};
  if (type == NumberType::float16) return {0.002, 0.12};
  return {0.01, multipliesBfloat16() ? 0.06 : 0.2};
}

void expectAlike(const std::vector<float>& actual, const std::vector<float>& expected, double share,
                 const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  EXPECT_TRUE(std::ranges::all_of(actual, [](float value) { return std::isfinite(value); })) << what;
  EXPECT_LE(distance(wide(actual), wide(expected)), share * length(wide(expected))) << what;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Flat values as the reference wants them: tensors from front to back.
std::vector<double> forwardOrder(const std::vector<float>& values, const ParameterLayout& layout) {
  std::vector<double> ordered;
  for (auto tensor = layout.tensors().rbegin(); tensor != layout.tensors().rend(); ++tensor) {
    ordered.insert(ordered.end(), values.begin() + tensor->range.begin, values.begin() + tensor->range.end);
  }
  return ordered;
}

std::vector<double> moved(std::vector<double> from, const std::vector<double>& along, double step) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] += step * along[i];
  return from;
}

std::vector<float> first(const std::vector<float>& values, std::int64_t count) {
  return {values.begin(), values.begin() + count};
}

}  // namespace

DeviceBench::DeviceBench(const NetworkSpec& network, SampleShape input, std::int64_t maximumBatch, NumberType pictures,
                         Device& device, std::unique_ptr<NetworkBackend> backend)
    : device_(device),
      network_(backend ? makeNetwork(network, input, maximumBatch, pictures, device, std::move(backend))
                       : makeNetwork(network, input, maximumBatch, pictures, device)),
      weights_(device, network_->layout().size(), MemoryCategory::weights),
      gradients_(device, network_->layout().size(), MemoryCategory::gradients),
      input_(device.allocate(static_cast<std::size_t>(maximumBatch * input.elements()) * sizeof(float),
                             MemoryCategory::data)),
      outputGradient_(device.allocate(
          static_cast<std::size_t>(maximumBatch * network_->shape().outputs.back().elements()) * sizeof(float),
          MemoryCategory::data)) {
  const auto values = drawn(network_->layout().size(), 1);
  device_.copyIn(std::as_writable_bytes(weights_.acquire({0, std::ssize(values)})), std::as_bytes(std::span(values)));
}

std::vector<float> DeviceBench::read(std::span<const float> values) {
  std::vector<float> host(values.size());
  device_.copyOut(std::as_writable_bytes(std::span(host)), std::as_bytes(values));
  return host;
}

std::vector<float> DeviceBench::forward(const std::vector<float>& input, std::int64_t batch, NetworkMode mode) {
  const auto there = input_->as<float>().first(input.size());
  device_.copyIn(std::as_writable_bytes(there), std::as_bytes(std::span(input)));
  return read(network_->forward(there, batch, mode, weights_, nullptr));
}

std::vector<float> DeviceBench::backward(const std::vector<float>& outputGradient, std::int64_t batch, bool accumulate,
                                         int firstTrainedLayer) {
  const auto there = outputGradient_->as<float>().first(outputGradient.size());
  device_.copyIn(std::as_writable_bytes(there), std::as_bytes(std::span(outputGradient)));
  network_->backward(there, batch, weights_, gradients_, accumulate, firstTrainedLayer, nullptr);
  return gradients();
}

std::vector<float> DeviceBench::gradients() {
  return read(gradients_.acquire({0, network_->layout().size()}));
}

std::span<float> DeviceBench::weightsOf(const std::string& tensor) {
  const auto& tensors = network_->layout().tensors();
  const auto found = std::ranges::find_if(tensors, [&](const auto& each) { return each.spec.name == tensor; });
  return weights_.acquire(found->range);
}

void DeviceBench::setWeights(const std::string& tensor, const std::vector<float>& values) {
  device_.copyIn(std::as_writable_bytes(weightsOf(tensor)), std::as_bytes(std::span(values)));
}

std::vector<float> DeviceBench::weights(const std::string& tensor) {
  return read(weightsOf(tensor));
}

std::vector<float> DeviceBench::states() {
  std::vector<float> all;
  for (const auto& state : network_->states()) {
    const auto values = read(state.values);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

LossResult lossOf(DeviceLoss& loss, const LossSpec& spec, std::span<const float> logits,
                  const std::vector<std::int32_t>& labels, std::int64_t classes, std::span<float> gradient,
                  double gradientScale) {
  loss.take(labels, classes);
  loss.start(spec, logits, gradient, gradientScale);
  return loss.result();
}

const std::vector<LayerCase>& layerCases() {
  static const std::vector<LayerCase> cases{convolutions(),
                                            pools(),
                                            batchNorms(),
                                            blocks("BasicBlocks", ResidualKind::basic),
                                            blocks("Bottlenecks", ResidualKind::bottleneck),
                                            fusing("FusingBasicBlocks", ResidualKind::basic),
                                            fusing("FusingBottlenecks", ResidualKind::bottleneck),
                                            sums(),
                                            manyReaders(),
                                            twice(),
                                            flat(),
                                            normalized(),
                                            {"LeNet5", leNet5(), {28, 28, 1}, 3}};
  return cases;
}

void expectLikeTheCpu(const LayerCase& of, NumberType pictures, DeviceBench& tested) {
  Host host;
  const NumberType picturesOfCpu = pictures == NumberType::bfloat16 ? pictures : NumberType::float32;
  DeviceBench cpu(of.network, of.input, of.batch, picturesOfCpu, *host.device);
  const Tolerance share = tolerance(of, pictures);
  const auto samples = drawn(of.batch * of.input.elements(), 2);
  const auto direction = drawn(of.batch * cpu.network().shape().outputs.back().elements(), 3);
  for (const std::int64_t batch : {of.batch, of.batch - 1}) {
    const auto someSamples = first(samples, batch * of.input.elements());
    const auto someDirection = first(direction, std::ssize(direction) / of.batch * batch);
    const bool accumulate = batch < of.batch;
    expectAlike(tested.forward(someSamples, batch, NetworkMode::training),
                cpu.forward(someSamples, batch, NetworkMode::training), share.outputs, "outputs in training");
    expectAlike(tested.backward(someDirection, batch, accumulate), cpu.backward(someDirection, batch, accumulate),
                share.gradients, accumulate ? "accumulated gradients" : "gradients");
    expectAlike(tested.states(), cpu.states(), share.outputs, "running statistics");
  }
  expectAlike(tested.forward(samples, of.batch, NetworkMode::evaluation),
              cpu.forward(samples, of.batch, NetworkMode::evaluation), share.outputs, "outputs in evaluation");
}

void expectLikeTheReference(const LayerCase& of, DeviceBench& tested) {
  const ReferenceNetwork reference(of.network, of.input);
  const auto& layout = tested.network().layout();
  const auto samples = drawn(of.batch * of.input.elements(), 2);
  const auto output = tested.forward(samples, of.batch, NetworkMode::training);
  const auto direction = drawn(std::ssize(output), 3);
  const auto gradients = forwardOrder(tested.backward(direction, of.batch), layout);

  const auto weights = forwardOrder(drawn(layout.size(), 1), layout);
  const auto along = wide(drawn(layout.size(), 8));
  const auto outputAt = [&](double step) {
    return reference.forward(wide(samples), of.batch, moved(weights, along, step));
  };
  const auto expected = outputAt(0.0);
  EXPECT_LE(distance(wide(output), expected), 1e-5 * length(expected));
  constexpr double step = 1e-7;
  const double difference = (dot(outputAt(step), wide(direction)) - dot(outputAt(-step), wide(direction))) / (2 * step);
  EXPECT_NEAR(dot(gradients, along), difference, 1e-4 * length(gradients));
}

void expectUntrainedLeftAlone(const LayerCase& of, DeviceBench& tested) {
  const auto samples = drawn(of.batch * of.input.elements(), 2);
  const auto direction = drawn(std::ssize(tested.forward(samples, of.batch, NetworkMode::training)), 3);
  const auto whole = tested.backward(direction, of.batch);
  const int last = static_cast<int>(of.network.layers.size()) - 1;
  tested.forward(samples, of.batch, NetworkMode::training);
  const auto doubled = tested.backward(direction, of.batch, true, last);
  for (const auto& tensor : tested.network().layout().tensors()) {
    const bool trained = tensor.spec.layer >= last;
    for (auto at = static_cast<std::size_t>(tensor.range.begin); at < static_cast<std::size_t>(tensor.range.end);
         ++at) {
      const double tolerance = trained ? 1e-5 * std::abs(whole[at]) + 1e-6 : 0.0;
      ASSERT_NEAR(doubled[at], trained ? 2 * whole[at] : whole[at], tolerance) << tensor.spec.name;
    }
  }
}

std::string nameOfCase(const testing::TestParamInfo<std::tuple<LayerCase, NumberType>>& instance) {
  return std::get<0>(instance.param).name + "_" + std::string(nameOf(std::get<1>(instance.param)));
}

}  // namespace slipstream::test
