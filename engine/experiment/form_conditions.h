// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/experiment/experiment_form.h"

namespace slipstream {

/// The keys of `form` that mean something beside some values of another key only, by path. Found by walking the
/// descriptions once with every value of every key that has a choice, so that no list of them is kept anywhere.
std::map<std::string, FormCondition> formConditions(const std::vector<FormKey>& form);

}  // namespace slipstream
