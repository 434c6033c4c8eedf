// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/page_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/document/paragraph_lines.h"
#include "engine/document/pdf_file.h"

namespace slipstream {
namespace {

constexpr double margin = 42, footHeight = 18;
constexpr double bodySize = 9.5, smallSize = 8, tableSize = 8, leastTableSize = 7.5;
constexpr double lineHeight = 1.4;  ///< of the size
constexpr double widePadding = 5, leastPadding = 2, rowPadding = 3, swatchWidth = 11, swatchRoom = 15, signRoom = 12;
constexpr double intervalWidth = 84, intervalHeight = 18;
constexpr double figureFont = 7.5, chartHeight = 188, pairGap = 18;
constexpr double outerRule = 0.9, innerRule = 0.5;

/// What a cell shows, in the size of its table.
struct TableFont {
  double size = tableSize;
  double padding = widePadding;  ///< left and right of it
  double line() const { return lineHeight * size; }
};

class PageLayout {
 public:
  PageLayout(Language language, const SheetSize& size) : language_(language), size_(size) { startPage(); }

  std::vector<Drawing> pages(const ReportDocument& document) {
    addFirstLine(document.mark);
    blocks_ = &document.blocks;
    for (std::size_t i = 0; i < document.blocks.size(); ++i) {
      if (const auto pair = chartsBesideEachOther(document.blocks, i)) {
        addPair(*pair->first, *pair->second);
        ++i;
      } else {
        index_ = i;
        std::visit(*this, document.blocks[i]);
      }
    }
    if (size_.endless) pages_.back().height = y_ + margin;
    for (std::size_t i = 0; i < pages_.size() && !size_.endless; ++i) {
      const Text number = phrase("page {} of {}", {std::to_string(i + 1), std::to_string(pages_.size())});
      pages_[i].add(DrawnText{
          {size_.width - margin, size_.height - margin + footHeight}, number.in(language_), smallSize, Anchor::end});
      pages_[i].add(DrawnText{
          {margin, size_.height - margin + footHeight}, phrase("Made with Slipstream").in(language_), smallSize});
    }
    return std::move(pages_);
  }

  void operator()(const Heading& heading) {
    constexpr double sizes[] = {20, 13.5, 10.5};
    constexpr double gaps[] = {10, 18, 10};
    const auto level = static_cast<std::size_t>(std::clamp(heading.level, 1, 3) - 1);
    skip(gaps[level]);
    const auto lines = linesOf(heading.text, sizes[level], width() - swatchRoom, true);
    const double height = lineHeight * sizes[level] * static_cast<double>(lines.size());
    const double top = take(height, roomBehind(index_));
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
    const Ink ink = small ? Ink::second : Ink::text;
    if (!remark) return flowLines(lines, size, ink);
    const double height = lineHeight * size * static_cast<double>(lines.size()) + 2 * inset;
    const double top = take(height);
    page().add(DrawnBox{margin, top, width(), height, Ink::tint});
    drawLines(lines, {margin + inset, top + inset}, size, ink);
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
    const CaptionedDrawing drawn = captioned(figure, width());
    const double most = size_.height - 2 * margin - footHeight - drawn.captionHeight();
    const double scale = size_.endless ? 1 : std::min(1.0, most / drawn.drawing.height);
    skip(6);
    const double top = take(scale * drawn.drawing.height + drawn.captionHeight());
    page().place(drawn.drawing, {margin, top}, scale);
    drawLines(drawn.caption, {margin, top + scale * drawn.drawing.height + 2}, smallSize, Ink::second);
  }

  void operator()(const Table& table) {
    const TableFont font = fontOf(table);
    const std::vector<double> widths = columnWidths(table, font);
    skip(12);
    if (const Text caption = captions_.of(table); !caption.empty()) {
      const auto lines = linesOf(caption, smallSize, width());
      const double height = lineHeight * smallSize * static_cast<double>(lines.size()) + 2;
      drawLines(lines, {margin, take(height, 50)}, smallSize, Ink::second);
    }
    const double header = headerHeight(table, widths, font);
    addHeader(table, widths, font, take(header, 2 * font.line()));
    for (const std::vector<Cell>& row : table.rows) {
      const double height = rowHeight(table, row, widths, font);
      if (needsPage(height)) {
        addRule(y_, outerRule);
        startPage();
        addHeader(table, widths, font, take(header));
      }
      addRow(table, row, widths, font, take(height));
    }
    addRule(y_, outerRule);
  }

 private:
  struct CaptionedDrawing {
    Drawing drawing;
    std::vector<TextLine> caption;
    double captionHeight() const { return lineHeight * smallSize * static_cast<double>(caption.size()) + 4; }
  };

  CaptionedDrawing captioned(const Figure& figure, double room, bool names = true) {
    const FigureSize size{
        .width = room, .chartWidth = room, .chartHeight = chartHeight, .font = figureFont, .names = names};
    return {drawingOf(figure, size, language_), linesOf(captions_.of(figure), smallSize, room)};
  }

