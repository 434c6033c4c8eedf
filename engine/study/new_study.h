// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/study/study.h"

namespace slipstream {

/// Variants that belong beside Adasum: the reference with a learning rate that follows the ranks, or their square root,
/// since Adasum's steps are as much larger. None where nothing uses Adasum, the reference does, or no rate or number of
/// ranks is written.
std::vector<Json> fairRivals(const Json& study, const Json& experiment);
/// A study of the variants of an experiment: all of them, with as many seeds as most questions need.
std::string newStudyText(const std::filesystem::path& base, const Json& experiment);
/// A study that asks anew what a frozen one has asked, of the files as they are now.
std::string followingStudyText(const Study& study);

}  // namespace slipstream
