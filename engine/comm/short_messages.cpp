// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/short_messages.h"

#include <algorithm>
#include <deque>

namespace slipstream {
namespace {

/// Message `number` of every part; nothing where a part has no more.
template <class Byte>
std::vector<std::span<Byte>> messagesOf(std::span<const std::span<Byte>> parts, std::size_t number) {
  std::vector<std::span<Byte>> messages;
  for (const std::span<Byte> part : parts) {
    const std::size_t begin = std::min(number * shortMessageBytes, part.size());
    messages.push_back(part.subspan(begin, std::min(shortMessageBytes, part.size() - begin)));
  }
  return messages;
}

}  // namespace

void exchangeShort(Communicator& group, std::span<const std::span<const std::byte>> out,
                   std::span<const std::span<std::byte>> in, std::size_t longest) {
  const std::size_t others = std::max<std::size_t>(1, out.size() - 1);
  const std::size_t ahead = std::max<std::size_t>(4, shortMessagesAhead / (shortMessageBytes * others));
  std::deque<std::unique_ptr<Request>> underWay;
  for (std::size_t number = 0; number * shortMessageBytes < longest; ++number) {
    if (underWay.size() == ahead) {
      underWay.front()->wait();
      underWay.pop_front();
    }
    underWay.push_back(group.startExchange(messagesOf(out, number), messagesOf(in, number)));
  }
  for (const auto& request : underWay) request->wait();
}

std::vector<std::unique_ptr<Request>> startShort(Communicator& group, std::span<const std::span<const std::byte>> out,
                                                 std::span<const std::span<std::byte>> in, std::size_t longest) {
  std::vector<std::unique_ptr<Request>> started;
  for (std::size_t number = 0; number * shortMessageBytes < longest; ++number) {
    started.push_back(group.startExchange(messagesOf(out, number), messagesOf(in, number)));
  }
  return started;
}

}  // namespace slipstream
