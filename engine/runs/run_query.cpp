// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <functional>
#include <optional>
#include <regex>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/boost/metrics.h"
#include "engine/plan/run_plan.h"
#include "engine/runs/run_outcome.h"
#include "engine/runs/run_selection.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {
namespace {

/// Columns of the kind, and what is no column.
std::vector<std::string> keysOf(bool texts) {
  std::vector<std::string> keys;
  if (texts) keys = {"is", "algo", "launch", "data"};
  if (!texts) keys = {"date"};
  for (const RunColumn& column : runColumns()) {
    if (column.isText() == texts) keys.emplace_back(column.key);
  }
  return keys;
}

const std::vector<std::string>& textKeys() {
  static const std::vector<std::string> keys = keysOf(true);
  return keys;
}
const std::vector<std::string>& numberKeys() {
  static const std::vector<std::string> keys = keysOf(false);
  return keys;
}
constexpr std::string_view signs = ":=<>";

/// The metrics that have one series a run. That a store has none of it yet does not make one unknown.
std::vector<std::string> knownMetrics() {
  std::vector<std::string> names;
  for (const MetricInfo& info : metricInfos()) {
    if (!info.isFamily()) names.emplace_back(info.name);
  }
  return names;
}

/// "cosine": what the names of many series begin with, and no series.
bool isFamily(const std::string& name) {
  return findMetric(name) == nullptr && std::ranges::any_of(metricInfos(), [&](const MetricInfo& info) {
           return info.isFamily() && info.name.starts_with(name + "/");
         });
}

const std::vector<std::string> operators{":", "=", "==", "<", "<=", ">", ">="};
const std::vector<std::string> states{"draft",    "queued", "preempted", "starting", "running",
                                      "stopping", "done",   "failed",    "stopped",  "lost"};
const std::vector<std::string> qualities{"pinned", "archived", "alive"};

std::string small(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return lower;
}

bool has(std::string_view text, const std::string& part) {
  return small(text).find(part) != std::string::npos;
}

bool isOneOf(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string meant(const std::string& word, const std::vector<std::string>& known) {
  if (const auto near = nearestWord(word, known)) return "did you mean " + *near + "?";
  return "it may be " + join(known, ", ");
}

/// Where the key ends: at the first of : = < > !=, if letters, digits, _ / . are before it.
std::size_t keyEnd(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' ||
                               text[end] == '/' || text[end] == '.')) {
    ++end;
  }
  const bool operatorFollows = end > 0 && end < text.size() &&
                               (signs.find(text[end]) != std::string_view::npos || text.substr(end).starts_with("!="));
  return operatorFollows ? end : 0;
}

