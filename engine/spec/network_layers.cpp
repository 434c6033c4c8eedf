// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/network_layers.h"

namespace slipstream {
namespace {

const std::map<LayerKind, std::string> stems{
    {LayerKind::dense, "dense"},      {LayerKind::normalizedDense, "dense"},
    {LayerKind::conv2d, "conv"},      {LayerKind::maxPool, "max_pool"},
    {LayerKind::avgPool, "avg_pool"}, {LayerKind::globalAvgPool, "global_avg_pool"},
    {LayerKind::relu, "relu"},        {LayerKind::flatten, "flatten"},
    {LayerKind::batchNorm, "bn"},     {LayerKind::add, "add"},
};

}  // namespace

void LayerList::add(LayerSpec layer) {
  const int number = ++counts_[layer.kind];
  if (layer.name.empty()) layer.name = stems.at(layer.kind) + std::to_string(number);
  const std::string before = layers_.empty() ? networkInputName : layers_.back().name;
  const bool makesChannels = layer.kind == LayerKind::conv2d || layer.kind == LayerKind::dense;
  const std::int64_t passedOn = channels_[layer.from.empty() ? before : layer.from];
  channels_[layer.name] = makesChannels ? layer.outputs : passedOn;
  layers_.push_back(std::move(layer));
}

void LayerList::add(ResidualSpec block) {
  const int number = ++blocks_;
  if (block.name.empty()) block.name = "block" + std::to_string(number);
  const auto outside = counts_;
  const std::string input = layers_.empty() ? networkInputName : layers_.back().name;
  addBranch(block);
  const std::string branch = layers_.back().name;
  const std::string shortcut = addShortcut(block, input);
  add(LayerSpec{.kind = LayerKind::add, .name = block.name + ".add", .from = branch, .with = shortcut});
  relu(block, block.kind == ResidualKind::basic ? "relu2" : "relu3");
  counts_ = outside;
}

void LayerList::addBranch(const ResidualSpec& block) {
  if (block.kind == ResidualKind::basic) {
    convolution(block, "conv1", block.channels, 3, block.stride);
    batchNorm(block, "bn1");
    relu(block, "relu1");
    convolution(block, "conv2", block.channels, 3, 1);
    batchNorm(block, "bn2");
    return;
  }
  const std::int64_t inside = block.channels / block.expansion;
  convolution(block, "conv1", inside, 1, 1);
  batchNorm(block, "bn1");
  relu(block, "relu1");
  convolution(block, "conv2", inside, 3, block.stride);
  batchNorm(block, "bn2");
  relu(block, "relu2");
  convolution(block, "conv3", block.channels, 1, 1);
  batchNorm(block, "bn3");
}

std::string LayerList::addShortcut(const ResidualSpec& block, const std::string& input) {
  if (block.stride == 1 && channels_[input] == block.channels) return input;
  convolution(block, "down_sample_layer.0", block.channels, 1, block.stride, input);
  batchNorm(block, "down_sample_layer.1");
  return layers_.back().name;
}

void LayerList::convolution(const ResidualSpec& block, const std::string& name, std::int64_t outputs,
                            std::int64_t kernel, std::int64_t stride, const std::string& from) {
  add(LayerSpec{.kind = LayerKind::conv2d,
                .name = block.name + "." + name,
                .from = from,
                .outputs = outputs,
                .kernel = kernel,
                .stride = stride,
                .samePadding = true,
                .bias = false,
                .weightInit = block.weightInit,
                .commFusion = block.commFusion});
}

void LayerList::batchNorm(const ResidualSpec& block, const std::string& name) {
  add(LayerSpec{.kind = LayerKind::batchNorm,
                .name = block.name + "." + name,
                .epsilon = block.epsilon,
                .momentum = block.momentum,
                .weightInit = {InitializerKind::ones},
                .biasInit = {InitializerKind::zeros},
                .commFusion = block.commFusion});
}

void LayerList::relu(const ResidualSpec& block, const std::string& name) {
  add(LayerSpec{.kind = LayerKind::relu, .name = block.name + "." + name});
}

}  // namespace slipstream
