// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include "engine/comm/communicator.h"

namespace slipstream::test {

/// A communicator as between hosts: everything works but shared memory. Borrows `group`, or owns its part of a split.
class WithheldMemory : public Communicator {
 public:
  explicit WithheldMemory(Communicator& group) : group_(group) {}
  explicit WithheldMemory(std::unique_ptr<Communicator> group) : owned_(std::move(group)), group_(*owned_) {}

  int rank() const override { return group_.rank(); }
  int size() const override { return group_.size(); }
  void barrier() override { group_.barrier(); }
  void allReduceSum(std::span<float> values) override { group_.allReduceSum(values); }
  void allReduceSum(std::span<double> values) override { group_.allReduceSum(values); }
  void allReduceMax(std::span<double> values) override { group_.allReduceMax(values); }
  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override {
    return group_.startAllReduceSum(values);
  }
  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    return group_.startExchange(out, in);
  }
  void broadcast(std::span<std::byte> bytes, int root) override { group_.broadcast(bytes, root); }
  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override { group_.allGather(mine, all); }
  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override {
    group_.allGatherInPlace(all, offsets);
  }
  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override {
    group_.allToAll(out, outOffsets, in, inOffsets);
  }
  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override {
    group_.sendReceive(out, to, in, from);
  }
  std::unique_ptr<Communicator> split(int colour, int key) override {
    return std::make_unique<WithheldMemory>(group_.split(colour, key));
  }
  std::unique_ptr<SharedBuffer> allocateShared(std::size_t) override { return nullptr; }
  void poll() override { group_.poll(); }

 protected:
  Communicator& group() { return group_; }

 private:
  std::unique_ptr<Communicator> owned_;
  Communicator& group_;
};

}  // namespace slipstream::test
