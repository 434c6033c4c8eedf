// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/page_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/document/paragraph_lines.h"
#include "engine/document/pdf_file.h"

namespace slipstream {
namespace {

constexpr double margin = 42, footHeight = 18;
constexpr double bodySize = 9.5, smallSize = 8, tableSize = 8, leastTableSize = 6;
constexpr double lineHeight = 1.4;  ///< of the size
constexpr double cellPadding = 5, rowPadding = 3, swatchWidth = 11, swatchRoom = 15, signRoom = 12;
constexpr double intervalWidth = 84, intervalHeight = 18;
constexpr double figureFont = 7.5;

/// What a cell shows, in the size of its table.
struct TableFont {
  double size = tableSize;
  double line() const { return lineHeight * size; }
};

class PageLayout {
 public:
  PageLayout(Language language, const SheetSize& size) : language_(language), size_(size) { startPage(); }

  std::vector<Drawing> pages(const ReportDocument& document) {
    addLine(phrase("Slipstream report").in(language_), smallSize, Font::regular, Ink::second);
    for (const Block& block : document.blocks) std::visit(*this, block);
    if (size_.endless) pages_.back().height = y_ + margin;
    for (std::size_t i = 0; i < pages_.size() && !size_.endless; ++i) {
      const Text number = phrase("page {} of {}", {std::to_string(i + 1), std::to_string(pages_.size())});
      pages_[i].add(DrawnText{
          {size_.width - margin, size_.height - margin + footHeight}, number.in(language_), smallSize, Anchor::end});
    }
    return std::move(pages_);
  }

  void operator()(const Heading& heading) {
    constexpr double sizes[] = {20, 13.5, 10.5};
    constexpr double gaps[] = {10, 18, 10};
    constexpr double following = 60;  ///< what comes next begins on the same page
    const auto level = static_cast<std::size_t>(std::clamp(heading.level, 1, 3) - 1);
    skip(gaps[level]);
    const auto lines = linesOf(heading.text, sizes[level], width() - swatchRoom, true);
    const double height = lineHeight * sizes[level] * static_cast<double>(lines.size());
    const double top = take(height, following);
    double left = margin;
    if (heading.swatch) {
      addSwatch({left, top + height / 2}, runColour(*heading.swatch));
      left += swatchRoom;
    }
    drawLines(lines, {left, top}, sizes[level], Ink::text);
    skip(3);
  }

  void operator()(const Paragraph& paragraph) {
    const bool lead = paragraph.role == Paragraph::Role::lead, remark = paragraph.role == Paragraph::Role::remark;
    const bool small = paragraph.role == Paragraph::Role::caption;
    const double size = lead ? bodySize + 1 : small ? smallSize : bodySize;
    const double inset = remark ? 6 : 0;
    skip(4);
    const auto lines = linesOf(paragraph.text, size, width() - 2 * inset);
    const double height = lineHeight * size * static_cast<double>(lines.size()) + 2 * inset;
    const double top = take(height);
    if (remark) page().add(DrawnBox{margin, top, width(), height, Ink::tint});
    drawLines(lines, {margin + inset, top + inset}, size, small ? Ink::second : Ink::text);
  }

  /// Names in small above their values, in as many columns as short values allow.
  void operator()(const KeyValues& values) {
    constexpr std::size_t columns = 2;
    const double room = width() / columns;
    skip(6);
    for (std::size_t first = 0; first < values.rows.size(); first += columns) {
      std::size_t most = 1;
      std::vector<std::vector<TextLine>> cells;
      for (std::size_t i = first; i < std::min(first + columns, values.rows.size()); ++i) {
        cells.push_back(linesOf(values.rows[i].second, bodySize, room - 12));
        most = std::max(most, cells.back().size());
      }
      const double top = take(lineHeight * (smallSize + bodySize * static_cast<double>(most)) + 5);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const double left = margin + room * static_cast<double>(i);
        drawWords(values.rows[first + i].first.in(language_), {left, top}, smallSize, Font::regular, Ink::second);
        drawLines(cells[i], {left, top + lineHeight * smallSize}, bodySize, Ink::text);
      }
    }
  }

