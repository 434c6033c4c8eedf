// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/store/study_table.h"

namespace slipstream {

class RunStore;

/// Somebody's process is the queue of the study, also one that only waits for runs to end.
bool isCarriedOn(const StudyRecord& record);
/// The state, but that nobody carries on a study whose queue is gone: it waits.
StudyState stateNow(const StudyRecord& record);

/// What a list of studies shows of one.
struct StudySummary {
  StudyRecord record;  ///< without its frozen text
  StudyState state = StudyState::waiting;
  bool carriedOn = false;
  StudyCounts counts;
};

/// Of all studies, oldest first.
std::vector<StudySummary> studySummaries(RunStore& store);

}  // namespace slipstream
