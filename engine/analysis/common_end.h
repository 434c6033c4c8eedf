// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream {

/// Takes off all labels what they have in common behind a comma, or as settings with their numbers: "averaged, warm"
/// and "adasum, warm", and "averaged lr 0.01" and "adasum lr 0.01", become "averaged" and "adasum". Returns it ("lr
/// 0.01"); empty, and nothing is changed, where there is none, where a label would be left without a word, or where two
/// that differ would not any more.
std::string takeCommonEnd(std::vector<std::string>& labels);

}  // namespace slipstream
