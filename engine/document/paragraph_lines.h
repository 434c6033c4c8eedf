// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/spec/text.h"

namespace slipstream {

struct TextLine {
  std::vector<Span> spans;
  double width = 0;
};

/// Breaks a text into lines of at most `width`, at blanks, between Chinese characters and inside words that are longer
/// than a line, unless they are to stay whole. `strong`: all of it is.
std::vector<TextLine> wrapped(const std::vector<Span>& spans, double size, double width, bool strong = false,
                              bool wholeWords = false);

/// Breaks the lines of a file or a command where they are too long for the fixed font.
std::vector<std::string> listingLines(const std::string& text, double size, double width);

}  // namespace slipstream
