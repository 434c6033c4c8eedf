// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/fields.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// The keys of the section `dataset`, each where its data set has a use for it. What is missing is as usual for the
/// set: the mean and deviation of its images, and batches prepared ahead where images are decoded.
void describeDataset(Fields& fields, DatasetSpec& dataset);

/// What reading the experiment has found out about the data, which the resolved form keeps.
void describeFound(Fields& fields, DatasetSpec& dataset);

/// The kinds of data set that may stand in for one whose files are missing (dataset.fallback).
std::vector<std::string> fallbackNames();

}  // namespace slipstream
