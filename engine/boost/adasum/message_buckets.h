// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/boost/adasum/exchange.h"
#include "engine/boost/slices.h"

namespace slipstream {

/// A reduction whose messages cannot be sent piecemeal between layers: everything is exchanged in finish(), in rounds
/// of several buckets.
class MessageBuckets : public AdasumReduction {
 public:
  explicit MessageBuckets(const AdasumShape& rounds) : starts_(startsOf(rounds.buckets)) {}

  /// Neighbouring buckets put together until a rank's slice has adasumRoundBytes, which bounds the memory for what is
  /// received.
  static AdasumShape rounds(AdasumShape shape, int ranks, std::size_t elementBytes) {
    std::vector<Bucket> merged;
    const auto most = adasumRoundBytes / static_cast<std::int64_t>(elementBytes) * ranks;
    for (const Bucket& bucket : shape.buckets) {
      if (merged.empty() || bucket.range.end - merged.back().range.begin > most) {
        merged.push_back(bucket);
      } else {
        merged.back().range.end = bucket.range.end;
        merged.back().endTensor = bucket.endTensor;
      }
    }
    shape.buckets = std::move(merged);
    return shape;
  }

  void begin(int) override {}
  void progress() override {}
  bool completed(int) const override { return false; }
  bool underWay(int) const override { return false; }
  void finish(std::int64_t end) override {
    for (std::size_t round = 0; round < starts_.size() && starts_[round] < end; ++round) {
      exchange(static_cast<int>(round));
    }
  }

 protected:
  virtual void exchange(int round) = 0;

 private:
  std::vector<std::int64_t> starts_;
};

/// A Reduction<T> over the rounds of `shape`.
template <template <class> class Reduction, class T>
std::unique_ptr<AdasumReduction> makeInRounds(Communicator& communicator, const AdasumContext<T>& context,
                                              std::span<T> values, AdasumShape shape) {
  return std::make_unique<Reduction<T>>(communicator, context, values,
                                        MessageBuckets::rounds(std::move(shape), communicator.size(), sizeof(T)));
}

}  // namespace slipstream
