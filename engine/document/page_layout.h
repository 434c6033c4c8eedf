// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/document/drawing.h"

namespace slipstream {

/// Sheets of a size in points. `endless`: one sheet as high as it needs to be.
struct SheetSize {
  double width = 595.28, height = 841.89;  ///< A4
  bool endless = false;
};

/// Those of a paper, 8.5 by 11 inches where it is `letter`.
inline SheetSize sheetOf(PaperSize size) {
  return size == PaperSize::letter ? SheetSize{612, 792} : SheetSize{};
}

/// Lays a document out on sheets: rows of tables are whole, a table that goes on has its header again, figures and
/// their captions stay together. Every sheet of several has its number.
std::vector<Drawing> layOutPages(const ReportDocument& document, Language language, const SheetSize& size = {});

}  // namespace slipstream
