// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/dataset.h"

namespace slipstream {

/// MNIST from the folder of the specification: {train,t10k}-{images,labels} in either spelling of the original names,
/// plain or .gz, in the folder itself or in its sub-folder train or test.
Result<Images> loadMnist(const DatasetSpec& spec, DataPart part);

}  // namespace slipstream
