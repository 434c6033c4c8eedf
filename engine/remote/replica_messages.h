// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "engine/base/failure.h"
#include "engine/store/replica.h"

namespace slipstream::replica {

/// Of what the two sides say to each other. Sides of different versions do not understand each other.
inline constexpr std::uint32_t version = 1;

/// The first word of whoever has copies.
struct Ask {
  std::uint32_t version = replica::version;
  std::map<std::string, std::string> positions;  ///< by run
};
/// The first word of whoever has the runs.
struct Answer {
  std::uint32_t version = replica::version;
  std::string storeId;
  std::string host;
  std::string program;  ///< its version, for people
};
struct Gone {
  std::string run;
};
/// Said every second, and when all is told.
struct Alive {
  bool allTold = false;
};
/// Why nothing more comes, for people.
struct Problem {
  std::string text;
};

using Message = std::variant<Ask, Answer, RunChange, Gone, Alive, Problem>;

std::string encode(const Message& message);
/// Fails where the bytes are no message.
Result<Message> decode(std::string_view bytes);

}  // namespace slipstream::replica
