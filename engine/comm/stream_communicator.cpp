// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/stream_communicator.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "engine/base/error.h"

namespace slipstream {
namespace {

std::size_t index(int rank) {
  return static_cast<std::size_t>(rank);
}

/// Nothing to wait for.
class NoRequest final : public Request {
 public:
  bool done() override { return true; }
  void wait() override {}
};

void addSend(std::vector<PeerMessage>& messages, std::span<const std::byte> bytes, int to) {
  if (!bytes.empty()) messages.push_back({const_cast<std::byte*>(bytes.data()), bytes.size(), to, true});
}
void addReceive(std::vector<PeerMessage>& messages, std::span<std::byte> bytes, int from) {
  if (!bytes.empty()) messages.push_back({bytes.data(), bytes.size(), from, false});
}

constexpr std::size_t routeBytes = 256;

}  // namespace

std::string routeOfLibrary(Communicator& messages, std::string library, std::initializer_list<const char*> variables) {
  std::string route = std::move(library);
  for (const char* variable : variables) {
    if (const char* value = std::getenv(variable)) route += std::string(" ") + variable + "=" + value;
  }
  route.resize(routeBytes);
  messages.broadcast(std::as_writable_bytes(std::span(route)), 0);
  return route.c_str();  // without what fills it up
}

StreamCommunicator::StreamCommunicator(Communicator& messages, Device& device, std::string route, Join join)
    : messages_(messages),
      device_(device),
      route_(std::move(route)),
      join_(std::move(join)),
      collectives_(join_(messages_, device_)) {
  countWith(messages_);
}

StreamCommunicator::StreamCommunicator(std::unique_ptr<Communicator> messages, Device& device, std::string route,
                                       Join join)
    : StreamCommunicator(*messages, device, std::move(route), std::move(join)) {
  owned_ = std::move(messages);
}

void StreamCommunicator::allReduceSum(std::span<float> values) {
  if (!onDevice(std::as_bytes(values))) return messages_.allReduceSum(values);
  startAllReduceSum(values)->wait();
}

void StreamCommunicator::allReduceSum(std::span<double> values) {
  if (!onDevice(std::as_bytes(values))) return messages_.allReduceSum(values);
  reduce(values, false);
}

void StreamCommunicator::allReduceMax(std::span<double> values) {
  if (!onDevice(std::as_bytes(values))) return messages_.allReduceMax(values);
  reduce(values, true);
}

void StreamCommunicator::reduce(std::span<double> values, bool maximum) {
  countOperation();
  collectives_->reduce(values, maximum);
}

std::unique_ptr<Request> StreamCommunicator::startAllReduceSum(std::span<float> values) {
  if (!onDevice(std::as_bytes(values))) return messages_.startAllReduceSum(values);
  return started([&] { collectives_->allReduceSum(values); });
}

std::unique_ptr<Request> StreamCommunicator::startExchange(std::span<const std::span<const std::byte>> out,
                                                           std::span<const std::span<std::byte>> in) {
  const auto empty = [](const auto& part) { return part.empty(); };
  if (std::ranges::all_of(out, empty) && std::ranges::all_of(in, empty)) return std::make_unique<NoRequest>();
  if (!areOfDevice(device_, "startExchange", out, in)) return messages_.startExchange(out, in);
  return started([&] {
    keepOwn(out[index(rank())], in[index(rank())]);
    std::vector<PeerMessage> messages;
    for (int step = 1; step < size(); ++step) {
      const int to = (rank() + step) % size();
      const int from = (rank() + size() - step) % size();
      addSend(messages, out[index(to)], to);
      addReceive(messages, in[index(from)], from);
    }
    collectives_->exchange(messages);
  });
}

void StreamCommunicator::broadcast(std::span<std::byte> bytes, int root) {
  if (!onDevice(bytes)) return messages_.broadcast(bytes, root);
  started([&] { collectives_->broadcast(bytes, root); })->wait();
}

void StreamCommunicator::allGather(std::span<const std::byte> mine, std::span<std::byte> all) {
  if (all.size() != mine.size() * index(size())) throw Error("allGather: sizes do not match");
  if (!areOfDevice(device_, "allGather", std::array{mine}, std::array{all})) return messages_.allGather(mine, all);
  started([&] { collectives_->allGather(mine, all.data()); })->wait();
}

void StreamCommunicator::allGatherInPlace(std::span<std::byte> all, std::span<const std::size_t> offsets) {
  if (!onDevice(all)) return messages_.allGatherInPlace(all, offsets);
  started([&] { collectives_->allGatherInPlace(all, offsets); })->wait();
}

void StreamCommunicator::allToAll(std::span<const std::byte> out, std::span<const std::size_t> outOffsets,
                                  std::span<std::byte> in, std::span<const std::size_t> inOffsets) {
  std::vector<std::span<const std::byte>> outs;
  std::vector<std::span<std::byte>> ins;
  for (std::size_t peer = 0; peer < index(size()); ++peer) {
    outs.push_back(out.subspan(outOffsets[peer], outOffsets[peer + 1] - outOffsets[peer]));
    ins.push_back(in.subspan(inOffsets[peer], inOffsets[peer + 1] - inOffsets[peer]));
  }
  startExchange(outs, ins)->wait();
}

void StreamCommunicator::sendReceive(std::span<const std::byte> out, int to, std::span<std::byte> in, int from) {
  if (!areOfDevice(device_, "sendReceive", std::array{out}, std::array{in})) {
    return messages_.sendReceive(out, to, in, from);
  }
  started([&] {
    std::vector<PeerMessage> messages;
    addSend(messages, out, to);
    addReceive(messages, in, from);
    collectives_->exchange(messages);
  })->wait();
}

std::unique_ptr<Communicator> StreamCommunicator::split(int colour, int key) {
  return std::unique_ptr<Communicator>(new StreamCommunicator(messages_.split(colour, key), device_, route_, join_));
}

void StreamCommunicator::poll() {
  collectives_->checkAlive();
  messages_.poll();
}

std::unique_ptr<Request> StreamCommunicator::started(const std::function<void()>& give) {
  countOperation();
  return collectives_->started(give);
}

void StreamCommunicator::keepOwn(std::span<const std::byte> from, std::span<std::byte> to) {
  if (to.empty() || to.data() == from.data()) return;
  if (to.size() != from.size()) throw Error("startExchange: sizes do not match");
  collectives_->copy(to, from);
}

}  // namespace slipstream
