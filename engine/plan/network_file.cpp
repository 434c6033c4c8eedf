#include "engine/plan/network_file.h"

#include <algorithm>
#include <initializer_list>
#include <map>

#include <nlohmann/json.hpp>

namespace slipstream {
namespace {

const Words<InitializerKind> initializerWords{
    {"uniform_fan_in", InitializerKind::uniformFanIn},
    {"normal", InitializerKind::normal},
    {"he_uniform", InitializerKind::heUniform},
    {"xavier_uniform", InitializerKind::xavierUniform},
    {"zeros", InitializerKind::zeros},
    {"truncated_normal", InitializerKind::truncatedNormal},
    {"ones", InitializerKind::ones},
};

const Words<LayerKind> layerWords{
    {"dense", LayerKind::dense},          {"conv2d", LayerKind::conv2d}, {"max_pool", LayerKind::maxPool},
    {"avg_pool", LayerKind::avgPool},     {"relu", LayerKind::relu},     {"flatten", LayerKind::flatten},
    {"batch_norm", LayerKind::batchNorm},
};

/// MindSpore's "normal" is N(0, 0.01), TruncatedNormal() likewise (algorithms.md 7.6).
double defaultParameter(InitializerKind kind) {
  return kind == InitializerKind::normal || kind == InitializerKind::truncatedNormal ? 0.01 : 0.0;
}

void describeInitializer(Fields& fields, Initializer& initializer) {
  choice(fields, "name", initializer.kind, initializerWords);
  std::optional<double> parameter = initializer.parameter;
  fields.optionalNumber("parameter", parameter, atLeast(0));
  initializer.parameter = parameter.value_or(defaultParameter(initializer.kind));
}

void initializerField(Fields& fields, const char* key, Initializer& initializer) {
  const Fields::Describe describe = [&](Fields& inner) { describeInitializer(inner, initializer); };
  fields.section(key, describe, wordFor("name", describe));
}

void optionalInitializer(Fields& fields, const char* key, std::optional<Initializer>& initializer) {
  if (!fields.wants(key, initializer.has_value())) return;
  if (!initializer) initializer = Initializer{};
  initializerField(fields, key, *initializer);
}

// Far above what anybody trains, and small enough that no product of them overflows.
constexpr Limits widths = between(1, 100'000);
constexpr Limits windows = between(1, 1000);

void describeWindow(Fields& fields, LayerSpec& layer) {
  fields.integer("kernel", layer.kernel, windows);
  // A pool's windows do not overlap unless it says so; a convolution moves by one.
  std::optional<std::int64_t> stride = layer.stride;
  fields.optionalInteger("stride", stride, windows);
  layer.stride = stride.value_or(layer.kind == LayerKind::conv2d ? 1 : layer.kernel);
  fields.integer("padding", layer.padding, between(0, 1000));
}

void describeLayer(Fields& fields, LayerSpec& layer) {
  std::string word = wordOf(layerWords, layer.kind);
  fields.text("type", word, wordsOf(layerWords));
  layer.kind = valueOf(layerWords, word).value_or(layer.kind);
  const auto isOneOf = [&](std::initializer_list<LayerKind> kinds) {
    return fields.everything() || std::find(kinds.begin(), kinds.end(), layer.kind) != kinds.end();
  };
  fields.text("name", layer.name, {});
  if (isOneOf({LayerKind::dense, LayerKind::conv2d})) {
    fields.integer("outputs", layer.outputs, widths);
    fields.flag("bias", layer.bias);
  }
  if (isOneOf({LayerKind::conv2d, LayerKind::maxPool, LayerKind::avgPool})) describeWindow(fields, layer);
  if (isOneOf({LayerKind::batchNorm})) {
    fields.number("epsilon", layer.epsilon, above(0));
    fields.number("momentum", layer.momentum, between(0, 1));
    if (layer.weightInit == Initializer{}) layer.weightInit = {InitializerKind::ones};
    if (layer.biasInit == Initializer{}) layer.biasInit = {InitializerKind::zeros};
  }
  if (isOneOf({LayerKind::dense, LayerKind::conv2d, LayerKind::batchNorm})) {
    initializerField(fields, "weight_init", layer.weightInit);
    initializerField(fields, "bias_init", layer.biasInit);
  }
}

/// Layers that the file leaves without a name are counted by kind: conv1, conv2, dense1.
void nameLayers(std::vector<LayerSpec>& layers) {
  static const std::map<LayerKind, std::string> stems{
      {LayerKind::dense, "dense"},      {LayerKind::conv2d, "conv"}, {LayerKind::maxPool, "max_pool"},
      {LayerKind::avgPool, "avg_pool"}, {LayerKind::relu, "relu"},   {LayerKind::flatten, "flatten"},
      {LayerKind::batchNorm, "bn"},
  };
  std::map<LayerKind, int> counts;
  for (LayerSpec& layer : layers) {
    const int number = ++counts[layer.kind];
    if (layer.name.empty()) layer.name = stems.at(layer.kind) + std::to_string(number);
  }
}

std::vector<LayerSpec> mlpLayers(const std::vector<int>& hidden) {
  std::vector<LayerSpec> layers{{.kind = LayerKind::flatten}};
  int number = 0;
  const auto dense = [&](std::int64_t outputs) {
    layers.push_back({.kind = LayerKind::dense, .name = "layer" + std::to_string(++number), .outputs = outputs});
  };
  for (const int units : hidden) {
    dense(units);
    layers.push_back({.kind = LayerKind::relu});
  }
  dense(10);
  nameLayers(layers);
  return layers;
}

void setInitializers(const NetworkSection& section, std::vector<LayerSpec>& layers) {
  for (LayerSpec& layer : layers) {
    if (layer.kind != LayerKind::dense && layer.kind != LayerKind::conv2d) continue;
    if (section.weightInit) layer.weightInit = *section.weightInit;
    if (section.biasInit) layer.biasInit = *section.biasInit;
  }
}

Result<NetworkSpec> layeredNetwork(const NetworkSection& section) {
  Failures failures;
  const auto refuse = [&](bool written, const std::string& key) {
    if (!written) return;
    failures.push_back({"network." + key, "", "has no meaning beside network.layers", "give it in each layer"});
  };
  refuse(section.hidden.has_value(), "hidden");
  refuse(section.weightInit.has_value(), "weight_init");
  refuse(section.biasInit.has_value(), "bias_init");
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  NetworkSpec network{section.name.empty() ? "layers" : section.name, section.layers};
  nameLayers(network.layers);
  return network;
}

}  // namespace

void describeNetwork(Fields& fields, NetworkSection& network) {
  fields.text("name", network.name, {});
  if (fields.wants("hidden", network.hidden.has_value())) {
    if (!network.hidden) network.hidden.emplace();
    fields.integers("hidden", *network.hidden, widths);
  }
  optionalInitializer(fields, "weight_init", network.weightInit);
  optionalInitializer(fields, "bias_init", network.biasInit);
  if (!fields.wants("layers", !network.layers.empty())) return;
  fields.list(
      "layers", network.layers.size(), [&](std::size_t count) { network.layers.resize(count); },
      [&](Fields& inner, std::size_t i) { describeLayer(inner, network.layers[i]); });
}

Result<NetworkSpec> networkOf(const NetworkSection& section) {
  if (!section.layers.empty()) return layeredNetwork(section);
  if (section.name.empty()) {
    return fail("network", "", "names no network", "write \"network\": \"lenet5\" or \"mlp\", or give network.layers");
  }
  SLIPSTREAM_TRY(network, builtInNetwork(section.name));
  if (section.hidden && section.name != "mlp") {
    return fail("network.hidden", "", "is an option of mlp only", "remove it, or write \"name\": \"mlp\"");
  }
  if (section.hidden) network.layers = mlpLayers(*section.hidden);
  setInitializers(section, network.layers);
  return network;
}

Result<NetworkSpec> builtInNetwork(const std::string& name) {
  if (name == "mlp") return NetworkSpec{name, mlpLayers({512, 512})};
  if (name != "lenet5") {
    return fail("network.name", name, "is not a built-in network", suggestion(name, {"mlp", "lenet5"}));
  }
  const auto conv = [](const char* label, std::int64_t outputs, std::int64_t padding) {
    return LayerSpec{.kind = LayerKind::conv2d, .name = label, .outputs = outputs, .kernel = 5, .padding = padding};
  };
  const auto dense = [](const char* label, std::int64_t outputs) {
    return LayerSpec{.kind = LayerKind::dense, .name = label, .outputs = outputs};
  };
  const LayerSpec relu{.kind = LayerKind::relu};
  const LayerSpec pool{.kind = LayerKind::maxPool, .kernel = 2, .stride = 2};
  NetworkSpec network{
      name,
      {conv("conv1", 6, 2), relu, pool, conv("conv2", 16, 0), relu, pool, LayerSpec{.kind = LayerKind::flatten},
       dense("fc1", 120), relu, dense("fc2", 84), relu, dense("fc3", 10)}};
  nameLayers(network.layers);
  return network;
}

}  // namespace slipstream
