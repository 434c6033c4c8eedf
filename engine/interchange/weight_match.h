// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/interchange/channel_order.h"
#include "engine/interchange/weight_names.h"

namespace slipstream {

/// One tensor that a network has: its shape and order of channels as the network keeps it, channels last.
struct ExpectedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  PixelOrder order;
  bool statistic = false;  ///< a running statistic, not trained
};

/// A tensor that the source has under the name, but that cannot be taken.
struct ShapeMismatch {
  std::string name;
  std::string why;
};

/// What became of a network's tensors in a source.
struct WeightReport {
  std::string source;
  std::int64_t weights = 0;     ///< taken
  std::int64_t statistics = 0;  ///< taken
  ChannelPlace channels = ChannelPlace::first;
  bool turned = false;                    ///< some tensors are turned from that order
  TensorNames names = TensorNames::own;   ///< that the source has
  std::string prefix;                     ///< left out of the source's names
  std::vector<std::string> converted;     ///< taken, but not fp32 there
  std::string conventions;                ///< of the network that the weights are of: "torchvision"; empty: not known
  std::vector<std::string> missing;       ///< of the wanted ones
  std::vector<ShapeMismatch> mismatches;  ///< of the wanted ones
  std::vector<std::string> unused;        ///< of the source
  std::int64_t trainingState = 0;         ///< tensors of the source that are optimizer state, counters and the like
  /// All statistics that are wanted are missing, and nothing else is: a file of weights alone.
  bool lacksStatisticsOnly = false;

  /// Nothing that is wanted is missing or does not fit, statistics as a whole aside.
  bool complete() const { return mismatches.empty() && (missing.empty() || lacksStatisticsOnly); }
  /// For people: what was taken, then one line for each of the rest that there is.
  std::vector<std::string> lines() const;
  /// One failure for what is missing and one for each mismatch, without statistics as a whole.
  Failures failures(const std::string& remedy) const;
};

/// A network's tensors, found by name in a source and read as the network keeps them: fp32, channels last.
///
/// Names are those of MindSpore (running statistics are NAME.moving_mean and NAME.moving_variance), or torchvision's
/// where these find more. Where some are not found, a prefix that all others share is left out. Shapes must be equal
/// but for trailing ones. Other floating-point types become fp32, integers do not. Where the source does not say where
/// channels are, the shapes of convolutions do, and where these leave it open, channels are first.
class WeightMatch {
 public:
  WeightMatch(std::shared_ptr<TensorSource> source, const std::vector<ExpectedTensor>& wanted);

  const WeightReport& report() const { return report_; }
  bool has(const std::string& name) const { return found_.contains(name); }
  /// Names in the source, in its order, of the tensors that were found and fit.
  std::vector<std::string> taken() const;
  /// Fills `values`, as many as the tensor has. Fails where the source cannot be read any more.
  Status read(const std::string& name, std::span<float> values) const;

 private:
  struct Found {
    std::size_t index = 0;  ///< in the source
    PixelOrder order;
  };

  /// The source's tensors by the names of those that are wanted.
  using Indices = std::map<std::string, std::size_t>;
  struct Naming {
    TensorNames names = TensorNames::own;
    std::string prefix = {};
    Indices indices = {};
  };

  Naming bestNaming(const std::vector<ExpectedTensor>& wanted) const;
  Naming namingOf(const std::vector<ExpectedTensor>& wanted, TensorNames names) const;
  void choosePlace(const std::vector<ExpectedTensor>& wanted, const Indices& indices);
  void take(const ExpectedTensor& wanted, std::size_t index);
  void describeRest(const std::vector<ExpectedTensor>& wanted, const Indices& indices);

  std::shared_ptr<TensorSource> source_;
  std::map<std::string, Found> found_;
  WeightReport report_;
};

}  // namespace slipstream
