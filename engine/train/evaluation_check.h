// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/comm/communicator.h"
#include "engine/data/sample_source.h"
#include "engine/wire/link.h"

namespace slipstream {

/// Inspects the samples to evaluate on before anything is trained, each rank its share: a broken one would else be
/// found after an epoch. Only the header and the end of a file are read; data that are damaged between them are found
/// by the evaluation. Throws Error as the evaluation would: where a sample cannot be read, or where all that cannot
/// are skipped and nothing is left. After `seconds` it ends with those that it has seen, spread over the share, and
/// the record says so of rank 0.
void checkEvaluationSamples(const SampleSource& samples, BrokenImages onBroken, Link& link,
                            const Communicator& communicator, double seconds = 5);

}  // namespace slipstream
