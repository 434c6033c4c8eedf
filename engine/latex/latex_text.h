// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace slipstream {

/// Text in which LaTeX reads no command, no ligature and no sign that its default fonts lack. Letters with accents stay
/// as they are, and so do characters of other scripts (isBeyondLatex).
std::string latexText(std::string_view text);

/// The same, with places where a line may break inside long names and paths.
std::string latexProse(std::string_view text);

/// Text in a typewriter font, whose signs are all at their places in ASCII; lines may break as in latexProse.
std::string latexCode(std::string_view text);

/// The same as latexText, with every number as \num of siunitx: "98.94 ± 0.05", "398 (3 of 5)", "−0.06 … +0.10".
std::string latexNumbers(std::string_view text);

/// Whether the text is one number, as a column S of siunitx takes it: "98.94", "+1.32", "−1,234".
bool isPlainNumber(std::string_view text);
/// Such a text as siunitx reads it: "-1234".
std::string plainNumber(std::string_view text);

/// Whether pdfLaTeX has a character neither in its text fonts nor as a sign that latexText writes otherwise: a Chinese
/// one. Documents show it as a picture.
bool isBeyondLatex(char32_t character);

}  // namespace slipstream
