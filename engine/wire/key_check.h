// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <thread>

#include <zmq.hpp>

namespace slipstream {

/// Answers ZeroMQ's question whether a client may enter (ZAP, RFC 27), for all sockets of a context: those whose public
/// key is `allowed`, and nobody else. Without it a CURVE server lets in everybody who knows its own public key. Make it
/// before the socket is bound, and close the socket before it goes.
class KeyCheck {
 public:
  /// `allowed` in Z85. Throws Error where the context has such a handler already.
  KeyCheck(zmq::context_t& context, const std::string& allowed);
  ~KeyCheck();
  KeyCheck(const KeyCheck&) = delete;
  KeyCheck& operator=(const KeyCheck&) = delete;

 private:
  void answer();

  const std::string allowed_;  ///< 32 bytes
  zmq::socket_t questions_;
  zmq::socket_t end_;  ///< a message on it ends the thread
  std::thread thread_;
};

}  // namespace slipstream
