// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/record/comparison.h"

namespace slipstream {

/// The comparison as tables for LaTeX with the packages booktabs and graphicx, no wider than the text: what every run
/// came to, each variant beside the reference, and the stages of each variant. A fragment to be read with \input.
std::string toLatexText(const Comparison& comparison);

/// Text that LaTeX prints as it is; of characters beyond ASCII those that the tables use are in mathematics.
std::string latexText(std::string_view text);

}  // namespace slipstream