  void operator()(const Listing& listing) {
    constexpr double inset = 6, size = smallSize - 0.5;
    skip(5);
    bool first = true;
    const auto lines = listingLines(listing.text, size, width() - 2 * inset);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool last = i + 1 == lines.size();
      const double above = first ? inset / 2 : 0, under = last ? inset / 2 : 0;
      const double height = lineHeight * size + above + under;
      const double top = take(height);
      page().add(DrawnBox{margin, top, width(), height + 0.2, Ink::shade});
      drawWords(lines[i], {margin + inset, top + above}, size, Font::fixed, Ink::text);
      first = false;
    }
  }

  void operator()(const Legend& legend) {
    constexpr double box = 7, gap = 14;
    skip(4);
    double left = margin, top = take(lineHeight * smallSize, intervalHeight);
    for (const auto& [colour, text] : legend.entries) {
      const std::string words = text.in(language_);
      const double needed = box + 4 + textWidth(words, smallSize) + gap;
      if (left + needed > margin + width() && left > margin) {
        left = margin;
        top = take(lineHeight * smallSize);
      }
      page().add(DrawnBox{left, top + 2, box, box, Ink::series, std::string(colour)});
      drawWords(words, {left + box + 4, top}, smallSize, Font::regular, Ink::second);
      left += needed;
    }
  }

  void operator()(const Figure& figure) {
    const FigureSize size{.width = width(), .chartWidth = width(), .chartHeight = 188, .font = figureFont};
    const Drawing drawing = drawingOf(figure, size, language_);
    const Text caption = joined({strong(phrase("Figure {}.", {std::to_string(++figures_)})), figure.caption}, " ");
    const auto lines = linesOf(caption, smallSize, width());
    const double captionHeight = lineHeight * smallSize * static_cast<double>(lines.size()) + 4;
    const double most = size_.height - 2 * margin - footHeight - captionHeight;
    const double scale = size_.endless ? 1 : std::min(1.0, most / drawing.height);
    skip(6);
    const double top = take(scale * drawing.height + captionHeight);
    page().place(drawing, {margin, top}, scale);
    drawLines(lines, {margin, top + scale * drawing.height + 2}, smallSize, Ink::second);
  }

  void operator()(const Table& table) {
    const TableFont font = fontOf(table);
    const std::vector<double> widths = columnWidths(table, font);
    skip(8);
    if (!table.caption.empty()) {
      const Text caption = joined({strong(phrase("Table {}.", {std::to_string(++tables_)})), table.caption}, " ");
      const auto lines = linesOf(caption, smallSize, width());
      const double height = lineHeight * smallSize * static_cast<double>(lines.size()) + 2;
      drawLines(lines, {margin, take(height, 50)}, smallSize, Ink::second);
    }
    const double header = headerHeight(table, widths, font);
    if (header > 0) addHeader(table, widths, font, take(header, 2 * font.line()));
    for (const std::vector<Cell>& row : table.rows) {
      const double height = rowHeight(table, row, widths, font);
      if (needsPage(height)) {
        startPage();
        if (header > 0) addHeader(table, widths, font, take(header));
      }
      addRow(table, row, widths, font, take(height), height);
    }
  }

 private:
  double width() const { return size_.width - 2 * margin; }
  double bottom() const { return size_.height - margin - footHeight; }
  Drawing& page() { return pages_.back(); }

  void startPage() {
    pages_.push_back({size_.width, size_.height});
    y_ = margin;
    if (size_.endless) page().add(DrawnBox{0, 0, size_.width, 1e5, Ink::base});
  }
  bool needsPage(double height) const { return !size_.endless && y_ > margin && y_ + height > bottom(); }

  /// Room of this height; on the next page where this one has too little for it and what follows.
  double take(double height, double following = 0) {
    if (needsPage(height + following)) startPage();
    const double top = y_;
    y_ += height;
    return top;
  }
  void skip(double height) {
    if (y_ > margin) y_ += height;
  }

  std::vector<TextLine> linesOf(const Text& text, double size, double room, bool strong = false,
                                bool wholeWords = false) const {
    return wrapped(text.spans(language_), size, room, strong, wholeWords);
  }

