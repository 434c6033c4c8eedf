// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace slipstream {

/// A document as LaTeX reads it with booktabs, siunitx, graphicx and pgfplots.
struct LatexFiles {
  std::string body;                           ///< reads tables that have a name, and figures, from files
  std::map<std::string, std::string> tables;  ///< NAME.tex
};
/// Figures are figures/NAME.tex where a chart is one, figures/NAME.pdf of others.
LatexFiles latexFiles(const ReportDocument& document, Language language);
/// The same as one text, without figures; its first line names the packages that it needs.
std::string toLatex(const ReportDocument& document, Language language);

/// What comes before \begin{document}. `pictured`: characters that pdfLaTeX has no fonts for, of which characters.pdf
/// has a page each.
std::string latexPreamble(PaperSize size, Language language, const std::u32string& pictured);

/// The characters of these sources that pdfLaTeX has no fonts for, each once, in their order.
std::u32string picturedCharacters(const std::vector<std::string_view>& sources);
/// A page of each. A failure names the package with a font that has them.
Result<std::string> charactersPdf(const std::u32string& characters);

}  // namespace slipstream
