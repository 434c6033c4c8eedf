// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/frame_channel.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/hash.h"

namespace slipstream {
namespace {

constexpr std::string_view firstLine = "slipstream frames 1\n";
constexpr std::size_t mostChatter = 64 << 10;
constexpr std::size_t headBytes = 2 * sizeof(std::uint32_t);
constexpr int mostWriteMilliseconds = 30'000;

std::uint32_t numberAt(const std::string& bytes, std::size_t place) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

std::uint32_t checksumOf(std::string_view content) {
  return crc32c(std::as_bytes(std::span(content.data(), content.size())));
}

/// A reader that has left is an error of this write and ends nobody. Of a pipe it is a signal all the same, which the
/// programs that write to pipes ignore.
ssize_t writeSome(int output, std::string_view bytes) {
  const auto sent = ::send(output, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? ::write(output, bytes.data(), bytes.size()) : sent;
}

}  // namespace

FrameChannel::FrameChannel(int input, int output) : input_(input), output_(output) {
  for (const int file : {input, output}) ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) | O_NONBLOCK);
  write(firstLine);
}

void FrameChannel::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = writeSome(output_, bytes);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) throw ChannelEnded("the connection ended");
    pollfd ready{output_, POLLOUT, 0};
    if (::poll(&ready, 1, mostWriteMilliseconds) == 0) throw ChannelEnded("the other side takes nothing for 30 s");
  }
}

void FrameChannel::send(const std::string& content) {
  if (content.size() > longestFrame) throw Error(fmt::format("a frame of {} bytes is too long", content.size()));
  std::string frame(headBytes, '\0');
  const auto length = static_cast<std::uint32_t>(content.size());
  const std::uint32_t sum = checksumOf(content);
  std::memcpy(frame.data(), &length, sizeof length);
  std::memcpy(frame.data() + sizeof length, &sum, sizeof sum);
  write(frame + content);
}

std::optional<std::string> FrameChannel::receive(std::chrono::milliseconds wait) {
  if (auto frame = takeFrame()) return frame;
  const auto until = std::chrono::steady_clock::now() + wait;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    const bool came = readSome(std::max(left, std::chrono::milliseconds{0}));
    if (auto frame = takeFrame()) return frame;
    if (!came && std::chrono::steady_clock::now() >= until) return std::nullopt;
  }
}

/// False where nothing has come.
bool FrameChannel::readSome(std::chrono::milliseconds wait) {
  pollfd ready{input_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(wait.count())) <= 0) return false;
  std::array<char, 65536> part{};
  const auto count = ::read(input_, part.data(), part.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (count <= 0) throw ChannelEnded("the connection ended");
  unread_.append(part.data(), static_cast<std::size_t>(count));
  return true;
}

/// Whether the first line has come; what is before it goes.
bool FrameChannel::skipChatter() {
  if (begun_) return true;
  const auto place = unread_.find(firstLine);
  if (place != std::string::npos) {
    unread_.erase(0, place + firstLine.size());
    return begun_ = true;
  }
  if (unread_.size() > firstLine.size()) {
    const std::size_t surplus = unread_.size() - firstLine.size();
    chatter_ += surplus;
    unread_.erase(0, surplus);
  }
  if (chatter_ > mostChatter) throw Error("what answers there is no slipstream of this kind");
  return false;
}

std::optional<std::string> FrameChannel::takeFrame() {
  if (!skipChatter() || unread_.size() < headBytes) return std::nullopt;
  const std::size_t length = numberAt(unread_, 0);
  if (length > longestFrame) throw Error(fmt::format("a frame of {} bytes has come, which is too long", length));
  if (unread_.size() < headBytes + length) return std::nullopt;
  std::string content = unread_.substr(headBytes, length);
  if (checksumOf(content) != numberAt(unread_, sizeof(std::uint32_t))) {
    throw Error("what has come is damaged: its checksum does not hold");
  }
  unread_.erase(0, headBytes + length);
  return content;
}

}  // namespace slipstream
