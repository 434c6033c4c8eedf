#include "engine/plan/network_spec.h"

#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace slipstream {
namespace {

bool hasTensors(LayerKind kind) {
  return kind == LayerKind::dense || kind == LayerKind::conv2d || kind == LayerKind::batchNorm;
}

/// Follows one sample through the layers, collecting shapes and tensors.
class ShapeWalk {
 public:
  explicit ShapeWalk(SampleShape input) : at_(input) { result_.input = input; }

  void layer(const LayerSpec& layer, int index) {
    where_ = fmt::format("network.layers[{}] ({})", index, layer.name);
    index_ = index;
    checkName(layer);
    switch (layer.kind) {
      case LayerKind::dense:
        dense(layer);
        break;
      case LayerKind::conv2d:
        conv2d(layer);
        break;
      case LayerKind::maxPool:
      case LayerKind::avgPool:
        pool(layer);
        break;
      case LayerKind::batchNorm:
        batchNorm(layer);
        break;
      case LayerKind::flatten:
        at_ = {0, 0, at_.elements()};
        break;
      case LayerKind::relu:
        break;
    }
    result_.outputs.push_back(at_);
  }

  Result<NetworkShape> finish() {
    if (!failures_.empty()) return tl::unexpected(std::move(failures_));
    return std::move(result_);
  }

 private:
  void refuse(std::string value, std::string problem, std::string remedy) {
    failures_.push_back({where_, std::move(value), std::move(problem), std::move(remedy)});
  }

  /// Tensor names are metric names and keys of checkpoints.
  void checkName(const LayerSpec& layer) {
    if (!hasTensors(layer.kind)) return;
    const bool plain = layer.name.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == std::string::npos &&
                       !layer.name.empty();
    if (!plain) refuse(layer.name, "has a name with other characters than letters, digits, . _ -", "rename it");
    if (!names_.insert(layer.name).second) refuse(layer.name, "has the name of another layer", "rename one of the two");
  }

  void dense(const LayerSpec& layer) {
    if (at_.height != 0) {
      refuse("", "needs a flat input, but gets pictures", "put {\"type\": \"flatten\"} before it");
      at_ = {0, 0, at_.elements()};
    }
    if (layer.outputs < 1) return refuse("", "has no outputs", "set outputs to the number of its units");
    const std::int64_t inputs = at_.channels;
    addPair(layer, {layer.outputs, inputs}, inputs, layer.outputs);
    at_ = {0, 0, layer.outputs};
  }

  void conv2d(const LayerSpec& layer) {
    if (layer.outputs < 1) refuse("", "has no outputs", "set outputs to the number of its channels");
    const auto window = windowOutput(layer);
    if (!window || layer.outputs < 1) return;
    const std::int64_t taps = layer.kernel * layer.kernel;
    const std::int64_t inputs = at_.channels;
    addPair(layer, {layer.outputs, layer.kernel, layer.kernel, inputs}, taps * inputs, taps * layer.outputs);
    at_ = {window->height, window->width, layer.outputs};
  }

  void pool(const LayerSpec& layer) {
    if (2 * layer.padding > layer.kernel) {
      return refuse(std::to_string(layer.padding), "has more padding than half its kernel", "make padding smaller");
    }
    if (const auto window = windowOutput(layer)) at_ = *window;
  }

  void batchNorm(const LayerSpec& layer) {
    const bool unset = layer.weightInit == Initializer{} && layer.biasInit == Initializer{};
    add(layer.name + ".gamma", {at_.channels}, 0, 0, unset ? Initializer{InitializerKind::ones} : layer.weightInit);
    add(layer.name + ".beta", {at_.channels}, 0, 0, unset ? Initializer{InitializerKind::zeros} : layer.biasInit);
  }

  std::optional<SampleShape> windowOutput(const LayerSpec& layer) {
    if (at_.height == 0) {
      refuse("", "needs pictures, but gets a flat input", "put it before the flatten layer");
      return std::nullopt;
    }
    if (layer.kernel < 1 || layer.stride < 1) {
      refuse("", "has no kernel or stride", "set kernel (and stride) to at least 1");
      return std::nullopt;
    }
    const auto extent = [&](std::int64_t size) { return size + 2 * layer.padding - layer.kernel; };
    if (extent(at_.height) < 0 || extent(at_.width) < 0) {
      refuse(fmt::format("kernel {}", layer.kernel),
             fmt::format("has a kernel larger than its input of {} x {}", at_.height, at_.width),
             "use a smaller kernel or more padding");
      return std::nullopt;
    }
    return SampleShape{extent(at_.height) / layer.stride + 1, extent(at_.width) / layer.stride + 1, at_.channels};
  }

  void addPair(const LayerSpec& layer, std::vector<std::int64_t> shape, std::int64_t fanIn, std::int64_t fanOut) {
    add(layer.name + ".weight", std::move(shape), fanIn, fanOut, layer.weightInit);
    if (layer.bias) add(layer.name + ".bias", {layer.outputs}, fanIn, fanOut, layer.biasInit);
  }

  void add(std::string name, std::vector<std::int64_t> shape, std::int64_t fanIn, std::int64_t fanOut,
           Initializer initializer) {
    result_.tensors.push_back({std::move(name), std::move(shape), index_, fanIn, fanOut, initializer});
  }

  NetworkShape result_;
  Failures failures_;
  SampleShape at_;
  std::set<std::string> names_;
  std::string where_;
  int index_ = 0;
};

}  // namespace

std::int64_t TensorSpec::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Result<NetworkShape> networkShape(const NetworkSpec& network, SampleShape input) {
  ShapeWalk walk(input);
  for (std::size_t i = 0; i < network.layers.size(); ++i) walk.layer(network.layers[i], static_cast<int>(i));
  return walk.finish();
}

}  // namespace slipstream
