// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream {

/// In a few words, what each of several lists of layers (JSON, as in a plan) has that the others have not: "fc3: dense,
/// bias true", "no layer1.0.bn1". Where all are alike, how many layers there are. A value that is no list stays.
std::vector<std::string> layerTexts(const std::vector<std::string>& lists);

}  // namespace slipstream
