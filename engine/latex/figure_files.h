// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace slipstream {

class PrintFonts;
/// Fonts that the PDFs of several figures share, so that each is read once.
std::shared_ptr<PrintFonts> sharedFonts();

struct NamedFile {
  std::string name;
  std::string content;
};

/// A figure as files that papers include: NAME.svg and NAME.pdf with its title above it, NAME.csv with what it draws;
/// of a chart also NAME.dat and NAME.tex for pgfplots, which shows the same in fewer points. Fails as toPdf does.
Result<std::vector<NamedFile>> figureFiles(const Figure& figure, Language language,
                                           const std::shared_ptr<PrintFonts>& fonts);

/// The chart for pgfplots: `tex` is an axis whose curves are columns of figures/NAME.dat.
struct PlotFiles {
  std::string data, tex;
};
PlotFiles toPgfplots(const ChartModel& chart, const std::string& name, Language language);

}  // namespace slipstream
