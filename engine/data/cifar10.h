// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/dataset.h"

namespace slipstream {

/// CIFAR-10 from the binary batches of the specification's folder.
Result<Images> loadCifar10(const DatasetSpec& spec, DataPart part);

}  // namespace slipstream
