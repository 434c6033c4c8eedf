// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace slipstream::cli {

/// Prints where a run is going on: a line that cannot be printed is lost and nothing is thrown, since a run must
/// outlive whoever reads its lines. What stdout lost is told when the program ends.
template <class... Values>
void printLine(std::FILE* stream, fmt::format_string<Values...> form, Values&&... values) {
  const std::string text = fmt::format(form, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace slipstream::cli
