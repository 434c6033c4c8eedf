// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/network_file.h"

#include <algorithm>
#include <initializer_list>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/spec/comm_fusion.h"
#include "engine/spec/network_builtin.h"
#include "engine/spec/network_conventions.h"

namespace slipstream {
namespace {

const EnumNames<InitializerKind> initializerWords{
    {"uniform_fan_in", InitializerKind::uniformFanIn},
    {"normal", InitializerKind::normal},
    {"he_uniform", InitializerKind::heUniform},
    {"xavier_uniform", InitializerKind::xavierUniform},
    {"zeros", InitializerKind::zeros},
    {"truncated_normal", InitializerKind::truncatedNormal},
    {"ones", InitializerKind::ones},
};

const EnumNames<LayerKind> layerWords{
    {"dense", LayerKind::dense},       {"normalized_dense", LayerKind::normalizedDense},
    {"conv2d", LayerKind::conv2d},     {"max_pool", LayerKind::maxPool},
    {"avg_pool", LayerKind::avgPool},  {"global_avg_pool", LayerKind::globalAvgPool},
    {"relu", LayerKind::relu},         {"add", LayerKind::add},
    {"flatten", LayerKind::flatten},   {"batch_norm", LayerKind::batchNorm},
    {"external", LayerKind::external},
};

const EnumNames<TensorRole> roleWords{{"weight", TensorRole::weight},
                                      {"bias", TensorRole::bias},
                                      {"norm", TensorRole::norm},
                                      {"embedding", TensorRole::embedding}};

/// MindSpore's words for how an image is padded.
const EnumNames<bool> paddingWords{{"pad", false}, {"same", true}};

const EnumNames<ResidualKind> residualWords{{"basic", ResidualKind::basic}, {"bottleneck", ResidualKind::bottleneck}};

/// MindSpore's "normal" is N(0, 0.01), TruncatedNormal() likewise.
double defaultParameter(InitializerKind kind) {
  return kind == InitializerKind::normal || kind == InitializerKind::truncatedNormal ? 0.01 : 0.0;
}

/// A section that describes an initializer, and what a form calls its two keys.
struct InitializerKey {
  const char* section;
  const char* title;
  const char* parameterTitle;
};
constexpr InitializerKey weightInit{"weight_init", "Weight initializer", "Weight initializer parameter"};
constexpr InitializerKey biasInit{"bias_init", "Bias initializer", "Bias initializer parameter"};

void describeInitializer(Fields& fields, const InitializerKey& key, Initializer& initializer) {
  choice(fields, {"name", key.title, "a distribution, or one value for all", Key::noDefault}, initializer.kind,
         initializerWords);
  std::optional<double> parameter = initializer.parameter;
  fields.optionalNumber(
      {"parameter", key.parameterTitle, "deviation of the normal kinds, negative slope of he_uniform"}, parameter,
      atLeast(0));
  initializer.parameter = parameter.value_or(defaultParameter(initializer.kind));
}

void initializerField(Fields& fields, const InitializerKey& key, Initializer& initializer) {
  const Fields::Describe describe = [&](Fields& inner) { describeInitializer(inner, key, initializer); };
  fields.section({key.section, "what the weights (or biases) begin with: a name, or a name and its parameter"},
                 describe, wordFor("name", describe));
}

void optionalInitializer(Fields& fields, const InitializerKey& key, std::optional<Initializer>& initializer) {
  if (!fields.wants(key.section, initializer.has_value())) return;
  if (!initializer) initializer = Initializer{};
  initializerField(fields, key, *initializer);
}

// Far above what anybody trains, and small enough that no product of them overflows.
constexpr Limits widths = between(1, 100'000);
constexpr Limits windows = between(1, 1000);

void describeWindow(Fields& fields, LayerSpec& layer) {
  fields.integer({"kernel", "conv2d and pools: width and height of the window"}, layer.kernel, windows);
  // A pool's windows do not overlap unless it says so; a convolution moves by one.
  std::optional<std::int64_t> stride = layer.stride;
  fields.optionalInteger({"stride", "step of the window; conv2d: 1, pools: the kernel where it is missing"}, stride,
                         windows);
  layer.stride = stride.value_or(layer.kind == LayerKind::conv2d ? 1 : layer.kernel);
  choice(
      fields,
      {"pad_mode", "pad: as padding says; same: as much as makes input / stride outputs, an odd one below and right"},
      layer.samePadding, paddingWords);
  fields.integer({"padding", "zeros on each side"}, layer.padding, between(0, 1000));
}

void describeStatistics(Fields& fields, double& epsilon, double& momentum) {
  fields.number({"epsilon", "batch_norm: added to the variance"}, epsilon, above(0));
  fields.number({"momentum", "batch_norm: share of the old running value that is kept"}, momentum, between(0, 1));
}

void describeTensor(Fields& fields, ExternalTensor& tensor) {
  fields.text({"name", "of the tensor, as metrics and checkpoints name it", Key::required}, tensor.name, {});
  std::vector<int> shape(tensor.shape.begin(), tensor.shape.end());
  fields.integers({"shape", "its dimensions, first to last; none: one value"}, shape, between(1, 2'000'000'000));
  tensor.shape.assign(shape.begin(), shape.end());
  choice(fields, {"kind", "what it is for"}, tensor.role, roleWords);
}

void describeTensors(Fields& fields, LayerSpec& layer) {
  if (!fields.wants("tensors", !layer.tensors.empty())) return;
  fields.list(
      {"tensors", "external: what a program has described"}, layer.tensors.size(),
      [&](std::size_t count) { layer.tensors.resize(count); },
      [&](Fields& inner, std::size_t i) { describeTensor(inner, layer.tensors[i]); });
}

void describeLayer(Fields& fields, LayerSpec& layer) {
  std::string word = wordOf(layerWords, layer.kind);
  fields.text({"type", "kind of layer", Key::required}, word, wordsOf(layerWords));
  layer.kind = valueOf(layerWords, word).value_or(layer.kind);
  const auto isOneOf = [&](std::initializer_list<LayerKind> kinds) {
    return fields.everything() || std::find(kinds.begin(), kinds.end(), layer.kind) != kinds.end();
  };
  fields.text({"name", "prefix of its tensors; counted by kind where it is missing"}, layer.name, {});
  if (fields.wants("from", !layer.from.empty()))
    fields.text({"from", "the layer whose output it reads, or input; default: the layer before it"}, layer.from, {});
  if (isOneOf({LayerKind::add}))
    fields.text({"with", "add: the layer whose output is added, or input"}, layer.with, {});
  if (isOneOf({LayerKind::dense, LayerKind::normalizedDense, LayerKind::conv2d})) {
    fields.integer({"outputs",
                    "dense and normalized_dense: units (the last layer, without it: one for each class of the data); "
                    "conv2d: channels"},
                   layer.outputs, widths);
  }
  if (isOneOf({LayerKind::dense, LayerKind::conv2d})) fields.flag({"bias", "dense and conv2d: add a bias"}, layer.bias);
  if (isOneOf({LayerKind::conv2d, LayerKind::maxPool, LayerKind::avgPool})) describeWindow(fields, layer);
  if (isOneOf({LayerKind::batchNorm})) {
    describeStatistics(fields, layer.epsilon, layer.momentum);
    if (layer.weightInit == Initializer{}) layer.weightInit = {InitializerKind::ones};
    if (layer.biasInit == Initializer{}) layer.biasInit = {InitializerKind::zeros};
  }
  if (isOneOf({LayerKind::dense, LayerKind::normalizedDense, LayerKind::conv2d, LayerKind::batchNorm})) {
    initializerField(fields, weightInit, layer.weightInit);
  }
  if (isOneOf({LayerKind::dense, LayerKind::conv2d, LayerKind::batchNorm})) {
    initializerField(fields, biasInit, layer.biasInit);
  }
  if (isOneOf({LayerKind::external})) describeTensors(fields, layer);
  if (isOneOf({LayerKind::dense, LayerKind::normalizedDense, LayerKind::conv2d, LayerKind::batchNorm,
               LayerKind::external})) {
    fields.optionalInteger({"comm_fusion", "neighbours of equal ids send their gradients together"}, layer.commFusion,
                           fusionIds);
  }
}

void describeBlock(Fields& fields, ResidualSpec& block) {
  choice(fields,
         {"residual", "basic: two 3x3 convolutions; bottleneck: 1x1, 3x3, 1x1; each with a batch norm", Key::required},
         block.kind, residualWords);
  fields.text({"name", "prefix of its layers: layer1.0 gives layer1.0.conv1"}, block.name, {});
  fields.integer({"channels", "channels of its output", Key::required}, block.channels, widths);
  fields.integer({"stride", "step of the first 3x3 convolution and of the shortcut"}, block.stride, windows);
  if (fields.everything() || block.kind == ResidualKind::bottleneck) {
    fields.integer({"expansion", "bottleneck: channels of the output for each inside"}, block.expansion,
                   between(1, 1000));
  }
  describeStatistics(fields, block.epsilon, block.momentum);
  initializerField(fields, weightInit, block.weightInit);
  fields.optionalInteger({"comm_fusion", "of all its layers: neighbours of equal ids send together"}, block.commFusion,
                         fusionIds);
}

void describeEntry(Fields& fields, LayerEntry& entry) {
  const auto describeOneLayer = [&](Fields& inner) { describeLayer(inner, entry.layer); };
  const auto describeOneBlock = [&](Fields& inner) { describeBlock(inner, *entry.block); };
  if (fields.everything()) {
    entry.block.emplace();
    return fields.oneOf({describeOneLayer, describeOneBlock});
  }
  if (fields.wants("residual", entry.block.has_value())) {
    if (!entry.block) entry.block.emplace();
    return describeOneBlock(fields);
  }
  entry.hasType = fields.wants("type", true);
  describeOneLayer(fields);
}

void addBlock(const ResidualSpec& block, const std::string& path, LayerList& layers, Failures& failures) {
  const std::int64_t divisor = block.kind == ResidualKind::bottleneck ? block.expansion : 1;
  if (block.channels < 1) {
    failures.push_back({path + ".channels", "", "is missing", "set channels to the number of the block's outputs"});
  } else if (block.channels % divisor != 0) {
    failures.push_back({path + ".channels", std::to_string(block.channels),
                        fmt::format("is not a multiple of the expansion {}", divisor), "change one of the two"});
  } else {
    layers.add(block);
  }
}

/// The layers that the entries stand for, all of them named.
std::vector<LayerSpec> layersOf(const std::vector<LayerEntry>& entries, Failures& failures) {
  LayerList layers;
  std::set<std::string> blocks;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string path = fmt::format("network.layers[{}]", i);
    if (entries[i].block && !entries[i].block->name.empty() && !blocks.insert(entries[i].block->name).second) {
      failures.push_back(
          {path + ".name", entries[i].block->name, "is the name of another block", "rename one of the two"});
    } else if (entries[i].block) {
      addBlock(*entries[i].block, path, layers, failures);
    } else if (entries[i].hasType) {
      layers.add(entries[i].layer);
    } else {
      failures.push_back({path + ".type", "", "is missing", "write one of " + join(wordsOf(layerWords), ", ")});
    }
  }
  return layers.take();
}

void setInitializers(const NetworkSection& section, std::vector<LayerSpec>& layers) {
  for (LayerSpec& layer : layers) {
    if (layer.kind != LayerKind::dense && layer.kind != LayerKind::conv2d) continue;
    if (section.weightInit) layer.weightInit = *section.weightInit;
    if (section.biasInit) layer.biasInit = *section.biasInit;
  }
}

/// The last layer gives a value for each class.
void followClasses(std::vector<LayerSpec>& layers, std::int64_t classes) {
  if (layers.empty() || layers.back().outputs != 0) return;
  const LayerKind kind = layers.back().kind;
  if (kind == LayerKind::dense || kind == LayerKind::normalizedDense) layers.back().outputs = classes;
}

Result<NetworkSpec> layeredNetwork(const NetworkSection& section, std::int64_t classes) {
  Failures failures;
  const auto refuse = [&](bool written, const std::string& key) {
    if (!written) return;
    failures.push_back({"network." + key, "", "has no meaning beside network.layers", "give it in each layer"});
  };
  refuse(section.hidden.has_value(), "hidden");
  refuse(section.weightInit.has_value(), "weight_init");
  refuse(section.biasInit.has_value(), "bias_init");
  if (section.conventions != Conventions::mindspore) {
    failures.push_back({"network.conventions", wordOf(conventionWords, section.conventions),
                        "has no meaning beside network.layers", "give pad_mode, padding and epsilon in each layer"});
  }
  NetworkSpec network{section.name.empty() ? "layers" : section.name, layersOf(*section.layers, failures)};
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  followClasses(network.layers, classes);
  return network;
}

}  // namespace

std::string nameOf(LayerKind kind) {
  return wordOf(layerWords, kind);
}

void describeConventions(Fields& fields, NetworkSection& network, bool resolved) {
  if (resolved && !fields.wants("conventions", network.conventions != Conventions::mindspore)) return;
  choice(fields,
         {"conventions", "Conventions",
          "resnet18 to resnet152: torchvision: pad, pool and normalise as torchvision's, for weights trained there or "
          "to be used there; mindspore: an odd row or column of padding is below or right"},
         network.conventions, conventionWords);
}

void describeNetwork(Fields& fields, NetworkSection& network) {
  fields.text({"name", "Network", "a built-in network; beside layers only a label"}, network.name, {});
  fields.optionalInteger(
      {"classes", "Classes", "outputs of the last layer where they are to be more than the data's classes"},
      network.classes, {.least = 1, .most = 1e6});
  if (fields.wants("hidden", network.hidden.has_value())) {
    if (!network.hidden) network.hidden.emplace();
    fields.integers({"hidden", "Hidden layers", "mlp: units of the hidden layers"}, *network.hidden, widths);
  }
  optionalInitializer(fields, weightInit, network.weightInit);
  optionalInitializer(fields, biasInit, network.biasInit);
  if (fields.wants("program", network.program.has_value())) {
    if (!network.program) network.program.emplace();
    fields.texts({"program", "Program",
                  "a network of your own: the program that computes it, and its arguments; it runs in the "
                  "folder of this file"},
                 *network.program);
  }
  if (fields.wants("folder", !network.folder.empty()) && !fields.everything()) {
    fields.text({"folder", "in resolved forms: the folder that the program runs in"}, network.folder, {});
  }
  if (!fields.wants("layers", network.layers.has_value())) return;
  std::vector<LayerEntry> layers = network.layers.value_or(std::vector<LayerEntry>{});
  const auto resize = [&](std::size_t count) {
    layers.resize(count);
    network.layers = layers;  // a list, if an empty one
  };
  fields.list({"layers", "Layers", "the layers, first to last"}, layers.size(), resize,
              [&](Fields& inner, std::size_t i) { describeEntry(inner, layers[i]); });
  if (network.layers) network.layers = std::move(layers);
}

namespace {

/// The layers are what the program has described, where that was asked for.
Result<NetworkSpec> programNetwork(const NetworkSection& section) {
  Failures failures;
  if (section.program->empty() || section.program->front().empty()) {
    failures.push_back({"network.program", "[]", "names no program",
                        "list the program and its arguments: [\"python3\", \"train.py\"]"});
  }
  const auto refuse = [&](bool written, const std::string& key) {
    if (!written) return;
    failures.push_back({"network." + key, "", "has no meaning beside network.program, which owns the network",
                        "remove one of the two"});
  };
  refuse(section.hidden.has_value(), "hidden");
  refuse(section.classes.has_value(), "classes");
  refuse(section.weightInit.has_value(), "weight_init");
  refuse(section.biasInit.has_value(), "bias_init");
  refuse(section.conventions != Conventions::mindspore, "conventions");
  NetworkSpec network{section.name.empty() ? "program" : section.name, {}, *section.program, section.folder};
  if (section.layers) network.layers = layersOf(*section.layers, failures);
  for (const LayerSpec& layer : network.layers) {
    if (layer.kind != LayerKind::external) refuse(true, "layers");
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return network;
}

Status refuseExternal(const NetworkSpec& network) {
  const bool external =
      std::ranges::any_of(network.layers, [](const LayerSpec& layer) { return layer.kind == LayerKind::external; });
  if (!external) return {};
  return fail("network.layers", "external", "is a layer that a program computes, and network.program names none",
              "name the program, which is then asked for its layers, and remove network.layers");
}

}  // namespace

Result<NetworkSpec> networkOf(const NetworkSection& section, std::int64_t classes) {
  if (section.program) return programNetwork(section);
  if (classes == 0) classes = 10;
  if (section.classes.value_or(0) > 0) classes = *section.classes;  // what is not has been refused
  if (section.layers && section.layers->empty()) {
    return fail("network.layers", "[]", "holds no layer",
                "list the layers, or remove the key: network.name then counts");
  }
  if (section.layers) {
    SLIPSTREAM_TRY(layered, layeredNetwork(section, classes));
    SLIPSTREAM_CHECK(refuseExternal(layered));
    return layered;
  }
  if (section.name.empty()) {
    return fail(
        "network", "", "names no network",
        "write \"network\": \"lenet5\" (there are " + join(builtInNetworks(), ", ") + "), or give network.layers");
  }
  SLIPSTREAM_TRY(network, builtInNetwork(section.name, classes));
  if (section.hidden && section.name != "mlp") {
    return fail("network.hidden", "", "is an option of mlp only", "remove it, or write \"name\": \"mlp\"");
  }
  if (section.hidden) network = mlpNetwork(*section.hidden, classes);
  setInitializers(section, network.layers);
  if (section.conventions == Conventions::torchvision) SLIPSTREAM_CHECK(followTorchvision(network));
  return network;
}

}  // namespace slipstream
