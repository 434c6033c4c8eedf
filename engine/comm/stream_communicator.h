// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/comm/communicator.h"
#include "engine/comm/operation_memory.h"
#include "engine/device/device.h"

namespace slipstream {

/// Bytes for another rank, or from one.
struct PeerMessage {
  std::byte* bytes;
  std::size_t count;
  int peer;
  bool goesOut;
};

/// What a library of collective operations, of one kind of device, does with memory of devices. All but started() and
/// reduce() is called inside of `give` only.
class StreamCollectives {
 public:
  virtual ~StreamCollectives() = default;
  /// Calls `give`, which hands operations to the library, behind what the device was given before; they run beside what
  /// it is given later.
  virtual std::unique_ptr<Request> started(const std::function<void()>& give) = 0;

  virtual void allReduceSum(std::span<float> values) = 0;
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  virtual void allGather(std::span<const std::byte> mine, std::byte* all) = 0;
  /// Part r of `all`, by byte offsets, is rank r's.
  virtual void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) = 0;
  /// All as one operation: none waits for another.
  virtual void exchange(std::span<const PeerMessage> messages) = 0;
  virtual void copy(std::span<std::byte> to, std::span<const std::byte> from) = 0;

  /// Sums or maxima, which what the device is given later finds.
  virtual void reduce(std::span<double> values, bool maximum) = 0;
  /// Throws Error where the library says that a peer is lost.
  virtual void checkAlive() = 0;
};

/// A route: what the library is, and those of its variables that are set, on which the order of its sums depends. The
/// first rank's on every rank. Collective.
std::string routeOfLibrary(Communicator& messages, std::string library, std::initializer_list<const char*> variables);

/// A communicator for memory of devices where every rank has one of its own. `messages` exchanges memory of the host.
class StreamCommunicator final : public Communicator {
 public:
  /// Makes what the ranks of a group have in common. Collective.
  using Join = std::function<std::unique_ptr<StreamCollectives>(Communicator& messages, Device& device)>;

  /// `route` names the library, and what of it the order of sums depends on. Collective.
  StreamCommunicator(Communicator& messages, Device& device, std::string route, Join join);

  int rank() const override { return messages_.rank(); }
  int size() const override { return messages_.size(); }
  std::string_view route() const override { return route_; }

  void barrier() override { messages_.barrier(); }
  void allReduceSum(std::span<float> values) override;
  void allReduceSum(std::span<double> values) override;
  void allReduceMax(std::span<double> values) override;
  std::unique_ptr<Request> startAllReduceSum(std::span<float> values) override;
  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override;
  void broadcast(std::span<std::byte> bytes, int root) override;
  void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  void allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) override;
  void allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets, std::span<std::byte> in,
                std::span<const std::size_t> inOffsets) override;
  void sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) override;
  std::unique_ptr<Communicator> split(int colour, int key) override;
  std::unique_ptr<SharedBuffer> allocateShared(std::size_t) override { return nullptr; }
  void poll() override;

 private:
  StreamCommunicator(std::unique_ptr<Communicator> messages, Device& device, std::string route, Join join);

  bool onDevice(std::span<const std::byte> bytes) const { return isOfDevice(device_, bytes); }
  std::unique_ptr<Request> started(const std::function<void()>& give);
  void reduce(std::span<double> values, bool maximum);
  void keepOwn(std::span<const std::byte> from, std::span<std::byte> to);

  std::unique_ptr<Communicator> owned_;  ///< goes last
  Communicator& messages_;
  Device& device_;
  std::string route_;
  Join join_;
  std::unique_ptr<StreamCollectives> collectives_;
};

}  // namespace slipstream
