// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/wire/link_keys.h"

namespace slipstream {

/// One ZeroMQ socket: used by the thread that owns it; only wake() may be called from elsewhere.
/// Order is kept and nothing is lost while a connection lasts; what was on its way when it broke is gone.
class WireSocket {
 public:
  struct Received {
    std::string peer;  ///< whom to answer; empty for a connecting socket
    std::string bytes;
  };

  /// The supervisor's end: a socket file, or tcp://ADDRESS:* with keys. Throws Error where it cannot be bound.
  static WireSocket bind(const std::string& endpoint, const std::optional<HubKeys>& keys = std::nullopt);
  /// A worker's end; connects again by itself.
  static WireSocket connect(const std::string& endpoint, const std::optional<WorkerKeys>& keys = std::nullopt);
  ~WireSocket();
  WireSocket(const WireSocket&) = delete;
  WireSocket& operator=(const WireSocket&) = delete;

  /// Waits until there is a message, a wake() or `longest` is over; then takes what is there, up to a bound.
  std::vector<Received> receive(std::chrono::milliseconds longest);
  /// Never waits. What an unknown peer should have got is dropped.
  void send(const std::string& peer, std::string bytes);
  void wake();
  /// What was bound, with the port that the system chose.
  std::string endpoint() const;

 private:
  struct State;
  explicit WireSocket(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace slipstream
