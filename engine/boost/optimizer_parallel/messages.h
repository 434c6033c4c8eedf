// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/comm/short_messages.h"

namespace slipstream {

/// What one rank sends to and receives from every other in one started exchange; empty until it is filled in.
struct Letters {
  explicit Letters(int ranks) : out(static_cast<std::size_t>(ranks)), in(static_cast<std::size_t>(ranks)) {}

  void send(int rank, std::span<const float> values) { out[static_cast<std::size_t>(rank)] = std::as_bytes(values); }
  void receive(int rank, std::span<float> values) {
    in[static_cast<std::size_t>(rank)] = std::as_writable_bytes(values);
  }
  std::unique_ptr<Request> start(Communicator& communicator) const { return communicator.startExchange(out, in); }
  /// Between hosts; `longest`: elements that any rank of the group sends to another.
  void startBetweenHosts(Communicator& communicator, std::int64_t longest,
                         std::vector<std::unique_ptr<Request>>& requests) const {
    auto started = startShort(communicator, out, in, static_cast<std::size_t>(longest) * sizeof(float));
    std::ranges::move(started, std::back_inserter(requests));
  }

  std::vector<std::span<const std::byte>> out;
  std::vector<std::span<std::byte>> in;
};

inline void waitForAll(std::vector<std::unique_ptr<Request>>& requests) {
  for (const auto& request : requests) request->wait();
  requests.clear();
}

}  // namespace slipstream
