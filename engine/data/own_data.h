// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/dataset.h"

namespace slipstream {

/// A part of arrays, csv or text. Fails as inspecting the data does, and where the files are no longer what the
/// specification found: another shape or type, or other classes.
Result<Images> loadOwnData(const DatasetSpec& spec, DataPart part);

}  // namespace slipstream
