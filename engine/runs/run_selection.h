// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/runs/run_columns.h"
#include "engine/store/run_store.h"

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

/// Whether lists can show the tag in one line, and people can type it to select runs; failures are about `where`.
Status checkNewTag(const std::string& tag, const std::string& where);
/// The same of a run's name. An empty one takes the name away.
Status checkNewName(const std::string& name, const std::string& where);

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

/// What a list of runs is narrowed by. Every term must hold:
/// - a word, or several in "quotes", in the title, name, id, tags or note;
/// - KEY:TEXT with state, is (pinned, archived, alive), algo, tag, or a column of texts (run_columns.h), whose whole
///   text it is; with name, device or note, which hold it; or with id, which begins with it;
/// - KEY:NUMBER, KEY>NUMBER, >=, <, <= with a column of numbers or a metric, which stands for what it ended with, the
///   loss as the mean of the last steps (run_outcome.h). A number is in the unit of its column, or has one behind it:
///   memory>1.2GB, training_seconds<2min; an accuracy is a fraction of 1, 97% is 0.97. A metric that is no column is in
///   the unit in which it is stored;
/// - created:DATE, created>=DATE, ... with a day, or a day and a time, in UTC: 2026-03-14, 2026-03-14T14:22;
/// - any of these after a minus: must not hold.
/// Capitals do not matter.
class RunQuery {
 public:
  /// Failures name the term at fault and what it may be.
  static Result<RunQuery> parse(std::string_view text);

  bool isEmpty() const { return terms_.empty(); }
  /// Whether one of the terms is KEY:TEXT, and no minus is before it. Both in small letters.
  bool asksFor(const std::string& key, const std::string& text) const;
  /// Fails where a term compares a metric that none of these runs has and no run could have.
  Status checkMetrics(RunStore& store, const std::vector<std::string>& runs) const;
  /// Reads plans and metrics from the store only where a term asks for them.
  bool matches(RunStore& store, const RunRecord& run, const RunLabel& label) const;
  /// Whether a term asks for what no column has.
  bool needsStore() const;
  /// The same by what was read before; not where it needsStore().
  bool matches(const RunValues& values, const RunRecord& run, const RunLabel& label) const;

  /// The columns whose numbers a term bounds: places in runColumns(), each once, in the order of the terms.
  std::vector<std::size_t> boundedColumns() const;

  bool operator==(const RunQuery&) const = default;

 private:
  enum class Comparison { contains, equal, less, lessOrEqual, greater, greaterOrEqual };
  struct Term {
    bool negated = false;
    std::string key;  ///< empty: a word
    Comparison comparison = Comparison::contains;
    std::string text;  ///< in small letters
    double number = 0;
    double width = 0;                         ///< of what `number` begins: a day or a minute of nanoseconds
    std::optional<std::uint64_t> whole = {};  ///< `number` without loss, where it is such a number: seeds have 64 bits
    bool operator==(const Term&) const = default;
  };
  struct Piece;
  struct Source;

  static std::vector<Piece> piecesOf(std::string_view text);
  static Result<Term> termOf(const Piece& piece);
  static Status checkText(const Term& term, const std::string& written);
  static Result<Term> dateTerm(Term term, const Piece& piece, const std::string& value);
  static bool holds(const Term& term, const Source& source, const RunRecord& run, const RunLabel& label);
  static bool compares(const Term& term, double value);
  static bool comparesSeed(const Term& term, std::uint64_t seed);
  bool asksFor(const std::string& key) const;

  std::vector<Term> terms_;
};

/// The algorithms and parts that were on in a run, by its plan: "adasum", "less_bn", ….
std::vector<std::string> algorithmsOf(const RunPlan& plan);
/// "adasum, less_bn"; empty where gradients were averaged, and nothing else was done to them.
std::string algorithmsText(const std::vector<std::string>& acting);
/// The same; none where the plan cannot be read.
std::vector<std::string> algorithmsOf(const RunRecord& wholeRun);

}  // namespace slipstream
