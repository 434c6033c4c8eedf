// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream {

/// How people name runs, the same everywhere. A word is, in this order:
/// - a whole id, `last`, or `last:N` for the newest N;
/// - a name: of a run (its title too), variant, "NAME / VARIANT", experiment, tag or group, in any case of letters;
/// - the beginning of one id;
/// - a filter (run_query.h), which holds a colon, a comparison or a blank: tag:paper, 'state:done seed>2'.
/// An id names any run. `last`, names and filters look at the runs of a scope; a filter that asks for `is:archived`
/// looks at all.
inline constexpr const char* selectionHelp =
    "An id or the beginning of one, last, last:N, a name (of a run, variant, experiment, tag or group), or a filter";

enum class RunScope { listed, archived, all };  ///< listed: those that are not archived

/// Whether the word means something else than a name before names are looked up, or holds the signs of a filter: no
/// tag may be called so.
bool readsAsSelection(const std::string& word);

/// The one run that the word selects; where it selects several, a failure that lists them.
Result<RunRecord> findRun(RunStore& store, const std::string& word);

/// All runs that any of the words selects and that `filter` holds for, each once, in the order of the words and from
/// the oldest to the newest. Without words, all runs of the scope. Fails where a word selects nothing, where two words
/// name the same single run, and where nothing is left.
Result<std::vector<RunRecord>> findRuns(RunStore& store, const std::vector<std::string>& words,
                                        const std::string& filter = "", RunScope scope = RunScope::listed);

/// The same without the long texts (RunStore::heads), for lists of runs: filters may match none.
Result<std::vector<RunRecord>> findHeads(RunStore& store, const std::vector<std::string>& words,
                                         const std::string& filter, RunScope scope = RunScope::listed);

}  // namespace slipstream
