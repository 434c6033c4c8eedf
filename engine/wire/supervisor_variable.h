// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// The environment variable that tells a worker which process of its machine its supervisor is.
inline constexpr const char* supervisorVariable = "SLIPSTREAM_SUPERVISOR";

}  // namespace slipstream
