// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/sample_source.h"

namespace slipstream {

/// Images in memory. `augment`: each is padded with 4 black pixels on every side, cropped to its size
/// anywhere, and flipped half of the time.
std::unique_ptr<SampleSource> makeMemorySource(const Images& images, bool augment, std::uint64_t seed);

/// Floats in memory, normalised by the data set's mean and deviation: each computed in double and rounded once.
std::unique_ptr<SampleSource> makeFloatSource(const Images& images, const DatasetSpec& spec);

}  // namespace slipstream
