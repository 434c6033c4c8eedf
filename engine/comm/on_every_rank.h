// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

#include "engine/base/error.h"
#include "engine/comm/communicator.h"

namespace slipstream {

/// Whether it holds on every rank, so that all decide alike. Collective.
inline bool onEveryRank(bool here, Communicator& messages) {
  std::array<double, 1> missing{here ? 0.0 : 1.0};
  messages.allReduceMax(missing);
  return missing[0] == 0;
}

/// The library that ranks would have exchanged by does not begin, and every rank knows: they may exchange otherwise.
class NotJoined : public Error {
 public:
  using Error::Error;
};

/// Throws NotJoined on every rank where there is a problem on one of them (empty: there is none here), with that of the
/// first such rank. Collective.
inline void joinOrThrow(const std::string& problem, Communicator& messages) {
  std::array<double, 1> first{problem.empty() ? 0.0 : static_cast<double>(messages.size() - messages.rank())};
  messages.allReduceMax(first);
  if (first[0] == 0) return;
  constexpr std::size_t longest = 512;
  const int root = messages.size() - static_cast<int>(first[0]);
  std::string cause = "rank " + std::to_string(root) + ": " + problem;
  cause.resize(longest);
  messages.broadcast(std::as_writable_bytes(std::span(cause)), root);
  throw NotJoined(cause.c_str());  // without what fills it up
}

}  // namespace slipstream
