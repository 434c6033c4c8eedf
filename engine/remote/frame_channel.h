// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/error.h"

namespace slipstream {

/// The other side has gone, or the connection to it.
class ChannelEnded : public Error {
 public:
  using Error::Error;
};

/// Frames over a byte stream in both directions: a first line, then length (4 bytes), CRC-32C (4) and content of each.
/// Whatever a login script prints before the first line is passed over. What is no frame of ours, or too long, throws
/// Error: the stream cannot be used any more.
class FrameChannel {
 public:
  static constexpr std::size_t longestFrame = std::size_t{32} << 20;

  /// The two may be the same; they stay whoever's they are. Both are made not to wait.
  FrameChannel(int input, int output);

  /// Throws ChannelEnded where the other side takes nothing for half a minute.
  void send(const std::string& content);
  /// The next frame; nothing where none comes within `wait`.
  std::optional<std::string> receive(std::chrono::milliseconds wait);

 private:
  void write(std::string_view bytes);
  std::optional<std::string> takeFrame();
  bool readSome(std::chrono::milliseconds wait);
  bool skipChatter();

  int input_;
  int output_;
  std::string unread_;
  std::size_t chatter_ = 0;
  bool begun_ = false;  ///< the first line of the other side has come
};

}  // namespace slipstream
