// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/network_spec.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "engine/spec/network_graph.h"

namespace slipstream {
namespace {

bool hasTensors(LayerKind kind) {
  return kind == LayerKind::dense || kind == LayerKind::normalizedDense || kind == LayerKind::conv2d ||
         kind == LayerKind::batchNorm || kind == LayerKind::external;
}

bool isPlainName(const std::string& name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
                              std::string::npos;
}

std::string shapeText(SampleShape shape) {
  if (shape.height == 0) return fmt::format("{} values", shape.channels);
  return fmt::format("{} x {} x {}", shape.height, shape.width, shape.channels);
}

/// Follows one sample through the layers, collecting shapes and tensors.
class ShapeWalk {
 public:
  ShapeWalk(const NetworkSpec& network, SampleShape input) : network_(network) {
    result_.input = input;
    result_.inputs = layerInputs(network, failures_);
  }

  Result<NetworkShape> run() {
    for (std::size_t i = 0; i < network_.layers.size(); ++i) layer(network_.layers[i], static_cast<int>(i));
    if (!failures_.empty()) return tl::unexpected(std::move(failures_));
    return std::move(result_);
  }

 private:
  void layer(const LayerSpec& layer, int index) {
    index_ = index;
    at_ = outputOf(inputs().from);
    checkName(layer);
    switch (layer.kind) {
      case LayerKind::dense:
      case LayerKind::normalizedDense:
        dense(layer);
        break;
      case LayerKind::conv2d:
        conv2d(layer);
        break;
      case LayerKind::maxPool:
      case LayerKind::avgPool:
        pool(layer);
        break;
      case LayerKind::globalAvgPool:
        globalPool();
        break;
      case LayerKind::batchNorm:
        batchNorm(layer);
        break;
      case LayerKind::add:
        addition();
        break;
      case LayerKind::flatten:
        at_ = {0, 0, at_.elements()};
        break;
      case LayerKind::external:
        external(layer);
        break;
      case LayerKind::relu:
        break;
    }
    result_.outputs.push_back(at_);
  }

  const LayerInputs& inputs() const { return result_.inputs[static_cast<std::size_t>(index_)]; }
  SampleShape outputOf(int layer) const {
    return layer == networkInput ? result_.input : result_.outputs[static_cast<std::size_t>(layer)];
  }

  void refuse(std::string value, std::string problem, std::string remedy) {
    failures_.push_back({layerPlace(network_, static_cast<std::size_t>(index_)), std::move(value), std::move(problem),
                         std::move(remedy)});
  }

  /// Tensor names are metric names and keys of checkpoints.
  void checkName(const LayerSpec& layer) {
    if (!hasTensors(layer.kind)) return;
    if (!isPlainName(layer.name))
      refuse(layer.name, "has a name with other characters than letters, digits, . _ -", "rename it");
  }

  /// Whether a product of sizes is more than any machine holds; says so.
  bool isTooLarge(const std::vector<std::int64_t>& sizes) {
    constexpr double most = 1e12;
    double elements = 1;
    for (const std::int64_t size : sizes) elements *= static_cast<double>(size);
    if (elements <= most) return false;
    refuse("", fmt::format("has {:.2g} values, more than any machine holds", elements),
           "make it smaller: fewer outputs, a smaller kernel or less padding");
    return true;
  }

  void dense(const LayerSpec& layer) {
    if (at_.height != 0) {
      refuse("", "needs a flat input, but gets images", "put {\"type\": \"flatten\"} before it");
      at_ = {0, 0, at_.elements()};
    }
    if (layer.outputs < 1) return refuse("", "has no outputs", "set outputs to the number of its units");
    if (isTooLarge({layer.outputs, at_.channels})) return;
    addWeight(layer, {layer.outputs, at_.channels}, at_.channels, layer.outputs);
    if (layer.kind == LayerKind::normalizedDense) {
      add(layer.name + ".multiplier", {1}, 0, 0, {InitializerKind::ones});
    }
    at_ = {0, 0, layer.outputs};
  }

  void conv2d(const LayerSpec& layer) {
    if (layer.outputs < 1) refuse("", "has no outputs", "set outputs to the number of its channels");
    const auto window = windowOutput(layer);
    if (!window || layer.outputs < 1) return;
    const std::int64_t taps = layer.kernel * layer.kernel;
    const std::int64_t inputs = at_.channels;
    if (isTooLarge({taps, inputs, layer.outputs}) || isTooLarge({taps, inputs, window->height, window->width}) ||
        isTooLarge({layer.outputs, window->height, window->width})) {
      return;
    }
    addWeight(layer, {layer.outputs, layer.kernel, layer.kernel, inputs}, taps * inputs, taps * layer.outputs);
    at_ = {window->height, window->width, layer.outputs};
  }

  void pool(const LayerSpec& layer) {
    if (2 * layer.padding > layer.kernel) {
      return refuse(std::to_string(layer.padding), "has more padding than half its kernel", "make padding smaller");
    }
    if (const auto window = windowOutput(layer)) at_ = *window;
  }

