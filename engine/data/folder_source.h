// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/sample_source.h"

namespace slipstream {

/// Images of an image folder, decoded when they are asked for. `augment`: a random view of each, else its middle.
std::unique_ptr<SampleSource> makeFolderSource(const ImageList& list, const DatasetSpec& spec, bool augment,
                                               std::uint64_t seed);

}  // namespace slipstream
