// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/experiment.h"

namespace slipstream {

/// What single keys cannot show: contradictions between keys, and a network that does not fit its data.
/// `classesWritten`: the file has network.classes, so that outputs beyond the data's classes are meant.
Failures checkExperiment(const Experiment& experiment, bool classesWritten = false);

/// Batch norms of the network that is trained whose statistics refresh_statistics could not make anew.
Failures checkRefreshing(const Experiment& experiment);

}  // namespace slipstream
