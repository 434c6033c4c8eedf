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

namespace slipstream {
namespace {

/// Messages taken in one go, so that a flood does not keep the owner from its other duties.
constexpr std::size_t messagesAtOnce = 64;
constexpr int lingerMilliseconds = 200;

zmq::message_t toFrame(std::string bytes) {
  auto held = std::make_unique<std::string>(std::move(bytes));
  auto* text = held.get();
  zmq::message_t frame(
      text->data(), text->size(), [](void*, void* owner) { delete static_cast<std::string*>(owner); }, text);
  held.release();
  return frame;
}

class Socket final : public WireSocket {
 public:
  Socket(zmq::socket_type type, const std::string& endpoint) : routes_(type == zmq::socket_type::router) {
    if (wakeFile_ < 0) throw Error(fmt::format("no event file descriptor (error {})", errno));
    socket_ = zmq::socket_t(context_, type);
    // Bounds are ours (ring, credit); a bound here would make the supervisor's end drop messages.
    socket_.set(zmq::sockopt::sndhwm, 0);
    socket_.set(zmq::sockopt::rcvhwm, 0);
    socket_.set(zmq::sockopt::linger, lingerMilliseconds);
    try {
      routes_ ? socket_.bind(endpoint) : socket_.connect(endpoint);
    } catch (const zmq::error_t& error) {
      ::close(wakeFile_);
      throw Error(fmt::format("{}: {}", endpoint, error.what()));
    }
  }
  ~Socket() override { ::close(wakeFile_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  std::vector<Received> receive(std::chrono::milliseconds longest) override {
    wait(longest);
    std::vector<Received> messages;
    while (messages.size() < messagesAtOnce) {
      Received message;
      if (routes_ && !take(message.peer)) break;
      if (!take(message.bytes)) break;
      messages.push_back(std::move(message));
    }
    return messages;
  }

  void send(const std::string& peer, std::string bytes) override {
    try {
      if (routes_) socket_.send(zmq::buffer(peer), zmq::send_flags::sndmore | zmq::send_flags::dontwait);
      socket_.send(toFrame(std::move(bytes)), zmq::send_flags::dontwait);
    } catch (const zmq::error_t& error) {
      if (error.num() != EHOSTUNREACH) throw Error(fmt::format("sending failed: {}", error.what()));
    }
  }

  void wake() override {
    const std::uint64_t one = 1;
    if (::write(wakeFile_, &one, sizeof one) < 0 && errno != EAGAIN) throw Error("waking a socket failed");
  }

 private:
  void wait(std::chrono::milliseconds longest) {
    std::array<zmq::pollitem_t, 2> items{{{socket_.handle(), 0, ZMQ_POLLIN, 0}, {nullptr, wakeFile_, ZMQ_POLLIN, 0}}};
    try {
      zmq::poll(items, longest);
    } catch (const zmq::error_t& error) {
      if (error.num() != EINTR) throw Error(fmt::format("waiting for messages failed: {}", error.what()));
    }
    std::uint64_t count = 0;
    [[maybe_unused]] const auto cleared = ::read(wakeFile_, &count, sizeof count);
  }

  bool take(std::string& text) {
    zmq::message_t frame;
    if (!socket_.recv(frame, zmq::recv_flags::dontwait)) return false;
    text = frame.to_string();
    return true;
  }

  bool routes_;
  int wakeFile_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  zmq::context_t context_{1};
  zmq::socket_t socket_;
};

}  // namespace

std::unique_ptr<WireSocket> WireSocket::bind(const std::string& endpoint) {
  return std::make_unique<Socket>(zmq::socket_type::router, endpoint);
}

std::unique_ptr<WireSocket> WireSocket::connect(const std::string& endpoint) {
  return std::make_unique<Socket>(zmq::socket_type::dealer, endpoint);
}

}  // namespace slipstream
