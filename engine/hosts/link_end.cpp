// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nlohmann/json.hpp>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/hosts/host_links.h"

namespace slipstream {
namespace {

using Json = nlohmann::json;

constexpr int roundTrips = 21;
constexpr double sendingSeconds = 0.3;
constexpr std::size_t leastBytes = std::size_t{4} << 20;  // more than what buffers on the way take
constexpr std::size_t chunkBytes = std::size_t{256} << 10;
constexpr int patienceSeconds = 5;
constexpr std::size_t tokenDigits = 32;

std::string lastProblem() {
  return std::generic_category().message(errno);
}

/// A socket that waits no longer than a session may be silent.
class RetryingSocket {
 public:
  explicit RetryingSocket(int number) : number_(number) {
    const timeval patience{patienceSeconds, 0};
    const int on = 1;
    ::setsockopt(number_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(number_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(number_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~RetryingSocket() { ::close(number_); }
  RetryingSocket(const RetryingSocket&) = delete;
  RetryingSocket& operator=(const RetryingSocket&) = delete;
  int number() const { return number_; }

  void sendAll(const char* bytes, std::size_t count) const {
    while (count > 0) {
      const auto sent = ::send(number_, bytes, count, MSG_NOSIGNAL);
      if (sent <= 0) throw Error("the connection broke: " + lastProblem());
      bytes += sent;
      count -= static_cast<std::size_t>(sent);
    }
  }
  void receiveAll(char* bytes, std::size_t count) const {
    while (count > 0) {
      const auto got = ::recv(number_, bytes, count, 0);
      if (got <= 0) throw Error(got == 0 ? "the other host closed the connection" : "no answer: " + lastProblem());
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
  }

 private:
  int number_;
};

std::string newToken() {
  std::array<unsigned char, tokenDigits / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) throw Error("no random bytes");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

int connectTo(const std::string& host, int port) {
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int unknown = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (unknown != 0) throw Error(fmt::format("it does not know the name {}: {}", host, ::gai_strerror(unknown)));
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{patienceSeconds, 0};
  ::setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);  // also bounds connect()
  const int connected = ::connect(made, found->ai_addr, found->ai_addrlen);
  const std::string problem = connected == 0 ? "" : lastProblem();
  ::freeaddrinfo(found);
  if (connected == 0) return made;
  ::close(made);
  throw Error(fmt::format("it cannot connect to {}: {}", host, problem));
}

double medianRoundTrip(const RetryingSocket& socket) {
  std::vector<double> times;
  for (int i = 0; i < roundTrips; ++i) {
    const Stopwatch watch;
    char byte = 0;
    socket.sendAll(&byte, 1);
    socket.receiveAll(&byte, 1);
    times.push_back(watch.seconds());
  }
  std::ranges::nth_element(times, times.begin() + roundTrips / 2);
  return times[roundTrips / 2];
}

/// Chunks that begin with 1 and a last one that begins with 0, whose receipt is confirmed.
double bandwidthOf(const RetryingSocket& socket) {
  std::vector<char> chunk(chunkBytes, 1);
  std::size_t sent = 0;
  const Stopwatch watch;
  while (sent < leastBytes || watch.seconds() < sendingSeconds) {
    socket.sendAll(chunk.data(), chunk.size());
    sent += chunk.size();
    if (watch.seconds() > patienceSeconds) break;
  }
  chunk.front() = 0;
  socket.sendAll(chunk.data(), chunk.size());
  char confirmed = 0;
  socket.receiveAll(&confirmed, 1);
  return static_cast<double>(sent + chunk.size()) / watch.seconds();
}

Json measured(const std::string& host, int port, const std::string& token) {
  const RetryingSocket socket(connectTo(host, port));
  socket.sendAll(token.data(), token.size());
  const double roundTrip = medianRoundTrip(socket);
  return {{"latency", 0.5 * roundTrip}, {"bandwidth", bandwidthOf(socket)}};
}

void echo(const RetryingSocket& socket) {
  for (int i = 0; i < roundTrips; ++i) {
    char byte = 0;
    socket.receiveAll(&byte, 1);
    socket.sendAll(&byte, 1);
  }
}

void swallow(const RetryingSocket& socket) {
  std::vector<char> chunk(chunkBytes);
  do socket.receiveAll(chunk.data(), chunk.size());
  while (chunk.front() != 0);
  socket.sendAll(chunk.data(), 1);
}

}  // namespace

LinkEnd::~LinkEnd() {
  if (listening_ >= 0) ::close(listening_);
}

std::string LinkEnd::listen(const std::string& address) {
  if (listening_ >= 0) ::close(listening_);
  listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{patienceSeconds, 0};
  ::setsockopt(listening_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);  // also bounds accept()
  sockaddr_in name{};
  name.sin_family = AF_INET;
  socklen_t length = sizeof name;
  auto* generic = reinterpret_cast<sockaddr*>(&name);
  ::inet_pton(AF_INET, address.c_str(), &name.sin_addr);
  bool bound = ::bind(listening_, generic, length) == 0;
  if (!bound && errno == EADDRNOTAVAIL) {  // others know it by an address that is translated on the way
    name.sin_addr.s_addr = INADDR_ANY;
    bound = ::bind(listening_, generic, length) == 0;
  }
  if (!bound || ::listen(listening_, 1) != 0 || ::getsockname(listening_, generic, &length) != 0) {
    throw Error("no port to listen on: " + lastProblem());
  }
  token_ = newToken();
  return Json{{"listening", ntohs(name.sin_port)}, {"token", token_}}.dump();
}

/// One connection that knows the token; whoever does not is sent away, and the port closes after it.
std::string LinkEnd::receive() {
  const int listening = std::exchange(listening_, -1);
  const RetryingSocket port(listening);
  for (const Stopwatch watch; watch.seconds() < patienceSeconds;) {
    const int accepted = ::accept4(port.number(), nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) throw Error("nobody connected: " + lastProblem());
    const RetryingSocket socket(accepted);
    std::string token(tokenDigits, ' ');
    try {
      socket.receiveAll(token.data(), token.size());
    } catch (const Error&) {
      continue;
    }
    if (token != token_) continue;
    echo(socket);
    swallow(socket);
    return Json{{"received", true}}.dump();
  }
  throw Error("nobody who knows the token connected");
}

std::string LinkEnd::answer(const std::string& line) {
  const Json asked = Json::parse(line, nullptr, false);
  if (!asked.is_object()) return "";
  try {
    if (asked.contains("listen")) return listen(asked.at("listen"));
    if (asked.contains("receive")) return receive();
    if (asked.contains("send_to")) {
      return measured(asked.at("send_to"), asked.at("port"), asked.at("token")).dump();
    }
  } catch (const std::exception& error) {
    return Json{{"link_problem", error.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return "";
}

}  // namespace slipstream
