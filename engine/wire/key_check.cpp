// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/key_check.h"

#include <array>
#include <vector>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr const char* zapEndpoint = "inproc://zeromq.zap.01";
constexpr const char* endEndpoint = "inproc://end-of-key-check";
constexpr const char* zapVersion = "1.0";
constexpr std::size_t keyBytes = 32;

std::string decoded(const std::string& key) {
  std::string bytes(keyBytes, '\0');
  auto* data = reinterpret_cast<std::uint8_t*>(bytes.data());
  if (::zmq_z85_decode(data, key.c_str()) == nullptr) throw Error("a key of the line cannot be read");
  return bytes;
}

std::vector<std::string> takeFrames(zmq::socket_t& socket) {
  std::vector<std::string> frames;
  bool more = true;
  while (more) {
    zmq::message_t frame;
    if (!socket.recv(frame)) break;
    more = frame.more();
    frames.push_back(frame.to_string());
  }
  return frames;
}

void sendFrames(zmq::socket_t& socket, const std::vector<std::string>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    socket.send(zmq::buffer(frames[i]), i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
  }
}

}  // namespace

KeyCheck::KeyCheck(zmq::context_t& context, const std::string& allowed)
    : allowed_(decoded(allowed)), questions_(context, zmq::socket_type::rep), end_(context, zmq::socket_type::pair) {
  try {
    questions_.bind(zapEndpoint);
    end_.bind(endEndpoint);
  } catch (const zmq::error_t& error) {
    throw Error(std::string("the check of keys cannot start: ") + error.what());
  }
  thread_ = std::thread([this, &context] {
    zmq::socket_t ended(context, zmq::socket_type::pair);
    ended.connect(endEndpoint);
    std::array<zmq::pollitem_t, 2> items{{{questions_.handle(), 0, ZMQ_POLLIN, 0}, {ended.handle(), 0, ZMQ_POLLIN, 0}}};
    while (true) {
      zmq::poll(items, std::chrono::milliseconds{-1});
      if ((items[1].revents & ZMQ_POLLIN) != 0) return;
      if ((items[0].revents & ZMQ_POLLIN) != 0) answer();
    }
  });
}

KeyCheck::~KeyCheck() {
  end_.send(zmq::str_buffer("end"), zmq::send_flags::none);
  thread_.join();
}

/// A request is: version, request id, domain, address, identity, mechanism, credentials.
void KeyCheck::answer() {
  constexpr std::size_t mechanism = 5;
  constexpr std::size_t key = 6;
  const auto request = takeFrames(questions_);
  const bool known = request.size() == key + 1 && request[0] == zapVersion && request[mechanism] == "CURVE" &&
                     request[key] == allowed_;
  const std::string id = request.size() > 1 ? request[1] : "";
  sendFrames(questions_,
             {zapVersion, id, known ? "200" : "400", known ? "OK" : "unknown key", known ? "worker" : "", ""});
}

}  // namespace slipstream