  void drawWords(const std::string& words, const Point& corner, double size, Font font, Ink ink) {
    page().add(DrawnText{{corner.x, corner.y + size * 1.05}, words, size, Anchor::start, ink, font});
  }
  void drawLines(const std::vector<TextLine>& lines, Point corner, double size, Ink ink) {
    for (const TextLine& line : lines) {
      double left = corner.x;
      for (const Span& span : line.spans) {
        const Font font = span.strong ? Font::strong : Font::regular;
        drawWords(span.words, {left, corner.y}, size, font, ink);
        left += textWidth(span.words, size, font);
      }
      corner.y += lineHeight * size;
    }
  }
  void addLine(const std::string& words, double size, Font font, Ink ink) {
    drawWords(words, {margin, take(lineHeight * size)}, size, font, ink);
  }
  void addSwatch(const Point& at, std::string_view colour) {
    page().add(DrawnBox{at.x, at.y - 1.5, swatchWidth, 3, Ink::series, std::string(colour)});
  }

  std::string wordsOf(const Cell& cell) const {
    const std::string note = cell.note.in(language_);
    return cell.text.in(language_) + (note.empty() ? "" : " (" + note + ")");
  }
  static Font fontOf(const Cell& cell) { return cell.tone == Tone::strong ? Font::strong : Font::regular; }
  static double shapesWidth(const Cell& cell) {
    return (cell.swatch ? swatchRoom : 0) + (cell.verdict ? signRoom : 0) + (cell.interval ? intervalWidth : 0);
  }
  /// What a column needs so that no word is torn apart, and what lets everything be on one line.
  struct ColumnNeed {
    double least = 0, whole = 0;
    void include(const std::vector<TextLine>& lines, double& side) const {
      for (const TextLine& line : lines) side = std::max(side, line.width);
    }
  };

  ColumnNeed needOf(const Table& table, std::size_t index, const TableFont& font) const {
    const Column& column = table.columns[index];
    const double swatch = column.swatch || !column.colour.empty() ? swatchRoom : 0;
    const double padding = 2 * cellPadding + 0.5, longestWord = 16 * font.size;
    ColumnNeed need;
    const auto include = [&](const Text& text, double shapes, bool bold, bool breaks) {
      double whole = 0, least = 0;
      need.include(linesOf(text, font.size, 1e6, bold), whole);
      if (breaks) need.include(linesOf(text, font.size, 1, bold, true), least);
      need.whole = std::max(need.whole, whole + shapes + padding);
      need.least = std::max(need.least, (breaks ? std::min(least, longestWord) : whole) + shapes + padding);
    };
    include(column.title, swatch, true, true);
    need.whole = std::min(need.whole, std::max(need.least, 11 * font.size));  // long titles wrap
    for (const std::vector<Cell>& row : table.rows) {
      include(Text(wordsOf(row[index])), shapesWidth(row[index]), fontOf(row[index]) == Font::strong, !column.number);
    }
    return need;
  }

  /// As large as leaves no word torn apart.
  TableFont fontOf(const Table& table) const {
    TableFont font;
    for (; font.size > leastTableSize; font.size -= 0.5) {
      double least = 0;
      for (std::size_t i = 0; i < table.columns.size(); ++i) least += needOf(table, i, font).least;
      if (least <= width()) break;
    }
    return font;
  }

