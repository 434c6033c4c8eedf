// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/wire/link_keys.h"
#include "engine/wire/messages.h"
#include "engine/wire/rank_status.h"
#include "engine/wire/socket.h"

namespace slipstream {

/// Where a hub listens: a socket file, which only this user can reach, or tcp://ADDRESS:* with the keys of who may
/// enter.
struct HubAddress {
  std::string endpoint;
  std::optional<HubKeys> keys;
};

/// The hub's socket and the thread that owns it: knows who is who, answers heartbeats at once, puts each rank's data
/// in order without gaps, and hands everything else to the thread that writes. So a slow disk never looks like a dead
/// supervisor, and a rank's heartbeat is noted when it arrives.
class HubSocket {
 public:
  struct Incoming {
    int rank = 0;
    Message message;
  };

  /// Binds; throws Error where that fails. `task` is the answer to every hello of this run and attempt.
  HubSocket(const HubAddress& address, std::string runId, int attempt, int ranks, wire::Task task);
  ~HubSocket();
  HubSocket(const HubSocket&) = delete;
  HubSocket& operator=(const HubSocket&) = delete;

  /// What has come, oldest first. Waits up to `longest` where nothing urgent (anything but data) is there. Throws what
  /// broke the socket.
  std::vector<Incoming> take(std::chrono::milliseconds longest);
  void send(int rank, const Message& message);
  /// Told to every rank with each status, and now.
  void setStop(StopKind stop);
  /// The rank's data up to `sequence` is committed.
  void acknowledge(int rank, std::uint64_t sequence);
  std::vector<RankStatus> statuses() const;
  /// What workers connect to.
  const std::string& endpoint() const { return endpoint_; }

 private:
  struct Peer {
    std::string route;  ///< empty: not connected yet
    std::uint64_t received = 0;
    std::uint64_t acknowledged = 0;
    std::uint64_t askedAgainFrom = 0;
  };

  void loop();
  void handle(const WireSocket::Received& received);
  void welcome(const std::string& route, const wire::Hello& hello);
  void handle(int rank, const wire::Heartbeat& heartbeat);
  void acceptData(int rank, wire::Data data);
  void push(int rank, Message message);
  void sendStatus(int rank, bool gap);
  void post(const std::string& route, const Message& message);
  bool sendOutgoing();

  const std::string runId_;
  const int attempt_;
  const wire::Task task_;
  WireSocket socket_;
  const std::string endpoint_;
  std::map<std::string, int> rankOfRoute_;  ///< of the thread that owns the socket

  mutable std::mutex mutex_;
  std::condition_variable somethingCame_;
  std::vector<Peer> peers_;
  std::vector<RankStatus> statuses_;
  std::vector<Incoming> incoming_;
  bool urgent_ = false;
  std::deque<std::pair<std::string, std::string>> outgoing_;  ///< route, bytes
  StopKind stop_ = StopKind::none;
  bool closing_ = false;
  std::exception_ptr broken_;  ///< what ended the thread before its time
  std::thread thread_;
};

}  // namespace slipstream
