// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing as a file of its own: on paper there is one theme, and no page gives it colours.
#include <utility>

#include <fmt/format.h>

#include "engine/document/drawing.h"

namespace slipstream {
namespace {

/// What the classes of svgMarks look like in print.
std::string printStyle() {
  constexpr std::pair<std::string_view, Ink> strokes[] = {
      {"grid", Ink::grid},   {"axis", Ink::axis},     {"zero", Ink::control}, {"border", Ink::border},
      {"mark", Ink::text},   {"target", Ink::target}, {"good", Ink::good},    {"bad", Ink::bad},
      {"costs", Ink::costs}, {"quiet", Ink::second}};
  std::string style = fmt::format("text{{fill:{}}}text.label,.mark{{fill:{}}}.raw{{opacity:0.3}}.ring{{stroke:{}}}",
                                  printColour(Ink::second), printColour(Ink::text), printColour(Ink::base));
  for (const auto& [name, ink] : strokes) style += fmt::format(".{}{{stroke:{}}}", name, printColour(ink));
  return style;
}

}  // namespace

std::string toSvgFile(const Drawing& drawing) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}pt\" height=\"{1:g}pt\" "
      "font-family=\"'Liberation Sans', Arial, Helvetica, 'WenQuanYi Micro Hei', sans-serif\" font-size=\"11px\">"
      "<style>{2}</style>{3}</svg>\n",
      drawing.width, drawing.height, printStyle(), svgMarks(drawing));
}

}  // namespace slipstream
