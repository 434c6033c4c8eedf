// SPDX-License-Identifier: GPL-3.0-or-later
// The document as one page whose markup an XML reader can follow, and drawings as SVG in the colours of the page.
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/document/drawing.h"
#include "engine/document/report_resources.h"

namespace slipstream {
namespace {

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

/// At most one decimal: "40", "466.5".
std::string pixels(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

/// The class that the style sheet gives a colour to.
std::string_view classOf(Ink ink) {
  switch (ink) {
    case Ink::grid:
      return "grid";
    case Ink::axis:
      return "axis";
    case Ink::border:
      return "border";
    case Ink::target:
      return "target";
    case Ink::control:
      return "zero";
    case Ink::text:
      return "mark";
    case Ink::good:
      return "good";
    case Ink::bad:
      return "bad";
    case Ink::costs:
      return "costs";
    case Ink::second:
      return "quiet";
    default:
      return "";
  }
}

struct SvgPainter {
  std::string& svg;

  void operator()(const DrawnPath& path) const {
    std::string data;
    for (const auto& line : path.lines) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        data += (i == 0 ? "M" : "L") + pixels(line[i].x) + " " + pixels(line[i].y);
      }
      if (path.fill != Ink::none) data += "Z";
    }
    const Ink ink = path.fill == Ink::none ? path.stroke : path.fill;
    const std::string_view name = path.raw ? "raw" : classOf(ink);
    svg += fmt::format("<path{} d=\"{}\"", name.empty() ? "" : fmt::format(" class=\"{}\"", name), data);
    if (path.fill == Ink::none) svg += " fill=\"none\"";
    if (path.fill == Ink::series) svg += fmt::format(" fill=\"{}\"", path.colour);
    if (path.fill != Ink::none) svg += " stroke=\"none\"";
    if (path.stroke == Ink::series) svg += fmt::format(" stroke=\"{}\"", path.colour);
    if (path.width != 1) svg += fmt::format(" stroke-width=\"{}\" stroke-linejoin=\"round\"", pixels(path.width));
    if (!path.dashes.empty()) svg += fmt::format(" stroke-dasharray=\"{}\"", path.dashes);
    if (path.opacity != 1 && !path.raw) svg += fmt::format(" opacity=\"{}\"", path.opacity);
    svg += "/>";
  }
  void operator()(const DrawnBox& box) const {
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", pixels(box.x), pixels(box.y),
                       pixels(box.width), pixels(box.height), box.colour);
  }
  void operator()(const DrawnDot& dot) const {
    svg += fmt::format("<circle class=\"ring\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>", pixels(dot.at.x),
                       pixels(dot.at.y), pixels(dot.radius), dot.colour);
  }
  void operator()(const DrawnText& text) const {
    constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    constexpr double usualSize = 11;
    svg += fmt::format("<text{} x=\"{}\" y=\"{}\"{}{}{}>{}</text>", text.ink == Ink::text ? " class=\"label\"" : "",
                       pixels(text.at.x), pixels(text.at.y), anchors[static_cast<std::size_t>(text.anchor)],
                       text.size == usualSize ? "" : fmt::format(" font-size=\"{}\"", pixels(text.size)),
                       text.font == Font::strong ? " font-weight=\"600\"" : "", escaped(text.text));
  }
};

std::string_view classOf(Tone tone) {
  constexpr std::string_view names[] = {"", "strong", "quiet", "good", "bad", "costs", "lost"};
  return names[static_cast<std::size_t>(tone)];
}

std::string swatch(std::string_view colour) {
  return fmt::format("<span class=\"swatch\" style=\"background:{}\"></span>", colour);
}

std::string swatchOf(const std::optional<int>& slot) {
  return slot ? swatch(runColour(*slot)) : "";
}

/// The icon drawn at 18 pixels.
std::string icon() {
  std::string svg(reportIcon);
  svg.replace(svg.find("<svg"), 4, "<svg width=\"18\" height=\"18\"");
  return svg;
}

class HtmlPage {
 public:
  explicit HtmlPage(Language language) : language_(language) {}

