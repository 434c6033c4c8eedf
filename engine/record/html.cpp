// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "engine/record/run_colours.h"

namespace slipstream {

std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        // Control characters are not allowed in a page.
        if (static_cast<unsigned char>(letter) >= 32 || letter == '\n' || letter == '\t') safe += letter;
    }
  }
  return safe;
}

std::string numberCell(std::string_view text, std::string_view more) {
  return fmt::format("<td class=\"number{}\">{}</td>", more, escaped(text));
}

std::string_view runColour(int slot) {
  constexpr std::array<std::string_view, runColourCount> colours{"#4B72D8", "#995308", "#E4657F", "#9F8206", "#31A2B1",
                                                                 "#C1436E", "#9F81F3", "#07754F", "#7873A5", "#7E4EAB"};
  return colours[static_cast<std::size_t>(slot) % colours.size()];
}

std::string_view runDashes(int slot) {
  constexpr std::array<std::string_view, runDashCount> dashes{"", "6 3", "2 2", "8 2 2 2", "2 5", "5 5"};
  return dashes[static_cast<std::size_t>(slot / runColourCount) % dashes.size()];
}

std::string mapColour(double value) {
  constexpr std::array<std::uint32_t, 7> stops{0x1B1E4B, 0x1F3F7A, 0x1F6690, 0x2C8C93, 0x5BB085, 0xA9CF74, 0xF4E58C};
  const double position = std::clamp(value, 0.0, 1.0) * (stops.size() - 1);
  const auto lower = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double share = position - static_cast<double>(lower);
  const auto channel = [&](unsigned shift) {
    const double a = (stops[lower] >> shift) & 255U;
    const double b = (stops[lower + 1] >> shift) & 255U;
    return static_cast<int>(std::lround(a + share * (b - a)));
  };
  return fmt::format("#{:02X}{:02X}{:02X}", channel(16), channel(8), channel(0));
}

}  // namespace slipstream