/// All of : = < > ! that are there together, whether they make an operator or not.
std::string_view signsAt(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of(":=<>!", at);
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

/// Null for a metric that is no column.
const RunColumn* columnOf(const std::string& key) {
  const auto place = findRunColumn(key);
  return place ? &runColumns()[*place] : nullptr;
}

/// Whether values are fractions of 1, which people also write in percent.
bool isFraction(const std::string& key) {
  if (const RunColumn* column = columnOf(key)) return column->format == ColumnFormat::percent;
  const MetricInfo* info = findMetric(key);
  return info != nullptr && info->isFraction();
}

bool isDate(const std::string& key) {
  const RunColumn* column = columnOf(key);
  return column != nullptr && column->format == ColumnFormat::date;
}

/// "accuracy>0.9": a comparison that could be meant.
std::string exampleOf(const std::string& key) {
  if (isDate(key)) return key + ">=2026-03-14";
  const RunColumn* column = columnOf(key);
  const std::string unit(column == nullptr || isFraction(key) ? "" : column->unit());
  return key + (isFraction(key) ? ">0.9" : ">4" + unit);
}

/// What to write where the signs behind a key are no operator of it.
std::string operatorRemedy(const std::string& key, const std::string& value) {
  if (!isOneOf(key, textKeys())) {
    return fmt::format("write one of {}, for example {}; a minus before a term turns it round", join(operators, " "),
                       exampleOf(key));
  }
  const std::string term = key + ":" + (value.empty() ? "TEXT" : value);
  return fmt::format("write {}, or -{} for all other runs", term, term);
}

bool holdsWord(const std::string& word, const RunRecord& run, const RunLabel& label) {
  for (const std::string* text : {&run.name, &run.variant, &run.experimentName, &run.id, &label.title, &label.note}) {
    if (has(*text, word)) return true;
  }
  return std::any_of(label.tags.begin(), label.tags.end(), [&](const std::string& tag) { return has(tag, word); });
}

/// What a metric ended with; nothing where the run has no such metric, or its values are damaged.
std::optional<double> endOf(RunStore& store, const std::string& runId, const std::string& metric) {
  std::vector<std::string> damaged;
  const Series series = readIntactSeries(store, runId, metric, damaged);
  if (series.values.empty()) return std::nullopt;
  const MetricInfo* info = findMetric(metric);
  return info != nullptr && info->endsAsMean ? finalLoss(series) : series.values.back();
}

/// Whether the values of a metric that is no column are seconds.
bool isInSeconds(const std::string& key) {
  const MetricInfo* info = findMetric(key);
  return info != nullptr && info->unit == "ms";
}

struct Unit {
  std::string_view name;
  double factor;  ///< to the unit of the column
};

/// The units that a number of the column may be written in, its own among them.
std::vector<Unit> unitsOf(const std::string& key) {
  const RunColumn* column = columnOf(key);
  if (column == nullptr && isInSeconds(key)) return {{"ms", 0.001}, {"min", 60}, {"h", 3600}, {"s", 1}};
  if (column == nullptr || isFraction(key)) return {{"%", 0.01}};
  switch (column->format) {
    case ColumnFormat::seconds:
      return {{"ms", 0.001}, {"min", 60}, {"h", 3600}, {"s", 1}};
    case ColumnFormat::milliseconds:
      return {{"ms", 1}, {"s", 1000}};
    case ColumnFormat::megabytes:
      return {{"kB", 0.001}, {"MB", 1}, {"GB", 1000}};
    default:
      return {};
  }
}

/// "ms, min, h or s"; empty where a number has no other unit than its own.
std::string unitsText(const std::string& key) {
  const std::vector<Unit> units = unitsOf(key);
  std::string text;
  for (std::size_t i = 0; i < units.size() && units.size() > 1; ++i) {
    text += (i == 0 ? "" : i + 1 == units.size() ? " or " : ", ") + std::string(units[i].name);
  }
  return text;
}

/// "97%" of a fraction is 0.97, "1.2GB" of megabytes 1,200.
std::optional<double> numberIn(const std::string& key, const std::string& text) {
  for (const Unit& unit : unitsOf(key)) {
    if (!endsWith(small(text), small(unit.name))) continue;
    const auto number = parseNumber(trim(std::string_view(text).substr(0, text.size() - unit.name.size())));
    if (number) return *number * unit.factor;
  }
  return parseNumber(text);
}

std::optional<std::uint64_t> wholeNumberIn(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A moment in UTC, and how long what was written lasts; wall nanoseconds.
struct Moment {
  double begin = 0, length = 0;
};

/// A time as lists show it, or the beginning of one: "2026", "2026-03-14", "2026-03-14T14:22", "2026-03-14 14:22:05".
std::optional<Moment> momentIn(const std::string& text) {
  static const std::regex pattern(R"((\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::(\d\d)(?::(\d\d))?)?)?)?)?)");
  std::smatch parts;
  if (!std::regex_match(text, parts, pattern)) return std::nullopt;
  const auto part = [&](std::size_t at, int otherwise) { return parts[at].matched ? std::stoi(parts[at]) : otherwise; };
  const std::chrono::year year(part(1, 0));
  const std::chrono::month month(static_cast<unsigned>(part(2, 1)));
  const std::chrono::year_month_day date{year, month, std::chrono::day(static_cast<unsigned>(part(3, 1)))};
  const int hour = part(4, 0), minute = part(5, 0), second = part(6, 0);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::chrono::sys_days day(date);
  const auto begin = day + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  std::chrono::sys_seconds end = begin + std::chrono::seconds(1);
  if (!parts[6].matched) end = begin + std::chrono::minutes(1);
  if (!parts[5].matched) end = begin + std::chrono::hours(1);
  if (!parts[4].matched) end = begin + std::chrono::days(1);
  if (!parts[3].matched) end = std::chrono::sys_days((year / month + std::chrono::months(1)) / 1);
  if (!parts[2].matched) end = std::chrono::sys_days((year + std::chrono::years(1)) / 1 / 1);
  constexpr double nanoseconds = 1e9;
  return Moment{nanoseconds * static_cast<double>(begin.time_since_epoch().count()),
                nanoseconds * static_cast<double>((end - begin).count())};
}

/// Metrics that are columns too are read as metrics: one series is enough for them.
bool isMetric(const std::string& key) {
  return findMetric(key) != nullptr || columnOf(key) == nullptr;
}

bool holdsQuality(const std::string& quality, const RunRecord& run, const RunLabel& label) {
  if (quality == "pinned") return label.pinned;
  if (quality == "archived") return label.archived;
  return !isTerminal(run.state);
}

}  // namespace

/// One term as it was written.
struct RunQuery::Piece {
  std::size_t place = 0;  ///< number of its first character in the query, from 1; behind a minus
  std::string text;       ///< without minus and quotes
  bool negated = false;
  bool quoted = false;  ///< from its first letter on: a word, whatever it holds
  bool open = false;    ///< the closing quote is missing
};

std::vector<RunQuery::Piece> RunQuery::piecesOf(std::string_view text) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    Piece piece;
    if (text[at] == '-' && at + 1 < text.size() && text[at + 1] != ' ') {
      piece.negated = true;
      ++at;
    }
    piece.quoted = text[at] == '"';
    piece.place = 1 + characterCount(text.substr(0, at));
    bool inside = false;
    for (; at < text.size() && (inside || (text[at] != ' ' && text[at] != '\t')); ++at) {
      if (text[at] == '"') {
        inside = !inside;
      } else {
        piece.text += text[at];
      }
    }
    piece.open = inside;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

Result<RunQuery> RunQuery::parse(std::string_view text) {
  RunQuery query;
  Failures failures;
  for (const Piece& piece : piecesOf(text)) {
    auto term = termOf(piece);
    if (collect(term, failures) && !(term->key.empty() && term->text.empty())) query.terms_.push_back(std::move(*term));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return query;
}

bool RunQuery::asksFor(const std::string& key, const std::string& text) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return !term.negated && term.key == key && term.text == text; });
}

