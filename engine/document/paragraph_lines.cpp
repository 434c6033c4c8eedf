// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/paragraph_lines.h"

#include <algorithm>
#include <string_view>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/document/drawing.h"

namespace slipstream {
namespace {

/// What stays together on a line.
struct Word {
  std::string text;
  bool strong = false;
  bool blank = false;  ///< may be left out where a line breaks
  bool ends = false;   ///< the line
};

bool isFullWidth(char32_t character) {
  return character >= 0x2E80;
}

/// Closing signs do not begin a line.
bool closes(char32_t character) {
  return std::u32string_view(U"，。、；：？！）”’》%").find(character) != std::u32string_view::npos;
}

std::vector<Word> wordsOf(const std::vector<Span>& spans, bool strong) {
  std::vector<Word> words;
  bool open = false;  // the last word goes on
  for (const Span& span : spans) {
    const bool bold = strong || span.strong;
    open = open && words.back().strong == bold;
    for (const char32_t character : charactersOf(span.words)) {
      const bool blank = character == U' ', ends = character == U'\n';
      if (blank || ends) {
        words.push_back({blank ? " " : "", bold, blank, ends});
        open = false;
      } else if (character == U'%' && words.size() > 1 && words.back().blank) {
        // A number and its sign are one.
        words.pop_back();
        words.back().text += " %";
        open = true;
      } else if (isFullWidth(character)) {
        const bool follows = closes(character) && !words.empty() && !words.back().blank && words.back().strong == bold;
        if (follows)
          words.back().text += utf8Of(character);
        else
          words.push_back({utf8Of(character), bold});
        open = false;
      } else if (open) {
        words.back().text += utf8Of(character);
      } else {
        words.push_back({utf8Of(character), bold});
        open = true;
      }
    }
  }
  return words;
}

class LineBreaker {
 public:
  LineBreaker(double size, double width, bool wholeWords) : size_(size), width_(width), wholeWords_(wholeWords) {}

  void add(const Word& word) {
    const double needed = widthOf(word.text, word.strong);
    if (word.ends) return endLine();
    if (word.blank) {
      if (!line_.spans.empty()) append(word.text, word.strong, needed);
      return;
    }
    if (line_.width + needed > width_ && !line_.spans.empty()) endLine();
    if (needed <= width_ || wholeWords_) return append(word.text, word.strong, needed);
    for (const char32_t character : charactersOf(word.text)) {
      const std::string letter = utf8Of(character);
      const double one = widthOf(letter, word.strong);
      if (line_.width + one > width_ && !line_.spans.empty()) endLine();
      append(letter, word.strong, one);
    }
  }

  std::vector<TextLine> lines() {
    if (!line_.spans.empty() || lines_.empty()) endLine();
    return std::move(lines_);
  }

 private:
  double widthOf(const std::string& text, bool strong) const {
    return textWidth(text, size_, strong ? Font::strong : Font::regular);
  }
  void append(const std::string& text, bool strong, double width) {
    if (line_.spans.empty() || line_.spans.back().strong != strong) line_.spans.push_back({"", strong});
    line_.spans.back().words += text;
    line_.width += width;
  }
  void endLine() {
    while (!line_.spans.empty() && line_.spans.back().words.ends_with(' ')) {
      line_.width -= widthOf(" ", line_.spans.back().strong);
      line_.spans.back().words.pop_back();
      if (line_.spans.back().words.empty()) line_.spans.pop_back();
    }
    lines_.push_back(std::move(line_));
    line_ = {};
  }

  double size_, width_;
  bool wholeWords_;
  TextLine line_;
  std::vector<TextLine> lines_;
};

}  // namespace

std::vector<TextLine> wrapped(const std::vector<Span>& spans, double size, double width, bool strong, bool wholeWords) {
  LineBreaker breaker(size, width, wholeWords);
  for (const Word& word : wordsOf(spans, strong)) breaker.add(word);
  return breaker.lines();
}

std::vector<std::string> listingLines(const std::string& text, double size, double width) {
  std::vector<std::string> lines;
  for (const std::string& line : split(text, '\n')) {
    std::string shown;
    for (const char32_t character : charactersOf(line)) {
      const std::string letter = character == U'\t' ? "  " : character < 0x20 ? "" : utf8Of(character);
      if (textWidth(shown + letter, size, Font::fixed) > width) lines.push_back(std::exchange(shown, {}));
      shown += letter;
    }
    lines.push_back(std::move(shown));
  }
  while (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace slipstream