  std::string of(const ReportDocument& document) {
    for (const Block& block : document.blocks) {
      const auto* figure = std::get_if<Figure>(&block);
      showCharts(figure != nullptr && std::holds_alternative<ChartModel>(figure->image));
      std::visit(*this, block);
    }
    showCharts(false);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"/>"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{}</title><style>\n{}</style>"
        "</head>\n<body><main><header class=\"brand\">{}{}<span class=\"mark\">{}</span></header>\n{}\n"
        "</main></body></html>\n",
        language_ == Language::chinese ? "zh-CN" : "en", words(document.title), reportStyle, icon(),
        words(phrase("Slipstream report")), words(document.mark), body_);
  }

  void operator()(const Heading& heading) {
    body_ += fmt::format("<h{0}>{1}{2}</h{0}>", heading.level, swatchOf(heading.swatch), words(heading.text));
  }
  void operator()(const Paragraph& paragraph) {
    constexpr std::string_view names[] = {" class=\"lead\"", "", " class=\"caption\"", " class=\"remark\""};
    body_ += fmt::format("<p{}>{}</p>", names[static_cast<std::size_t>(paragraph.role)], emphasized(paragraph.text));
  }
  void operator()(const KeyValues& values) {
    body_ += "<dl class=\"facts\">";
    for (const auto& [name, value] : values.rows) {
      body_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", words(name), words(value));
    }
    body_ += "</dl>";
  }
  void operator()(const Listing& listing) {
    const char* pattern = listing.command ? "<p><code>{}</code></p>" : "<pre>{}</pre>";
    body_ += fmt::format(fmt::runtime(pattern), escaped(listing.text));
  }
  void operator()(const Legend& legend) {
    body_ += "<div class=\"legend\">";
    for (const auto& [colour, text] : legend.entries) {
      body_ += fmt::format("<span><i style=\"background:{}\"></i>{}</span>", colour, words(text));
    }
    body_ += "</div>";
  }
  void operator()(const Figure& figure) {
    body_ += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>",
                         toSvg(drawingOf(figure, FigureSize(), language_)), emphasized(captions_.of(figure)));
  }
  void operator()(const Table& table) {
    body_ += "<div class=\"scroll\"><table>";
    const Text caption = captions_.of(table);
    if (!caption.empty()) body_ += fmt::format("<caption>{}</caption>", emphasized(caption));
    addHeader(table);
    body_ += "<tbody>";
    for (const std::vector<Cell>& row : table.rows) {
      body_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) addCell(row[i], table.columns[i]);
      body_ += "</tr>";
    }
    body_ += "</tbody></table></div>";
  }

 private:
  std::string words(const Text& text) const { return escaped(text.in(language_)); }

  /// The words; strong ones that follow each other are one element.
  std::string emphasized(const Text& text) const {
    std::string body;
    bool strong = false;
    for (const Span& span : text.spans(language_)) {
      if (span.strong != strong) body += span.strong ? "<strong>" : "</strong>";
      strong = span.strong;
      body += escaped(span.words);
    }
    return strong ? body + "</strong>" : body;
  }

  /// Charts that follow each other are beside each other where there is room.
  void showCharts(bool begun) {
    if (begun != charts_) body_ += begun ? "<div class=\"charts\">" : "</div>";
    charts_ = begun;
  }

  void addHeader(const Table& table) {
    std::string cells;
    bool titled = false;
    for (const Column& column : table.columns) {
      titled = titled || !column.title.empty();
      cells +=
          fmt::format("<th{}>{}{}{}</th>", column.number ? " class=\"number\"" : "",
                      column.colour.empty() ? "" : swatch(column.colour), swatchOf(column.swatch), words(column.title));
    }
    if (titled) body_ += "<thead><tr>" + cells + "</tr></thead>";
  }

  static std::string classesOf(const Cell& cell, const Column& column) {
    std::vector<std::string> classes;
    if (column.number) classes.emplace_back("number");
    if (column.prose) classes.emplace_back("text");
    if (cell.interval) classes.emplace_back("interval");
    if (cell.verdict || cell.sign) classes.emplace_back("verdict");
    if (cell.tone != Tone::plain) classes.emplace_back(classOf(cell.tone));
    return classes.empty() ? "" : fmt::format(" class=\"{}\"", join(classes, " "));
  }

  void addCell(const Cell& cell, const Column& column) {
    constexpr double intervalWidth = 130;
    body_ += "<td" + classesOf(cell, column) + ">" + swatchOf(cell.swatch);
    if (cell.interval) body_ += toSvg(drawingOf(*cell.interval, intervalWidth));
    if (cell.verdict) body_ += toSvg(drawingOf(*cell.verdict));
    if (cell.sign) body_ += toSvg(drawingOf(*cell.sign));
    std::string text = words(cell.text);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "<br/>");
    body_ += text;
    if (!cell.note.empty()) body_ += fmt::format(" <span class=\"quiet\">({})</span>", words(cell.note));
    body_ += "</td>";
  }

  Language language_;
  std::string body_;
  bool charts_ = false;
  Captions captions_;
};

}  // namespace

std::string toSvg(const Drawing& drawing) {
  return fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">{2}</svg>",
                     pixels(drawing.width), pixels(drawing.height), svgMarks(drawing));
}

std::string svgMarks(const Drawing& drawing) {
  std::string svg;
  for (const Mark& mark : drawing.marks) std::visit(SvgPainter{svg}, mark);
  return svg;
}

std::string toHtml(const ReportDocument& document, Language language) {
  return HtmlPage(language).of(document);
}

}  // namespace slipstream
