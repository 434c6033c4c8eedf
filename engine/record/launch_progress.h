// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/record/run_store.h"

namespace slipstream {

/// Whether the newest attempt of the run was asked for by a person (`slipstream resume`), and not by the launch that
/// made the run: a resumed run goes on alone, and no other variants follow it.
bool wasResumed(RunStore& store, const RunRecord& run);

/// Wall nanoseconds when the newest attempt of the run began; 0 where it has none.
std::int64_t attemptBegan(RunStore& store, const RunRecord& run);

/// The step with which the run ends: where it ended as done, which a target may have made early, else as planned; 0 of
/// a plan that cannot be read.
std::int64_t endStepOf(RunStore& store, const RunRecord& wholeRun);

/// The variants of the experiment that a launch makes runs of, in order; empty where it has none.
std::vector<std::string> variantsOfLaunch(const RunRecord& wholeRun);

}  // namespace slipstream
