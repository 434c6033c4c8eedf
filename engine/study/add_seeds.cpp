// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include <fmt/format.h>

#include "engine/statistics/several.h"
#include "engine/store/run_store.h"
#include "engine/study/design.h"

namespace slipstream {

Result<int> addSeeds(RunStore& store, const StudyRecord& record, const Study& study, std::int64_t count) {
  store.begin();
  std::set<int> rounds;
  std::set<std::uint64_t> seeds;
  int last = 0;
  for (const StudyCell& cell : store.studies().cells(record.number)) {
    last = cell.cell;
    if (cell.trial > 0) continue;
    rounds.insert(cell.round);
    seeds.insert(cell.pair);
  }
  const std::int64_t left = study.seeds.most - std::ssize(seeds);
  const auto refuse = [&](std::string problem, std::string remedy) {
    store.rollback();
    return fail("--count", std::to_string(count), std::move(problem), std::move(remedy));
  };
  const std::string another = fmt::format("ask anew with more: a study that \"follows\": \"{}\"", record.name);
  if (left == 0) return refuse(fmt::format("the study was frozen with {} seeds at most", study.seeds.most), another);
  if (count > left)
    return refuse(fmt::format("only {} are left of the {} that the study was frozen with", left, study.seeds.most),
                  "add at most as many");
  if (std::ssize(rounds) == mostLooks)
    return refuse(fmt::format("the study has been looked at {} times, which is the most", mostLooks), another);
  const std::vector<StudyCell> cells = addedCells(study, std::ssize(seeds), count, last + 1, *rounds.rbegin() + 1);
  store.studies().addCells(record.number, cells);
  if (record.state == StudyState::done) store.studies().setState(record.number, StudyState::waiting);
  store.commit();
  return static_cast<int>(cells.size());
}

}  // namespace slipstream
