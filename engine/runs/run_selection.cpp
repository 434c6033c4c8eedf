// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_selection.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"

namespace slipstream {
namespace {

constexpr std::size_t idLength = 8;
constexpr std::size_t listedAtMost = 6;

std::string lowered(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

bool isNewest(const std::string& word) {
  return word == "last" || startsWith(word, "last:");
}

bool holdsFilterSign(const std::string& word) {
  return word.find_first_of(":=<>") != std::string::npos;
}

bool isFilter(const std::string& word) {
  return holdsFilterSign(word) || word.find(' ') != std::string::npos;
}

/// What one word selects.
struct Selected {
  std::vector<RunRecord> heads;
  bool single = false;  ///< the word can mean one run only
};

/// All runs of the store with their labels, read once for all words.
class Candidates {
 public:
  Candidates(RunStore& store, RunScope scope)
      : store_(store), scope_(scope), heads_(store.heads()), labels_(store.labels()) {}

  const std::vector<RunRecord>& all() const { return heads_; }
  RunScope scope() const { return scope_; }
  RunLabel labelOf(const RunRecord& run) const {
    const auto found = labels_.find(run.id);
    return found == labels_.end() ? RunLabel{} : found->second;
  }

  std::vector<RunRecord> newest(std::int64_t count) const {
    std::vector<RunRecord> found;
    for (auto run = heads_.rbegin(); run != heads_.rend() && std::ssize(found) < count; ++run) {
      if (isInScope(*run)) found.push_back(*run);
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  /// Whether another scope has what this one lacks: a run of this name, or any run for `last`.
  bool isElsewhere(const std::string& word) const {
    return std::any_of(heads_.begin(), heads_.end(),
                       [&](const RunRecord& run) { return !isInScope(run) && (isNewest(word) || hasName(run, word)); });
  }

  std::vector<RunRecord> named(const std::string& name) const {
    std::vector<RunRecord> found;
    for (const RunRecord& run : heads_) {
      if (isInScope(run) && hasName(run, name)) found.push_back(run);
    }
    return found;
  }

  std::vector<RunRecord> matching(const RunQuery& query) const {
    const bool all = query.asksFor("is", "archived");
    std::vector<RunRecord> found;
    for (const RunRecord& run : heads_) {
      if ((all || isInScope(run)) && matches(query, run)) found.push_back(run);
    }
    return found;
  }
  Status check(const RunQuery& query) const {
    std::vector<std::string> runs;
    for (const RunRecord& run : heads_) runs.push_back(run.id);
    return query.checkMetrics(store_, runs);
  }
  bool matches(const RunQuery& query, const RunRecord& run) const { return query.matches(store_, run, labelOf(run)); }

  /// "; did you mean NAME?" has its word from here.
  std::vector<std::string> allNames() const {
    std::set<std::string> names;
    for (const RunRecord& run : heads_) {
      if (!isInScope(run)) continue;
      for (std::string& name : namesOf(run)) names.insert(std::move(name));
    }
    return {names.begin(), names.end()};
  }

 private:
  bool isInScope(const RunRecord& run) const {
    return scope_ == RunScope::all || labelOf(run).archived == (scope_ == RunScope::archived);
  }

  bool hasName(const RunRecord& run, const std::string& name) const {
    const auto names = namesOf(run);
    return std::any_of(names.begin(), names.end(), [&](const auto& one) { return lowered(one) == lowered(name); });
  }

  std::vector<std::string> namesOf(const RunRecord& run) const {
    const RunLabel label = labelOf(run);
    std::vector<std::string> names{run.name, run.experimentName};
    if (!run.variant.empty()) names.insert(names.end(), {run.variant, run.name + " / " + run.variant});
    if (!label.title.empty()) names.push_back(label.title);
    if (!run.group.empty()) names.push_back(run.group);
    names.insert(names.end(), label.tags.begin(), label.tags.end());
    return names;
  }

  RunStore& store_;
  RunScope scope_;
  std::vector<RunRecord> heads_;
  std::map<std::string, RunLabel> labels_;
};

tl::unexpected<Failures> nothingNamed(const Candidates& candidates, const std::string& word) {
  if (candidates.all().empty()) return fail("RUN", word, "the store holds no run", "start one: slipstream run FILE");
  const bool archived = candidates.scope() == RunScope::archived;
  if (archived && isNewest(word)) return fail("RUN", word, "no run is archived", "nothing to do");
  if (candidates.isElsewhere(word)) {
    if (archived) return fail("RUN", word, "the run is not archived", "nothing to do: slipstream runs lists it");
    return fail("RUN", word, isNewest(word) ? "all runs are archived" : "the runs of this name are archived",
                fmt::format("name one by its id, which slipstream runs --archived tells, or list them again: "
                            "slipstream unarchive {}",
                            shellLine({word})));
  }
  const auto near = nearestWord(word, candidates.allNames());
  return fail("RUN", word, "no run has this id, name, variant, experiment or tag",
              near       ? "did you mean " + *near + "?"
              : archived ? "see slipstream runs --archived, which lists them"
                         : "see slipstream runs, which lists them");
}

Result<Selected> newestRuns(const Candidates& candidates, const std::string& word) {
  const std::string text = word == "last" ? "1" : word.substr(std::string_view("last:").size());
  const auto count = parseInteger(text);
  if (!count || *count < 1) return fail("RUN", word, "names no number of runs", "write last:3 for the newest three");
  std::vector<RunRecord> found = candidates.newest(*count);
  if (found.empty()) return nothingNamed(candidates, word);
  return Selected{std::move(found), word == "last"};
}

Result<Selected> filtered(const Candidates& candidates, const std::string& word) {
  SLIPSTREAM_TRY(query, RunQuery::parse(word));
  SLIPSTREAM_CHECK(candidates.check(query));
  std::vector<RunRecord> found = candidates.matching(query);
  // A name may hold a blank, and then reads as a filter of two words.
  if (found.empty() && candidates.isElsewhere(word)) return nothingNamed(candidates, word);
  return Selected{std::move(found), false};
}

tl::unexpected<Failures> noMatch(const std::string& where, const std::string& filter, RunScope scope) {
  if (scope == RunScope::listed) return fail(where, filter, "no run matches", "see slipstream runs, which lists them");
  return fail(where, filter, scope == RunScope::archived ? "no archived run matches" : "no run matches",
              "see slipstream runs --archived, which lists them");
}

/// None where the word is a filter that no run matches.
Result<Selected> selectedBy(RunStore& store, const Candidates& candidates, const std::string& word) {
  const auto whole = std::find_if(candidates.all().begin(), candidates.all().end(),
                                  [&](const RunRecord& run) { return run.id == word; });
  if (whole != candidates.all().end()) return Selected{{*whole}, true};
  if (isNewest(word)) return newestRuns(candidates, word);
  if (std::vector<RunRecord> named = candidates.named(word); !named.empty()) {
    const bool single = named.size() == 1;
    return Selected{std::move(named), single};
  }
  if (isFilter(word)) return filtered(candidates, word);
  const bool idLike =
      !word.empty() && word.size() < idLength && word.find_first_not_of("0123456789abcdef") == std::string::npos;
  const auto begins = std::any_of(candidates.all().begin(), candidates.all().end(),
                                  [&](const RunRecord& run) { return startsWith(run.id, word); });
  if (!idLike || !begins) return nothingNamed(candidates, word);
  SLIPSTREAM_TRY(run, store.find(word));  // says where several begin so
  return Selected{{std::move(run)}, true};
}

/// "3f2a9b01 quickstart / adasum, 9b01…"
std::string listed(const std::vector<RunRecord>& runs) {
  std::vector<std::string> texts;
  for (std::size_t i = runs.size(); i-- > 0 && texts.size() < listedAtMost;) {
    const RunRecord& run = runs[i];
    const std::string variant = run.variant.empty() ? "" : " / " + run.variant;
    texts.push_back(fmt::format("{} ({}{}, {} UTC)", run.id, run.name, variant, wallText(run.createdAt)));
  }
  return join(texts, ", ") + (runs.size() > listedAtMost ? ", …" : "");
}

Result<std::vector<RunRecord>> whole(RunStore& store, const std::vector<RunRecord>& heads) {
  std::vector<RunRecord> runs;
  Failures failures;
  for (const RunRecord& head : heads) {
    auto run = store.find(head.id);
    if (collect(run, failures)) runs.push_back(std::move(*run));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return runs;
}

enum class NoMatch { isNone, isFailure };

/// Everything that the words select, each run once.
Result<std::vector<RunRecord>> unionOf(RunStore& store, const Candidates& candidates,
                                       const std::vector<std::string>& words, NoMatch without) {
  std::vector<RunRecord> runs;
  Failures failures;
  for (const std::string& word : words) {
    auto selected = selectedBy(store, candidates, word);
    if (!collect(selected, failures)) continue;
    if (selected->heads.empty() && without == NoMatch::isFailure) {
      collect(Status(noMatch("RUN", word, candidates.scope())), failures);
    }
    for (RunRecord& run : selected->heads) {
      const bool known = std::any_of(runs.begin(), runs.end(), [&](const auto& other) { return other.id == run.id; });
      if (known && selected->single) {
        failures.push_back({"RUN", word, "is run " + run.id + ", which is named already", "name every run once"});
      }
      if (!known) runs.push_back(std::move(run));
    }
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return runs;
}

bool isArchived(RunStore& store, const std::string& runId) {
  const auto labels = store.labels();
  const auto found = labels.find(runId);
  return found != labels.end() && found->second.archived;
}

Result<std::vector<RunRecord>> select(RunStore& store, const std::vector<std::string>& words, const std::string& filter,
                                      RunScope scope, NoMatch without) {
  SLIPSTREAM_TRY(query, RunQuery::parse(filter));
  const bool widened = scope == RunScope::listed && query.asksFor("is", "archived");
  const Candidates candidates(store, widened ? RunScope::all : scope);
  SLIPSTREAM_CHECK(candidates.check(query));
  if (words.empty()) return candidates.matching(query);
  SLIPSTREAM_TRY(runs, unionOf(store, candidates, words, without));
  std::erase_if(runs, [&](const RunRecord& run) { return !candidates.matches(query, run); });
  return runs;
}

}  // namespace

bool readsAsSelection(const std::string& word) {
  return isRunId(word) || isNewest(word) || holdsFilterSign(word);
}

Result<RunRecord> findRun(RunStore& store, const std::string& word) {
  if (isRunId(word) || word == "last") {  // without a look at all the others
    auto run = store.find(word);
    if (run && (word != "last" || !isArchived(store, run->id))) return run;
  }
  const Candidates candidates(store, RunScope::listed);
  SLIPSTREAM_TRY(selected, selectedBy(store, candidates, word));
  if (selected.heads.empty()) return noMatch("RUN", word, RunScope::listed);
  if (selected.heads.size() == 1) return store.find(selected.heads.front().id);
  return fail("RUN", "",
              fmt::format("'{}' names {}, and one is wanted: {}", word, counted(std::ssize(selected.heads), "run"),
                          listed(selected.heads)),
              "name one by its id");
}

Result<std::vector<RunRecord>> findRuns(RunStore& store, const std::vector<std::string>& words,
                                        const std::string& filter, RunScope scope) {
  SLIPSTREAM_TRY(heads, select(store, words, filter, scope, NoMatch::isFailure));
  if (heads.empty()) return noMatch(filter.empty() ? "RUN" : "--filter", filter, scope);
  return whole(store, heads);
}

Result<std::vector<RunRecord>> findHeads(RunStore& store, const std::vector<std::string>& words,
                                         const std::string& filter, RunScope scope) {
  return select(store, words, filter, scope, NoMatch::isNone);
}

}  // namespace slipstream
