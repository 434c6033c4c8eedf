// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/hosts/host_session.h"

namespace slipstream {

/// A connection from one host to another, as the first one sees it.
struct HostLink {
  std::string from;
  std::string to;
  double latency = 0;    ///< seconds: half of the median round trip of one byte
  double bandwidth = 0;  ///< bytes a second, of one TCP connection
  std::string problem;   ///< why nothing could be measured; empty where it could
};

using HostPairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// The pairs of hosts to measure, in rounds in which each host is in one pair at most: every pair of up to 8 hosts; of
/// more only neighbours, between which the exchanges' rings send.
std::vector<HostPairs> roundsOfPairs(std::size_t hosts);

/// Measures the links of each round at once, a second a round. Sessions of a request with `measures`.
std::vector<HostLink> measureLinks(std::vector<std::unique_ptr<HostSession>>& sessions);

/// The host's side: answers one line of the conversation that measureLinks() has with it; empty where the line asks
/// for something else.
class LinkEnd {
 public:
  ~LinkEnd();
  std::string answer(const std::string& line);

 private:
  std::string listen(const std::string& address);
  std::string receive();

  int listening_ = -1;
  std::string token_;
};

}  // namespace slipstream
