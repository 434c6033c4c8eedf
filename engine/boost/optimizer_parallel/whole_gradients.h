// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/boost/optimizer_parallel/shard_sum.h"
#include "engine/boost/optimizer_parallel/sharded_gradients.h"
#include "engine/boost/rank_memory.h"

namespace slipstream {

/// How sums by slices travel does not change their bits, only which hosts are told apart: one name for shared and sent
/// ones.
inline std::string nameOfSlices(const HostLayout& hosts) {
  return hosts.oneHost() ? "slices" : "slices, hosts " + hosts.text();
}

/// Gradients that every rank keeps whole, and exchanges in buckets. A subclass names its exchange.
class WholeGradients : public ShardedGradients {
 public:
  ParameterStore& store() final { return store_; }
  UpdateTraits traits() const override {
    return {.worksBesideLayers = schedule_.beginsEarly(), .lacksSharedMemory = memory_.lacksSharedMemory()};
  }
  void start(std::int64_t end) override { schedule_.start(end); }
  void ready(Range range, bool isLast) final;
  void progress() final { schedule_.progress(); }
  CommunicationTime finish() override { return schedule_.finish(); }
  ShardedValues sums() const final { return {memory_.own(), true}; }

 protected:
  /// Collective over parts.communicator. `share`: in memory that the ranks of a host see, where there is some.
  WholeGradients(const UpdateContext& parts, bool share);
  /// To be called once by the subclass; `exchange` outlives this. Null: there is nobody to exchange with.
  void exchangeThrough(BucketExchange* exchange);

  RankMemory memory_;

 private:
  std::vector<Bucket> buckets_;
  bool overlap_;
  WholeParameterStore store_;
  BucketSchedule schedule_;
};

/// Sums are made in place, by the rank that keeps them.
class SummedGradients : public WholeGradients {
 public:
  /// Over all of parts.communicator.
  SummedGradients(const UpdateContext& parts, const ShardMap& map);

  void start(std::int64_t end) final;
  CommunicationTime finish() final;
  std::string exchange() const override;

 protected:
  SummedGradients(const UpdateContext& parts, bool share) : WholeGradients(parts, share) {}
  /// `values`: of the ranks of `parts` that are on this rank's host, in their order where they share memory, else this
  /// rank's, with one of `hosts`.
  void sumOver(const UpdateContext& parts, const ShardMap& map, const std::vector<std::span<float>>& values,
               const HostLayout& hosts);

 private:
  std::unique_ptr<ShardSum> sum_;  ///< null where there is one rank
};

/// Whole gradients are exchanged; every rank then uses its part.
class CombinedGradients final : public WholeGradients {
 public:
  CombinedGradients(const UpdateContext& parts, const ExchangeMaker& maker);
  void record(Range trained, StepOutcome& outcome) const override { exchange_->record(trained, outcome); }
  std::string exchange() const override { return exchange_->name(); }
  UpdateTraits traits() const override {
    UpdateTraits traits = WholeGradients::traits();
    traits.addsGradients = exchange_->addsGradients();
    return traits;
  }

 private:
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace slipstream