Result<RunQuery::Term> RunQuery::termOf(const Piece& piece) {
  if (piece.open) return fail("filter", piece.text, "a quotation mark is not closed", "add \" at its end");
  Term term;
  term.negated = piece.negated;
  const std::size_t end = piece.quoted ? 0 : keyEnd(piece.text);
  if (end == 0) {
    term.text = small(piece.text);
    return term;
  }
  term.key = small(std::string_view(piece.text).substr(0, end));
  const char sign = piece.text[end];
  const std::string_view together = signsAt(piece.text, end);
  // A text may begin with such a sign itself, a number cannot.
  if (sign == '!' || (!isOneOf(term.key, textKeys()) && !isOneOf(std::string(together), operators))) {
    return fail("filter", piece.text, fmt::format("'{}' at character {} is no operator", together, piece.place + end),
                operatorRemedy(term.key, piece.text.substr(end + together.size())));
  }
  const bool orEqual = sign != ':' && end + 1 < piece.text.size() && piece.text[end + 1] == '=';
  const std::string value = piece.text.substr(end + (orEqual ? 2 : 1));
  if (value.empty()) return fail("filter", piece.text, "nothing is after " + term.key, "write a value there");
  const bool equal = sign == ':' || sign == '=';
  if (isOneOf(term.key, textKeys())) {
    if (!equal) return fail("filter", piece.text, term.key + " is a text", operatorRemedy(term.key, value));
    term.text = small(value);
    SLIPSTREAM_CHECK(checkText(term, piece.text));
    return term;
  }
  const auto number = isDate(term.key) ? std::nullopt : numberIn(term.key, value);
  if (!number && equal && !isOneOf(term.key, numberKeys())) {
    std::vector<std::string> keys = textKeys();
    keys.insert(keys.end(), numberKeys().begin(), numberKeys().end());
    return fail("filter", piece.text, term.key + " is no key", meant(term.key, keys) + "; words with : go in quotes");
  }
  term.comparison = equal         ? Comparison::equal
                    : sign == '<' ? (orEqual ? Comparison::lessOrEqual : Comparison::less)
                                  : (orEqual ? Comparison::greaterOrEqual : Comparison::greater);
  if (isDate(term.key)) return dateTerm(std::move(term), piece, value);
  if (!number) {
    const std::string units = unitsText(term.key);
    return fail("filter", piece.text, value + " is no number" + (units.empty() ? "" : " of " + units),
                "write one, for example " + exampleOf(term.key));
  }
  if (isFraction(term.key) && *number > 1) {
    return fail("filter", piece.text, term.key + " is a fraction of 1",
                "write " + piece.text + "% or " + term.key + sign + (orEqual ? "=" : "") + numberText(*number / 100));
  }
  term.number = *number;
  term.whole = wholeNumberIn(value);
  return term;
}