  void globalPool() {
    if (at_.height == 0) refuse("", "needs images, but gets a flat input", "put it before the flatten layer");
    at_ = {0, 0, at_.channels};
  }

  void addition() {
    const SampleShape other = outputOf(*inputs().with);
    if (at_ == other) return;
    refuse("", fmt::format("adds {} to {}", shapeText(other), shapeText(at_)),
           "give both the same height, width and channels");
  }

  void batchNorm(const LayerSpec& layer) {
    const bool unset = layer.weightInit == Initializer{} && layer.biasInit == Initializer{};
    add(layer.name + ".gamma", {at_.channels}, 0, 0, unset ? Initializer{InitializerKind::ones} : layer.weightInit);
    add(layer.name + ".beta", {at_.channels}, 0, 0, unset ? Initializer{InitializerKind::zeros} : layer.biasInit);
  }

  /// What flows between the layers is the program's own.
  void external(const LayerSpec& layer) {
    for (const ExternalTensor& tensor : layer.tensors) {
      if (!isPlainName(tensor.name)) {
        refuse(tensor.name, "has a tensor whose name has other characters than letters, digits, . _ -", "rename it");
      } else if (!names_.insert(tensor.name).second) {
        refuse(tensor.name, "has a tensor of the name of another", "rename one of the two");
      } else if (std::ranges::any_of(tensor.shape, [](std::int64_t size) { return size < 1; })) {
        refuse(tensor.name, "has a tensor with a dimension below 1", "leave tensors without values out");
      } else if (!isTooLarge(tensor.shape)) {
        add(tensor.name, tensor.shape, 0, 0, {InitializerKind::zeros});
      }
    }
    at_ = {};
  }

  std::optional<SampleShape> windowOutput(const LayerSpec& layer) {
    if (at_.height == 0) {
      refuse("", "needs images, but gets a flat input", "put it before the flatten layer");
      return std::nullopt;
    }
    if (layer.kernel < 1 || layer.stride < 1) {
      refuse("", "has no kernel or stride", "set kernel (and stride) to at least 1");
      return std::nullopt;
    }
    if (layer.samePadding && layer.padding != 0) {
      refuse(std::to_string(layer.padding), "has padding beside pad_mode same", "keep one of the two");
    }
    const auto extent = [&](std::int64_t size) {
      const Padding padding = paddingOf(layer, size);
      return size + padding.before + padding.after - layer.kernel;
    };
    if (extent(at_.height) < 0 || extent(at_.width) < 0) {
      refuse(fmt::format("kernel {}", layer.kernel),
             fmt::format("has a kernel larger than its input of {} x {}", at_.height, at_.width),
             "use a smaller kernel or more padding");
      return std::nullopt;
    }
    return SampleShape{extent(at_.height) / layer.stride + 1, extent(at_.width) / layer.stride + 1, at_.channels};
  }

  /// And its bias, where it has one.
  void addWeight(const LayerSpec& layer, std::vector<std::int64_t> shape, std::int64_t fanIn, std::int64_t fanOut) {
    add(layer.name + ".weight", std::move(shape), fanIn, fanOut, layer.weightInit);
    const bool bias = layer.bias && layer.kind != LayerKind::normalizedDense;
    if (bias) add(layer.name + ".bias", {layer.outputs}, fanIn, fanOut, layer.biasInit);
  }

  void add(std::string name, std::vector<std::int64_t> shape, std::int64_t fanIn, std::int64_t fanOut,
           Initializer initializer) {
    result_.tensors.push_back({std::move(name), std::move(shape), index_, fanIn, fanOut, initializer});
  }

  const NetworkSpec& network_;
  NetworkShape result_;
  Failures failures_;
  std::set<std::string> names_;  ///< of tensors that programs have described
  SampleShape at_;               ///< of the layer at hand: its input, then its output
  int index_ = 0;
};

}  // namespace

std::int64_t TensorSpec::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t NetworkShape::weights() const {
  return std::accumulate(tensors.begin(), tensors.end(), std::int64_t{0},
                         [](std::int64_t sum, const TensorSpec& tensor) { return sum + tensor.elements(); });
}

std::int64_t runningStatistics(const NetworkSpec& network, const NetworkShape& shape) {
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind == LayerKind::batchNorm) elements += 2 * shape.outputs[i].channels;
  }
  return elements;
}

Padding paddingOf(const LayerSpec& layer, std::int64_t size) {
  if (!layer.samePadding) return {layer.padding, layer.padding};
  const std::int64_t outputs = (size + layer.stride - 1) / layer.stride;
  const std::int64_t total = std::max<std::int64_t>((outputs - 1) * layer.stride + layer.kernel - size, 0);
  return {total / 2, total - total / 2};
}

Result<NetworkShape> networkShape(const NetworkSpec& network, SampleShape input) {
  return ShapeWalk(network, input).run();
}

}  // namespace slipstream
