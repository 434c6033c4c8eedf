// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/experiment.h"
#include "engine/plan/fields.h"

namespace slipstream {

/// The keys of the section `dataset`, each where its data set has a use for it. What is missing is as usual for the
/// set: the mean and deviation of its pictures, and batches prepared ahead where pictures are decoded.
void describeDataset(Fields& fields, DatasetSpec& dataset);

}  // namespace slipstream
