// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// What one of Slurm's programs prints; `input` becomes its standard input. No shell reads the words. Fails where the
/// program is missing, ends with an error or does not answer within some seconds; the failure has its own words,
/// without its name before them.
Result<std::string> slurmSays(const std::vector<std::string>& words, const std::string& input = "");

}  // namespace slipstream