  /// Every column as wide as what is in it; where that is too much, in proportion between the least and the whole.
  std::vector<double> columnWidths(const Table& table, const TableFont& font) const {
    std::vector<ColumnNeed> needs;
    double least = 0, whole = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      needs.push_back(needOf(table, i, font));
      least += needs.back().least;
      whole += needs.back().whole;
    }
    const double share = whole > least ? std::clamp((width() - least) / (whole - least), 0.0, 1.0) : 0;
    std::vector<double> widths;
    for (const ColumnNeed& need : needs) widths.push_back(need.least + share * (need.whole - need.least));
    const double sum = std::accumulate(widths.begin(), widths.end(), 0.0);
    if (sum < width()) widths.front() += width() - sum;
    for (double scale = std::min(1.0, width() / sum); double& one : widths) one *= scale;
    return widths;
  }

  std::vector<TextLine> cellLines(const Cell& cell, double room, const TableFont& font) const {
    const double inner = room - 2 * cellPadding - shapesWidth(cell);
    return linesOf(Text(wordsOf(cell)), font.size, std::max(inner, 2 * font.size), fontOf(cell) == Font::strong);
  }
  std::vector<TextLine> titleLines(const Column& column, double room, const TableFont& font) const {
    const double shapes = column.swatch || !column.colour.empty() ? swatchRoom : 0;
    return linesOf(column.title, font.size, std::max(room - 2 * cellPadding - shapes, 2 * font.size), true);
  }

  double headerHeight(const Table& table, const std::vector<double>& widths, const TableFont& font) const {
    std::size_t most = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (!table.columns[i].title.empty()) most = std::max(most, titleLines(table.columns[i], widths[i], font).size());
    }
    return most == 0 ? 0 : static_cast<double>(most) * font.line() + 2 * rowPadding;
  }
  double rowHeight(const Table& table, const std::vector<Cell>& row, const std::vector<double>& widths,
                   const TableFont& font) const {
    std::size_t most = 1;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      most = std::max(most, cellLines(row[i], widths[i], font).size());
    }
    return static_cast<double>(most) * font.line() + 2 * rowPadding;
  }

  void addHeader(const Table& table, const std::vector<double>& widths, const TableFont& font, double top) {
    const double height = headerHeight(table, widths, font);
    page().add(DrawnBox{margin, top, width(), height, Ink::header});
    double left = margin;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Column& column = table.columns[i];
      const auto lines = titleLines(column, widths[i], font);
      double y = top + height - rowPadding - font.line() * static_cast<double>(lines.size());
      const std::string_view colour = column.swatch ? runColour(*column.swatch) : column.colour;
      for (const TextLine& line : lines) {
        double x = column.number ? left + widths[i] - cellPadding - line.width : left + cellPadding;
        if (!colour.empty() && &line == &lines.front()) {
          if (!column.number) x += swatchRoom;
          addSwatch({x - swatchRoom, y + font.line() / 2}, colour);
        }
        drawLines({line}, {x, y}, font.size, Ink::second);
        y += font.line();
      }
      left += widths[i];
    }
  }

  static Ink inkOf(Tone tone) {
    constexpr Ink inks[] = {Ink::text, Ink::text, Ink::second, Ink::good, Ink::bad, Ink::costs, Ink::lost};
    return inks[static_cast<std::size_t>(tone)];
  }

  void addRow(const Table& table, const std::vector<Cell>& row, const std::vector<double>& widths,
              const TableFont& font, double top, double height) {
    double left = margin;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Cell& cell = row[i];
      double x = left + cellPadding;
      const double middle = top + rowPadding + font.line() / 2;
      if (cell.swatch) addSwatch({x, middle}, runColour(*cell.swatch));
      if (cell.verdict) page().place(drawingOf(*cell.verdict), {x, middle - 4}, 0.8);
      if (cell.interval) {
        page().place(drawingOf(*cell.interval, intervalWidth / 0.8), {x, middle - 0.4 * intervalHeight}, 0.8);
      }
      x += shapesWidth(cell);
      double y = top + rowPadding;
      for (const TextLine& line : cellLines(cell, widths[i], font)) {
        drawLines({line}, {table.columns[i].number ? left + widths[i] - cellPadding - line.width : x, y}, font.size,
                  inkOf(cell.tone));
        y += font.line();
      }
      left += widths[i];
    }
    page().add(DrawnPath{
        .lines = {{{margin, top + height}, {margin + width(), top + height}}}, .stroke = Ink::hairline, .width = 0.5});
  }

  Language language_;
  SheetSize size_;
  std::vector<Drawing> pages_;
  double y_ = 0;
  int figures_ = 0, tables_ = 0;
};

}  // namespace

std::vector<Drawing> layOutPages(const ReportDocument& document, Language language, const SheetSize& size) {
  return PageLayout(language, size).pages(document);
}

Result<std::string> toPdf(const ReportDocument& document, Language language) {
  PdfFile file(document.title.in(language), language);
  for (const Drawing& page : layOutPages(document, language)) SLIPSTREAM_CHECK(file.addPage(page));
  return file.finish();
}

}  // namespace slipstream
