// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/spec/boost_options.h"

namespace slipstream {

/// Resolves level, mode and dictionary. `path` precedes the keys in failures. Says in `decisions` what each
/// algorithm does and which written keys have no effect.
/// `afterStage`: an earlier stage may have kept weights for dim_reduce; where none has and the dictionary names none
/// either, enable_all leaves dim_reduce off.
Result<BoostConfig> resolveBoost(const std::string& level, const Json& dictionary, const std::string& path,
                                 bool afterStage = true);

}  // namespace slipstream
