// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/study_summary.h"

#include "engine/store/run_store.h"

namespace slipstream {

bool isCarriedOn(const StudyRecord& record) {
  return record.supervisor.pid != 0 && livenessOf(record.supervisor) != Liveness::gone;
}

StudyState stateNow(const StudyRecord& record) {
  return record.state == StudyState::running && !isCarriedOn(record) ? StudyState::waiting : record.state;
}

std::vector<StudySummary> studySummaries(RunStore& store) {
  std::vector<StudySummary> summaries;
  std::vector<StudyRecord> records = store.studies().heads();
  if (records.empty()) return summaries;
  std::map<std::int64_t, StudyCounts> counts = store.studies().counts();
  for (StudyRecord& record : records) {
    const StudyState state = stateNow(record);
    const bool carriedOn = isCarriedOn(record);
    const StudyCounts& own = counts[record.number];
    summaries.push_back({std::move(record), state, carriedOn, own});
  }
  return summaries;
}

}  // namespace slipstream
