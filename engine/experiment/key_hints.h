// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"

namespace slipstream {

/// Gives failures about keys and values of an experiment file a remedy that names what was meant: a key that is known
/// in another section has its whole path there, and so has one that is nearly known in another and in its own is not;
/// a precision of MindSpore that this program lacks has the nearest one.
void hintAtMeaning(Failures& failures);

}  // namespace slipstream
