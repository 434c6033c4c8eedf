// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace slipstream {

/// One ZeroMQ socket: used by the thread that owns it; only wake() may be called from elsewhere.
/// Order is kept and nothing is lost while a connection lasts; what was on its way when it broke is gone.
class WireSocket {
 public:
  struct Received {
    std::string peer;  ///< whom to answer; empty for a connecting socket
    std::string bytes;
  };

  /// The supervisor's end. Throws Error where the endpoint cannot be bound.
  static std::unique_ptr<WireSocket> bind(const std::string& endpoint);
  /// A worker's end; connects again by itself.
  static std::unique_ptr<WireSocket> connect(const std::string& endpoint);
  virtual ~WireSocket() = default;

  /// Waits until there is a message, a wake() or `longest` is over; then takes what is there, up to a bound.
  virtual std::vector<Received> receive(std::chrono::milliseconds longest) = 0;
  /// Never waits. What an unknown peer should have got is dropped.
  virtual void send(const std::string& peer, std::string bytes) = 0;
  virtual void wake() = 0;
};

}  // namespace slipstream
