// SPDX-License-Identifier: GPL-3.0-or-later
// What is around the sources of a LaTeX document, and characters that pdfLaTeX has no fonts for.
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/document/drawing.h"
#include "engine/document/pdf_file.h"
#include "engine/latex/latex_files.h"
#include "engine/latex/latex_text.h"

namespace slipstream {
namespace {

/// A page of characters.pdf, in the size of a character: as high as a line, its base line at a fifth of it.
constexpr double characterSize = 10, pageHeight = 12, baseLine = 2.4;

/// Each character is read once, into a box that is then set in any size.
std::string characterCommands(const std::u32string& pictured) {
  if (pictured.empty()) return {};
  std::string text =
      "% Characters that pdfLaTeX has no fonts for are pages of characters.pdf.\n"
      "\\usepackage{newunicodechar}\n"
      "\\newcommand\\picturedbox[1]{\\expandafter\\newsavebox\\csname pictured#1\\endcsname\n"
      "  \\expandafter\\sbox\\csname pictured#1\\endcsname{\\includegraphics[page=#1]{characters.pdf}}}\n"
      "\\DeclareRobustCommand\\pictured[1]{\\leavevmode\\raisebox{-0.24em}{\\resizebox{!}{1.2em}{%\n"
      "  \\expandafter\\usebox\\csname pictured#1\\endcsname}}\\hspace{0pt plus 0.05em}}\n";
  for (std::size_t i = 0; i < pictured.size(); ++i) {
    text +=
        fmt::format("\\picturedbox{{{0}}}\\newunicodechar{{{1}}}{{\\pictured{{{0}}}}}\n", i + 1, utf8Of(pictured[i]));
  }
  return text;
}

}  // namespace

std::string latexPreamble(PaperSize size, Language language, const std::u32string& pictured) {
  const char* names =
      language == Language::chinese ? "\\renewcommand\\figurename{图}\\renewcommand\\tablename{表}\n" : "";
  return fmt::format(
      "\\documentclass[{},10pt]{{article}}\n"
      "\\IfFileExists{{lmodern.sty}}{{\\usepackage[T1]{{fontenc}}\\usepackage{{lmodern}}}}{{%\n"
      "  % Without it, an underscore is a rule, which nobody can copy.\n"
      "  \\renewcommand\\_{{{{\\ttfamily\\char95}}}}}}\n"
      "\\usepackage[margin=25mm]{{geometry}}\n"
      "\\usepackage{{array,booktabs,float,graphicx,siunitx,pgfplots}}\n"
      "\\pgfplotsset{{compat=1.16}}\n"
      "% Tables and figures are where they are read.\n"
      "\\floatplacement{{figure}}{{H}}\n"
      "\\floatplacement{{table}}{{H}}\n"
      "\\setlength\\parskip{{3pt plus 1pt}}\n"
      "\\emergencystretch=3em\n"
      "\\ifdefined\\pdfgentounicode\\input{{glyphtounicode}}\\pdfgentounicode=1\\fi\n{}{}",
      size == PaperSize::letter ? "letterpaper" : "a4paper", characterCommands(pictured), names);
}

std::u32string picturedCharacters(const std::vector<std::string_view>& sources) {
  std::set<char32_t> found;
  for (const std::string_view source : sources) {
    for (const char32_t character : charactersOf(source)) {
      if (isBeyondLatex(character)) found.insert(character);
    }
  }
  return {found.begin(), found.end()};
}

Result<std::string> charactersPdf(const std::u32string& characters) {
  PdfFile file("", Language::english);
  for (const char32_t character : characters) {
    const DrawnText text{{0, pageHeight - baseLine}, utf8Of(character), characterSize, Anchor::start, Ink::text};
    SLIPSTREAM_TRY(width, file.widthOf(text));
    SLIPSTREAM_CHECK(file.addPage({width, pageHeight, {text}}));
  }
  return file.finish();
}

}  // namespace slipstream