  /// What begins on the page of the heading at `index`: headings below it, and a figure or the first lines of others.
  double roomBehind(std::size_t index) const {
    constexpr double captionRoom = 40, headingRoom = 40, others = 60;
    if (index + 1 >= blocks_->size()) return 0;
    const Block& next = (*blocks_)[index + 1];
    if (std::holds_alternative<Heading>(next)) return headingRoom + roomBehind(index + 1);
    const auto* figure = std::get_if<Figure>(&next);
    if (figure == nullptr) return others;
    const FigureSize size{.width = width(), .chartWidth = width(), .chartHeight = chartHeight, .font = figureFont};
    return std::min(drawingOf(*figure, size, language_).height + captionRoom, (bottom() - margin) / 2);
  }

  /// Lines that may go on on the next page, two of them at least on either.
  void flowLines(const std::vector<TextLine>& lines, double size, Ink ink) {
    const double height = lineHeight * size;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool holdsNext = i == 0 || i + 2 == lines.size();
      const double top = take(height, holdsNext && i + 1 < lines.size() ? height : 0);
      drawLines({lines[i]}, {margin, top}, size, ink);
    }
  }

  double halfWidth() const { return (width() - pairGap) / 2; }

  /// Whether the names of the curves leave room for curves where the chart has half of the page.
  bool fitsHalf(const Figure& figure) const {
    constexpr double mostShare = 0.36;
    const auto* chart = std::get_if<ChartModel>(&figure.image);
    if (chart == nullptr) return false;
    return std::ranges::all_of(chart->curves, [&](const ChartCurve& curve) {
      return textWidth(curve.name().in(language_) + " 0.0000", figureFont) < mostShare * halfWidth();
    });
  }

  static bool haveSameCurves(const Figure& left, const Figure& right) {
    const auto *one = std::get_if<ChartModel>(&left.image), *other = std::get_if<ChartModel>(&right.image);
    if (one == nullptr || other == nullptr) return false;
    return std::ranges::equal(one->curves, other->curves, [](const ChartCurve& a, const ChartCurve& b) {
      return a.label == b.label && a.colourSlot == b.colourSlot;
    });
  }

  /// Two charts that follow each other, where names fit beside the curves of both, or one legend has those of both.
  std::optional<std::pair<const Figure*, const Figure*>> chartsBesideEachOther(const std::vector<Block>& blocks,
                                                                               std::size_t index) const {
    if (index + 1 >= blocks.size()) return std::nullopt;
    const auto* left = std::get_if<Figure>(&blocks[index]);
    const auto* right = std::get_if<Figure>(&blocks[index + 1]);
    if (left == nullptr || right == nullptr) return std::nullopt;
    if ((!fitsHalf(*left) || !fitsHalf(*right)) && !haveSameCurves(*left, *right)) return std::nullopt;
    return std::pair{left, right};
  }

  /// A short line and a name for each curve, in as many rows as it takes.
  Drawing legendOf(const ChartModel& chart) const {
    constexpr double line = 16, gap = 4, apart = 16;
    Drawing legend{width(), lineHeight * smallSize};
    double left = 0;
    for (const ChartCurve& curve : chart.curves) {
      const double needed = line + gap + textWidth(curve.label, smallSize);
      if (left > 0 && left + needed > width()) {
        left = 0;
        legend.height += lineHeight * smallSize;
      }
      const double middle = legend.height - lineHeight * smallSize / 2;
      legend.add(DrawnPath{.lines = {{{left, middle}, {left + line, middle}}},
                           .stroke = Ink::series,
                           .width = 1.5,
                           .colour = runColour(curve.colourSlot),
                           .dashes = runDashes(curve.colourSlot)});
      legend.add(DrawnText{{left + line + gap, middle + 0.36 * smallSize}, curve.label, smallSize});
      left += needed + apart;
    }
    return legend;
  }