Result<RunQuery::Term> RunQuery::dateTerm(Term term, const Piece& piece, const std::string& value) {
  const auto moment = momentIn(value);
  if (!moment)
    return fail("filter", piece.text, value + " is no time",
                "write one in UTC, for example " + exampleOf(term.key) + " or " + term.key + "<\"2026-03-14 09:30\"");
  term.number = moment->begin;
  term.width = moment->length;
  return term;
}

Status RunQuery::checkText(const Term& term, const std::string& written) {
  if (term.key == "state" && !isOneOf(term.text, states)) {
    return fail("filter", written, term.text + " is no state", meant(term.text, states));
  }
  if (term.key == "is" && !isOneOf(term.text, qualities)) {
    return fail("filter", written, "a run is never " + term.text, meant(term.text, qualities));
  }
  return {};
}

Status RunQuery::checkMetrics(RunStore& store, const std::vector<std::string>& runs) const {
  Failures failures;
  for (const Term& term : terms_) {
    const std::string& key = term.key;
    if (key.empty() || isOneOf(key, textKeys()) || columnOf(key) != nullptr || findMetric(key) != nullptr) continue;
    if (isFamily(key)) {
      failures.push_back({"filter", key, "names many metrics, one a tensor or part",
                          "name one of them as slipstream show RUN does, such as " + key + "/NAME"});
      continue;
    }
    std::vector<std::string> known = numberKeys(), damaged;
    for (const std::string& name : knownMetrics()) known.push_back(name);
    // The newest first: most filters are about what runs have now.
    const bool found = std::any_of(runs.rbegin(), runs.rend(), [&](const std::string& run) {
      const auto names = intactMetricNames(store, run, damaged);
      known.insert(known.end(), names.begin(), names.end());
      return isOneOf(key, names);
    });
    if (found || !damaged.empty()) continue;
    const auto near = nearestWord(key, known);
    failures.push_back({"filter", key, "no run has such a metric",
                        near ? "did you mean " + *near + "?" : "slipstream show RUN names the metrics of a run"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

/// A day lasts until its end: what is later than a day is not in it.
bool RunQuery::compares(const Term& term, double value) {
  const double end = term.number + term.width;
  switch (term.comparison) {
    case Comparison::less:
      return value < term.number;
    case Comparison::lessOrEqual:
      return term.width > 0 ? value < end : value <= term.number;
    case Comparison::greater:
      return term.width > 0 ? value >= end : value > term.number;
    case Comparison::greaterOrEqual:
      return value >= term.number;
    default:
      return term.width > 0 ? value >= term.number && value < end : value == term.number;
  }
}

/// Numbers of more than 53 bits do not survive as floating point.
bool RunQuery::comparesSeed(const Term& term, std::uint64_t seed) {
  if (!term.whole) return compares(term, static_cast<double>(seed));
  switch (term.comparison) {
    case Comparison::less:
      return seed < *term.whole;
    case Comparison::lessOrEqual:
      return seed <= *term.whole;
    case Comparison::greater:
      return seed > *term.whole;
    case Comparison::greaterOrEqual:
      return seed >= *term.whole;
    default:
      return seed == *term.whole;
  }
}

/// Where terms find what the head and the label do not say.
struct RunQuery::Source {
  std::function<const RunValues&()> values;
  std::function<std::vector<std::string>()> acting;
  std::function<std::optional<double>(const std::string& metric)> metric;
};

bool RunQuery::holds(const Term& term, const Source& source, const RunRecord& run, const RunLabel& label) {
  const std::string& key = term.key;
  if (key.empty()) return holdsWord(term.text, run, label);
  if (key == "state") return nameOf(run.state) == term.text;
  if (key == "is") return holdsQuality(term.text, run, label);
  if (key == "name") return has(label.title.empty() ? run.name : label.title, term.text);
  if (key == "experiment") return small(run.experimentName) == term.text;
  if (key == "variant") return small(run.variant) == term.text;
  if (key == "group" || key == "launch") return small(run.group) == term.text;
  if (key == "device") return has(run.device, term.text);
  if (key == "id") return startsWith(run.id, term.text);
  if (key == "note") return has(label.note, term.text);
  if (key == "seed") return comparesSeed(term, run.seed);
  if (key == "ranks") return compares(term, run.ranks);
  if (key == "attempt") return compares(term, run.attempt);
  if (key == "created" || key == "date") return compares(term, static_cast<double>(run.createdAt));
  if (key == "tag") {
    return std::any_of(label.tags.begin(), label.tags.end(), [&](const auto& tag) { return small(tag) == term.text; });
  }
  if (key == "algo") return isOneOf(term.text, source.acting());
  if (isOneOf(key, textKeys())) return small(source.values().at(key).text) == term.text;
  const auto value = isMetric(key) ? source.metric(key) : source.values().at(key).number;
  return value && compares(term, *value);
}

/// What columns need is read once for all terms.
bool RunQuery::matches(RunStore& store, const RunRecord& run, const RunLabel& label) const {
  std::optional<RunValues> values;
  const auto whole = [&]() -> const RunValues& {
    if (!values) {
      const auto found = store.find(run.id);
      values = found ? readRunValues(store, *found, label, asksFor("study") ? studiesOfRuns(store) : StudiesOfRuns())
                     : valuesOfHead(run, label);
    }
    return *values;
  };
  const auto acting = [&] {
    const auto found = store.find(run.id);
    return found ? algorithmsOf(*found) : std::vector<std::string>();
  };
  const Source source{whole, acting, [&](const std::string& metric) { return endOf(store, run.id, metric); }};
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, source, run, label) != term.negated; });
}

std::vector<std::size_t> RunQuery::boundedColumns() const {
  std::vector<std::size_t> columns;
  for (const Term& term : terms_) {
    const auto column = findRunColumn(term.key);
    const bool bounds = term.comparison != Comparison::contains && term.comparison != Comparison::equal;
    if (!column || !bounds || std::ranges::count(columns, *column) > 0) continue;
    columns.push_back(*column);
  }
  return columns;
}

bool RunQuery::asksFor(const std::string& key) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const Term& term) { return term.key == key; });
}

bool RunQuery::needsStore() const {
  return std::any_of(terms_.begin(), terms_.end(), [](const Term& term) {
    return !term.key.empty() && !isOneOf(term.key, textKeys()) && columnOf(term.key) == nullptr;
  });
}

bool RunQuery::matches(const RunValues& values, const RunRecord& run, const RunLabel& label) const {
  const Source source{[&]() -> const RunValues& { return values; }, [&] { return values.acting; },
                      [&](const std::string& metric) { return values.at(metric).number; }};
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return holds(term, source, run, label) != term.negated; });
}

std::vector<std::string> algorithmsOf(const RunPlan& plan) {
  std::vector<std::string> on;
  for (const Decision& decision : allDecisions(plan)) {
    if (decision.acts()) on.push_back(small(decision.subject.substr(decision.subject.rfind('.') + 1)));
  }
  return on;
}

std::vector<std::string> algorithmsOf(const RunRecord& wholeRun) {
  const auto plan = parseRunPlan(wholeRun.planText);
  return plan ? algorithmsOf(*plan) : std::vector<std::string>();
}

}  // namespace slipstream
