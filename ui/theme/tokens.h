// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QString>
#include <array>
#include <string_view>
#include <vector>

namespace slipstream::ui {

/// Every colour of the window by what it means. Nothing outside ui/theme names a colour.
struct Tokens {
  bool dark = false;
  QColor window, base, alternate, shade, button;  ///< surfaces
  QColor hairline;                                ///< decoration only
  QColor control;                                 ///< outlines that must be seen
  QColor text, secondText, disabled;
  QColor accent, textOnAccent;
  QColor selection;  ///< of views; its text stays `text`
  QColor good, warning, error, lost;
  QColor warningTint, errorTint, informationTint;  ///< behind their text
  QColor chartGrid, chartAxis;
  double rawLineOpacity = 0.3;  ///< of the line behind a smoothed one
};

const Tokens& lightTokens();
const Tokens& darkTokens();

/// A colour of runColour(): the same in both themes, in exports and in print.
QColor seriesColour(std::string_view colour);

/// A run's line: ten colours that the window, exports and print share, and dashes that tell lines of one colour apart.
struct RunStroke {
  QColor colour;
  QList<double> dash;  ///< on and off in pixels, in turn; empty: solid
};
/// `slot` as in engine/analysis/run_colours.h.
RunStroke runPen(int slot);

/// Colours of parts of a whole, fixed to what they mean.
enum class Part { compute, optimizer, checkpoint, communication, recording, waiting, gather, data };
QColor partColour(Part part);

/// Dark = low, over `share` in 0..1; the same in both themes.
QColor sequentialColour(double share);

/// One category of memory, as plans forecast it and stores measure it.
struct MemoryKind {
  const char* key;  ///< in plan and store
  QString name;
  Part part;  ///< its colour
};

/// All there are, in stacking order.
std::vector<MemoryKind> memoryKinds();
/// Data, which no algorithm changes, would take so much of a bar that nothing else is seen in it.
bool hidesOtherMemory(std::int64_t data, std::int64_t together);

}  // namespace slipstream::ui