  void addPair(const Figure& left, const Figure& right) {
    const bool names = fitsHalf(left) && fitsHalf(right);
    const CaptionedDrawing drawn[] = {captioned(left, halfWidth(), names), captioned(right, halfWidth(), names)};
    const Drawing legend = names ? Drawing{} : legendOf(std::get<ChartModel>(left.image));
    const double height = std::max(drawn[0].drawing.height, drawn[1].drawing.height) + legend.height;
    skip(6);
    const double top = take(height + std::max(drawn[0].captionHeight(), drawn[1].captionHeight()));
    page().place(legend, {margin, top + height - legend.height});
    double x = margin;
    for (const CaptionedDrawing& one : drawn) {
      page().place(one.drawing, {x, top});
      drawLines(one.caption, {x, top + height + 2}, smallSize, Ink::second);
      x += halfWidth() + pairGap;
    }
  }

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
  void addFirstLine(const Text& mark) {
    const double top = take(lineHeight * smallSize);
    drawWords(phrase("Slipstream report").in(language_), {margin, top}, smallSize, Font::regular, Ink::second);
    const double room = width() - textWidth(phrase("Slipstream report").in(language_), smallSize) - pairGap;
    page().add(DrawnText{{size_.width - margin, top + smallSize * 1.05},
                         elided(mark.in(language_), room, helveticaMetrics(smallSize)),
                         smallSize,
                         Anchor::end});
  }
  void addRule(double y, double thickness) {
    page().add(DrawnPath{.lines = {{{margin, y}, {margin + width(), y}}}, .stroke = Ink::text, .width = thickness});
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
    return (cell.swatch ? swatchRoom : 0) + (cell.verdict || cell.sign ? signRoom : 0) +
           (cell.interval ? intervalWidth : 0);
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
    const double swatch = column.swatch ? swatchRoom : 0;
    const double padding = 2 * font.padding + 0.5, longestWord = 16 * font.size;
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

  /// As large and as wide apart as leaves no word torn apart.
  TableFont fontOf(const Table& table) const {
    TableFont font;
    const auto fits = [&] {
      double least = 0;
      for (std::size_t i = 0; i < table.columns.size(); ++i) least += needOf(table, i, font).least;
      return least <= width();
    };
    while (font.size > leastTableSize && !fits()) font.size -= 0.5;
    while (font.padding > leastPadding && !fits()) font.padding -= 1;
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
    const double inner = room - 2 * font.padding - shapesWidth(cell);
    return linesOf(Text(wordsOf(cell)), font.size, std::max(inner, 2 * font.size), fontOf(cell) == Font::strong);
  }
  std::vector<TextLine> titleLines(const Column& column, double room, const TableFont& font) const {
    const double shapes = column.swatch ? swatchRoom : 0;
    return linesOf(column.title, font.size, std::max(room - 2 * font.padding - shapes, 2 * font.size), true);
  }

  double headerHeight(const Table& table, const std::vector<double>& widths, const TableFont& font) const {
    std::size_t most = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Column& column = table.columns[i];
      const std::size_t above = column.colour.empty() ? 0 : 1;  // the colour of a part is over its name
      if (!column.title.empty()) most = std::max(most, above + titleLines(column, widths[i], font).size());
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
    addRule(top, outerRule);
    if (height > 0) addRule(top + height, innerRule);
    double left = margin;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Column& column = table.columns[i];
      const auto lines = titleLines(column, widths[i], font);
      double y = top + height - rowPadding - font.line() * static_cast<double>(lines.size());
      const double end = left + widths[i] - font.padding;
      if (!column.colour.empty()) {
        addSwatch({column.number ? end - swatchWidth : left + font.padding, y - font.line() / 2}, column.colour);
      }
      for (const TextLine& line : lines) {
        double x = column.number ? end - line.width : left + font.padding;
        if (column.swatch && &line == &lines.front()) {
          if (!column.number) x += swatchRoom;
          addSwatch({x - swatchRoom, y + font.line() / 2}, runColour(*column.swatch));
        }
        drawLines({line}, {x, y}, font.size, Ink::text);
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
              const TableFont& font, double top) {
    double left = margin;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Cell& cell = row[i];
      double x = left + font.padding;
      const double middle = top + rowPadding + font.line() / 2;
      if (cell.swatch) addSwatch({x, middle}, runColour(*cell.swatch));
      if (cell.verdict) page().place(drawingOf(*cell.verdict), {x, middle - 4}, 0.8);
      if (cell.sign) page().place(drawingOf(*cell.sign), {x, middle - 4}, 0.8);
      if (cell.interval) {
        page().place(drawingOf(*cell.interval, intervalWidth / 0.8), {x, middle - 0.4 * intervalHeight}, 0.8);
      }
      x += shapesWidth(cell);
      double y = top + rowPadding;
      for (const TextLine& line : cellLines(cell, widths[i], font)) {
        drawLines({line}, {table.columns[i].number ? left + widths[i] - font.padding - line.width : x, y}, font.size,
                  inkOf(cell.tone));
        y += font.line();
      }
      left += widths[i];
    }
  }

  Language language_;
  SheetSize size_;
  std::vector<Drawing> pages_;
  double y_ = 0;
  Captions captions_;
  const std::vector<Block>* blocks_ = nullptr;
  std::size_t index_ = 0;  ///< of the block that is laid out
};

}  // namespace

std::vector<Drawing> layOutPages(const ReportDocument& document, Language language, const SheetSize& size) {
  return PageLayout(language, size).pages(document);
}

Result<std::string> toPdf(const ReportDocument& document, Language language, PaperSize size) {
  PdfFile file(document.title.in(language), language);
  for (const Drawing& page : layOutPages(document, language, sheetOf(size))) SLIPSTREAM_CHECK(file.addPage(page));
  return file.finish();
}

}  // namespace slipstream
