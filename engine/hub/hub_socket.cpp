// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hub/hub_socket.h"

#include <utility>

#include <fmt/format.h>

namespace slipstream {
namespace {

constexpr std::chrono::milliseconds longestSleep{200};

}  // namespace

HubSocket::HubSocket(const HubAddress& address, std::string runId, int attempt, int ranks, wire::Task task)
    : runId_(std::move(runId)),
      attempt_(attempt),
      task_(std::move(task)),
      socket_(WireSocket::bind(address.endpoint, address.keys)),
      endpoint_(socket_.endpoint()),
      peers_(static_cast<std::size_t>(ranks)),
      statuses_(static_cast<std::size_t>(ranks)),
      thread_([this] { loop(); }) {}

HubSocket::~HubSocket() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  socket_.wake();
  thread_.join();
}

std::vector<HubSocket::Incoming> HubSocket::take(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  somethingCame_.wait_for(lock, longest, [this] { return urgent_; });
  if (broken_) std::rethrow_exception(broken_);
  urgent_ = false;
  return std::exchange(incoming_, {});
}

void HubSocket::send(int rank, const Message& message) {
  std::string bytes = encode(message);
  {
    const std::lock_guard lock(mutex_);
    const std::string& route = peers_[static_cast<std::size_t>(rank)].route;
    if (route.empty()) return;
    outgoing_.emplace_back(route, std::move(bytes));
  }
  socket_.wake();
}

void HubSocket::setStop(StopKind stop) {
  {
    const std::lock_guard lock(mutex_);
    stop_ = stop;
  }
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) sendStatus(static_cast<int>(rank), false);
}

void HubSocket::acknowledge(int rank, std::uint64_t sequence) {
  {
    const std::lock_guard lock(mutex_);
    peers_[static_cast<std::size_t>(rank)].acknowledged = sequence;
  }
  sendStatus(rank, false);
}

std::vector<RankStatus> HubSocket::statuses() const {
  const std::lock_guard lock(mutex_);
  return statuses_;
}

void HubSocket::loop() {
  try {
    while (sendOutgoing()) {
      for (const auto& received : socket_.receive(longestSleep)) handle(received);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    broken_ = std::current_exception();
  }
}

bool HubSocket::sendOutgoing() {
  std::deque<std::pair<std::string, std::string>> outgoing;
  bool closing = false;
  {
    const std::lock_guard lock(mutex_);
    outgoing.swap(outgoing_);
    closing = closing_;
  }
  for (auto& [route, bytes] : outgoing) socket_.send(route, std::move(bytes));
  return !closing;
}

void HubSocket::handle(const WireSocket::Received& received) {
  auto message = decodeMessage(received.bytes);
  if (!message) return post(received.peer, wire::Refused{"this is not a message of this version"});
  if (const auto* hello = std::get_if<wire::Hello>(&*message)) return welcome(received.peer, *hello);
  const auto known = rankOfRoute_.find(received.peer);
  if (known == rankOfRoute_.end()) return post(received.peer, wire::Reidentify{});
  const int rank = known->second;
  if (const auto* heartbeat = std::get_if<wire::Heartbeat>(&*message)) return handle(rank, *heartbeat);
  if (auto* data = std::get_if<wire::Data>(&*message)) return acceptData(rank, std::move(*data));
  push(rank, std::move(*message));
}

void HubSocket::welcome(const std::string& route, const wire::Hello& hello) {
  const auto rank = static_cast<std::size_t>(hello.rank);
  if (hello.runId != runId_ || hello.attempt != attempt_ || hello.rank < 0 || rank >= peers_.size()) {
    const std::string asked = fmt::format("rank {} of run {}, attempt {}", hello.rank, hello.runId, hello.attempt);
    return post(route, wire::Refused{fmt::format("{} does not belong here: this is run {}, attempt {}, {} ranks", asked,
                                                 runId_, attempt_, peers_.size())});
  }
  bool newcomer = false;
  {
    const std::lock_guard lock(mutex_);
    Peer& peer = peers_[rank];
    if (peer.received < hello.acknowledged) peer.received = peer.acknowledged = hello.acknowledged;
    newcomer = peer.route != route;
    rankOfRoute_.erase(peer.route);
    peer.route = route;
    statuses_[rank].pid = hello.pid;
    ++statuses_[rank].heartbeats;
  }
  rankOfRoute_[route] = hello.rank;
  post(route, task_);
  if (newcomer) push(hello.rank, hello);
}

void HubSocket::handle(int rank, const wire::Heartbeat& heartbeat) {
  bool gap = false;
  {
    const std::lock_guard lock(mutex_);
    RankStatus& status = statuses_[static_cast<std::size_t>(rank)];
    ++status.heartbeats;
    status.step = heartbeat.step;
    status.phase = heartbeat.phase;
    status.collectiveSequence = heartbeat.collectiveSequence;
    status.delayedSeconds = 1e-6 * static_cast<double>(heartbeat.delayedMicroseconds);
    gap = heartbeat.sent > peers_[static_cast<std::size_t>(rank)].received;
  }
  sendStatus(rank, gap);
}

void HubSocket::acceptData(int rank, wire::Data data) {
  bool ask = false;
  {
    const std::lock_guard lock(mutex_);
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    if (data.sequence <= peer.received) return;
    if (data.sequence == peer.received + 1) {
      ++peer.received;
      incoming_.push_back({rank, std::move(data)});
      return;
    }
    ask = peer.askedAgainFrom != peer.received + 1;
    peer.askedAgainFrom = peer.received + 1;
  }
  if (ask) sendStatus(rank, true);
}

void HubSocket::push(int rank, Message message) {
  const std::lock_guard lock(mutex_);
  incoming_.push_back({rank, std::move(message)});
  urgent_ = true;
  somethingCame_.notify_one();
}

void HubSocket::sendStatus(int rank, bool gap) {
  wire::HubStatus status;
  {
    const std::lock_guard lock(mutex_);
    const Peer& peer = peers_[static_cast<std::size_t>(rank)];
    status = {stop_, peer.acknowledged, gap ? peer.received + 1 : 0};
  }
  send(rank, status);
}

void HubSocket::post(const std::string& route, const Message& message) {
  socket_.send(route, encode(message));
}

}  // namespace slipstream
