// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/run_plan.h"

namespace slipstream::cli {

/// Where ranks run, and the tutorials' variables there. Neighbouring servers that differ in nothing but their number
/// are one entry.
std::string placementText(const RunPlan& plan);

/// A text of many lines: the first few and how many more there are.
std::string shortenedLines(const std::string& text);

}  // namespace slipstream::cli
