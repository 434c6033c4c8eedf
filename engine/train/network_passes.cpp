// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/network_passes.h"

#include <utility>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// At least as large as wanted; what was in it may be lost.
void grow(std::unique_ptr<Buffer>& buffer, std::size_t bytes, Device& device, MemoryCategory category) {
  if (buffer && buffer->bytes().size() >= bytes) return;
  buffer.reset();
  buffer = device.allocate(bytes, category);
}

}  // namespace

NetworkPasses::NetworkPasses(Network& network, const LossSpec& spec, Device& device, std::unique_ptr<DeviceLoss> loss,
                             std::unique_ptr<ImageInput> pictures)
    : network_(network), spec_(spec), device_(device), loss_(std::move(loss)), pictures_(std::move(pictures)) {}

void NetworkPasses::forward(const MicroBatch& samples, NetworkMode mode, ParameterStore& weights,
                            LayerObserver* observer) {
  loss_->take(samples.labels, network_.shape().outputs.back().elements());
  count_ = samples.count;
  outputs_ = network_.forward(inputsOf(samples), samples.count, mode, weights, observer);
  started_ = false;
}

void NetworkPasses::backward(double lossScale, ParameterStore& weights, ParameterStore& gradients, bool accumulate,
                             int firstTrainedLayer, LayerObserver* observer) {
  grow(outputGradient_, outputs_.size_bytes(), device_, MemoryCategory::activations);
  const auto gradient = outputGradient_->as<float>().first(outputs_.size());
  loss_->start(spec_, outputs_, gradient, lossScale);
  started_ = true;
  network_.backward(gradient, count_, weights, gradients, accumulate, firstTrainedLayer, observer);
}

LossResult NetworkPasses::loss() {
  if (!std::exchange(started_, true)) loss_->start(spec_, outputs_, {}, 1.0);
  return loss_->result();
}

std::vector<float> NetworkPasses::outputs() const {
  if (device_.usesHostMemory()) return {outputs_.begin(), outputs_.end()};
  std::vector<float> values(outputs_.size());
  device_.copyOut(std::as_writable_bytes(std::span(values)), std::as_bytes(outputs_));
  return values;
}

std::span<const float> NetworkPasses::inputsOf(const MicroBatch& samples) {
  if (!samples.pictures.empty()) return inputsOf(samples.pictures);
  if (device_.usesHostMemory()) return samples.inputs;
  const auto inputs = inputMemory(samples.inputs.size());
  device_.copyIn(std::as_writable_bytes(inputs), std::as_bytes(samples.inputs));
  return inputs;
}

std::span<const float> NetworkPasses::inputsOf(std::span<const std::uint8_t> pictures) {
  if (!pictures_) throw Error("samples are images, and nothing normalises them");
  const auto inputs = inputMemory(pictures.size());
  if (!device_.usesHostMemory()) {
    grow(bytes_, pictures.size(), device_, MemoryCategory::activations);
    const auto there = bytes_->as<std::uint8_t>().first(pictures.size());
    device_.copyIn(std::as_writable_bytes(there), std::as_bytes(pictures));
    pictures = there;
  }
  pictures_->normalize(pictures, {NumberType::float32, std::as_writable_bytes(inputs).data(), inputs.size()});
  return inputs;
}

std::span<float> NetworkPasses::inputMemory(std::size_t count) {
  grow(inputs_, count * sizeof(float), device_, MemoryCategory::activations);
  return inputs_->as<float>().first(count);
}

}  // namespace slipstream
