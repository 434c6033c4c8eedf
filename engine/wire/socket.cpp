// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/socket.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <zmq.hpp>

#include "engine/base/error.h"
#include "engine/wire/key_check.h"

namespace slipstream {
namespace {

/// Messages taken in one go, so that a flood does not keep the owner from its other duties.
constexpr std::size_t messagesAtOnce = 64;
constexpr int lingerMilliseconds = 200;
/// Parts of tensors are 1 MB; what is longer is nobody's of ours, and ends its connection.
constexpr std::int64_t longestMessage = 64 << 20;

zmq::message_t toFrame(std::string bytes) {
  auto held = std::make_unique<std::string>(std::move(bytes));
  auto* text = held.get();
  zmq::message_t frame(
      text->data(), text->size(), [](void*, void* owner) { delete static_cast<std::string*>(owner); }, text);
  held.release();
  return frame;
}

}  // namespace

struct WireSocket::State {
  State(zmq::socket_type type, const std::string& endpoint, const std::optional<HubKeys>& hubKeys,
        const std::optional<WorkerKeys>& workerKeys)
      : routes(type == zmq::socket_type::router) {
    if (wakeFile < 0) throw Error(fmt::format("no event file descriptor (error {})", errno));
    socket = zmq::socket_t(context, type);
    // Bounds are ours (ring, credit); a bound here would make the supervisor's end drop messages.
    socket.set(zmq::sockopt::sndhwm, 0);
    socket.set(zmq::sockopt::rcvhwm, 0);
    socket.set(zmq::sockopt::linger, lingerMilliseconds);
    if (hubKeys) letInOnly(*hubKeys);
    if (workerKeys) identifyBy(*workerKeys);
    try {
      routes ? socket.bind(endpoint) : socket.connect(endpoint);
    } catch (const zmq::error_t& error) {
      ::close(wakeFile);
      throw Error(fmt::format("{}: {}", endpoint, error.what()));
    }
  }
  ~State() {
    socket.close();  // before the check of keys, which it asks
    ::close(wakeFile);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void letInOnly(const HubKeys& keys) {
    keyCheck = std::make_unique<KeyCheck>(context, keys.worker.publicKey);
    socket.set(zmq::sockopt::curve_server, true);
    socket.set(zmq::sockopt::curve_secretkey, keys.hub.secretKey);
    socket.set(zmq::sockopt::zap_domain, "slipstream");
    socket.set(zmq::sockopt::maxmsgsize, longestMessage);
    noticeLostHosts();
  }

  void identifyBy(const WorkerKeys& keys) {
    socket.set(zmq::sockopt::curve_serverkey, keys.hubPublicKey);
    socket.set(zmq::sockopt::curve_publickey, keys.worker.publicKey);
    socket.set(zmq::sockopt::curve_secretkey, keys.worker.secretKey);
    noticeLostHosts();
  }

  /// A connection whose other host has vanished is closed, and made again, after some seconds.
  void noticeLostHosts() {
    socket.set(zmq::sockopt::heartbeat_ivl, 1000);
    socket.set(zmq::sockopt::heartbeat_timeout, 4000);
    socket.set(zmq::sockopt::reconnect_ivl, 100);
    socket.set(zmq::sockopt::reconnect_ivl_max, 1000);
  }

  void wait(std::chrono::milliseconds longest) {
    std::array<zmq::pollitem_t, 2> items{{{socket.handle(), 0, ZMQ_POLLIN, 0}, {nullptr, wakeFile, ZMQ_POLLIN, 0}}};
    try {
      zmq::poll(items, longest);
    } catch (const zmq::error_t& error) {
      if (error.num() != EINTR) throw Error(fmt::format("waiting for messages failed: {}", error.what()));
    }
    std::uint64_t count = 0;
    [[maybe_unused]] const auto cleared = ::read(wakeFile, &count, sizeof count);
  }

  bool take(std::string& text) {
    zmq::message_t frame;
    if (!socket.recv(frame, zmq::recv_flags::dontwait)) return false;
    text = frame.to_string();
    return true;
  }

  bool routes;
  int wakeFile = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  zmq::context_t context{1};
  std::unique_ptr<KeyCheck> keyCheck;
  zmq::socket_t socket;
};

WireSocket::WireSocket(std::unique_ptr<State> state) : state_(std::move(state)) {}

WireSocket::~WireSocket() = default;

WireSocket WireSocket::bind(const std::string& endpoint, const std::optional<HubKeys>& keys) {
  return WireSocket(std::make_unique<State>(zmq::socket_type::router, endpoint, keys, std::nullopt));
}

WireSocket WireSocket::connect(const std::string& endpoint, const std::optional<WorkerKeys>& keys) {
  return WireSocket(std::make_unique<State>(zmq::socket_type::dealer, endpoint, std::nullopt, keys));
}

std::string WireSocket::endpoint() const {
  return state_->socket.get(zmq::sockopt::last_endpoint);
}

std::vector<WireSocket::Received> WireSocket::receive(std::chrono::milliseconds longest) {
  state_->wait(longest);
  std::vector<Received> messages;
  while (messages.size() < messagesAtOnce) {
    Received message;
    if (state_->routes && !state_->take(message.peer)) break;
    if (!state_->take(message.bytes)) break;
    messages.push_back(std::move(message));
  }
  return messages;
}

void WireSocket::send(const std::string& peer, std::string bytes) {
  try {
    if (state_->routes) state_->socket.send(zmq::buffer(peer), zmq::send_flags::sndmore | zmq::send_flags::dontwait);
    state_->socket.send(toFrame(std::move(bytes)), zmq::send_flags::dontwait);
  } catch (const zmq::error_t& error) {
    if (error.num() != EHOSTUNREACH) throw Error(fmt::format("sending failed: {}", error.what()));
  }
}

void WireSocket::wake() {
  const std::uint64_t one = 1;
  if (::write(state_->wakeFile, &one, sizeof one) < 0 && errno != EAGAIN) throw Error("waking a socket failed");
}

}  // namespace slipstream
