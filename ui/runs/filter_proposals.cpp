// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>

#include "engine/base/text.h"
#include "ui/runs/filter_line.h"
#include "ui/runs/run_table.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostProposals = 12;
const QString comparisons = QStringLiteral(":=<>");

QString translated(const char* text) {
  return QCoreApplication::translate("FilterLine", text);
}

/// The term that ends at the cursor.
struct Typed {
  int begin = 0;      ///< of what a proposal replaces
  QString key, sign;  ///< empty before there is one
  QString text;       ///< of the key, or of the value behind the sign
};

Typed typedAt(const QString& line, int cursor) {
  Typed typed;
  int begin = cursor;
  while (begin > 0 && !line[begin - 1].isSpace()) --begin;
  if (begin < cursor && line[begin] == QLatin1Char('-')) ++begin;
  const QString term = line.mid(begin, cursor - begin);
  const auto at = std::find_if(term.begin(), term.end(), [](QChar letter) { return comparisons.contains(letter); });
  if (at == term.end()) return {begin, {}, {}, term};
  const auto sign = static_cast<int>(at - term.begin());
  int value = sign;
  while (value < term.size() && comparisons.contains(term[value])) ++value;
  return {begin + value, term.left(sign).toLower(), term.mid(sign, value - sign), term.mid(value)};
}

QString keyOf(const RunColumn& column) {
  return QString::fromUtf8(column.key.data(), static_cast<qsizetype>(column.key.size()));
}

/// "88.10 … 98.97 %", "on 14 runs"
QString remarkOn(const RunColumn& column, const ColumnExtent& extent) {
  if (column.isText()) {
    const int count = static_cast<int>(extent.texts.size());
    return count == 0 ? translated(QT_TRANSLATE_NOOP("FilterLine", "not in any run"))
                      : QCoreApplication::translate("FilterLine", "%n value(s)", nullptr, count);
  }
  if (extent.numbers == 0) return translated(QT_TRANSLATE_NOOP("FilterLine", "not in any run"));
  const QString range = QStringLiteral("%1 … %2").arg(shownText(column, {extent.lowest, {}, false}),
                                                      shownText(column, {extent.highest, {}, false}));
  const std::string_view unit = column.unit();
  if (unit.empty()) return range;
  return QStringLiteral("%1 %2").arg(range, QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())));
}

/// Values with blanks or signs stand in quotes.
QString quoted(const QString& value) {
  const bool plain = std::ranges::none_of(value, [](QChar letter) { return letter.isSpace(); });
  return plain ? value : QLatin1Char('"') + value + QLatin1Char('"');
}

/// No line holds a quotation mark within quotes, or a line break.
bool isWritable(const QString& value) {
  return std::ranges::none_of(value, [](QChar letter) { return letter == QLatin1Char('"') || !letter.isPrint(); });
}

/// A run of which nothing but this is known.
RunRecord recordWith(const RunColumn& column, double value) {
  RunRecord run;
  if (column.key == "created") run.createdAt = static_cast<std::int64_t>(value);
  if (column.key == "seed") run.seed = static_cast<std::uint64_t>(value);
  if (column.key == "ranks") run.ranks = static_cast<int>(value);
  if (column.key == "attempt") run.attempt = static_cast<int>(value);
  return run;
}

/// Whether a term about the column holds for a run with that value.
bool holds(const std::string& term, const RunColumn& column, double value) {
  const auto query = RunQuery::parse(term);
  if (!query || query->needsStore()) return false;
  RunValues values;
  values.columns.resize(runColumns().size());
  values.columns[*findRunColumn(column.key)].number = value;
  return query->matches(values, recordWith(column, value), {});
}

class Proposals {
 public:
  Proposals(const QString& line, int cursor, const std::vector<ColumnExtent>& extents)
      : line_(line), cursor_(cursor), extents_(extents), typed_(typedAt(line, cursor)) {}

  std::vector<FilterProposal> all() {
    if (typed_.key.isEmpty()) {
      proposeKeys();
    } else {
      proposeValues();
    }
    if (found_.size() > mostProposals) found_.resize(mostProposals);
    return std::move(found_);
  }

 private:
  void add(const QString& text, const QString& remark) {
    found_.push_back({text, remark, line_.left(typed_.begin) + text + line_.mid(cursor_)});
  }

  /// How near a name is to what is typed.
  enum class Match { begins, holds, title, none };

  /// "time" is in no key, but in what training_seconds is called.
  Match matchOf(const QString& key, const QString& title) const {
    if (key.startsWith(typed_.text, Qt::CaseInsensitive)) return Match::begins;
    if (key.contains(typed_.text, Qt::CaseInsensitive)) return Match::holds;
    return title.contains(typed_.text, Qt::CaseInsensitive) ? Match::title : Match::none;
  }

  /// Names that begin so come before those that hold it, and these before those that are called so.
  void proposeKeys() {
    if (typed_.text.isEmpty()) return;
    for (const Match match : {Match::begins, Match::holds, Match::title}) {
      for (std::size_t place = 0; place < runColumns().size(); ++place) proposeKey(place, match);
      for (const auto& [word, remark] : words()) {
        if (matchOf(word, {}) == match) add(word, remark);
      }
    }
  }

  static std::vector<std::pair<QString, QString>> words() {
    return {{QStringLiteral("is:"), translated(QT_TRANSLATE_NOOP("FilterLine", "pinned, archived or alive"))},
            {QStringLiteral("algo:"), translated(QT_TRANSLATE_NOOP("FilterLine", "one that acts in the run"))}};
  }

  void proposeKey(std::size_t place, Match match) {
    const RunColumn& column = runColumns()[place];
    const QString key = keyOf(column);
    if (matchOf(key, columnTitle(column)) != match) return;
    if (place >= extents_.size()) return add(key, {});
    const QString remark = remarkOn(column, extents_[place]);
    if (typed_.text.compare(key, Qt::CaseInsensitive) != 0) return add(key, remark);
    const std::vector<const char*> signs =
        column.isText() ? std::vector<const char*>{":"} : std::vector<const char*>{">=", "<=", ">", "<", ":"};
    for (const char* sign : signs) add(key + QLatin1String(sign), remark);
  }

  void proposeValues() {
    if (typed_.key == QLatin1String("is")) return proposeWords({"pinned", "archived", "alive"});
    const auto place = findRunColumn(typed_.key == QLatin1String("algo") ? "algorithms" : typed_.key.toStdString());
    if (!place || *place >= extents_.size()) return;
    const RunColumn& column = runColumns()[*place];
    if (!column.isText()) return proposeNumbers(column, extents_[*place]);
    const bool single = typed_.key == QLatin1String("algo") || typed_.key == QLatin1String("tag");
    for (const auto& [value, runs] : single ? extents_[*place].parts : extents_[*place].texts) {
      const QString text = QString::fromStdString(value);
      if (!text.contains(typed_.text, Qt::CaseInsensitive) || text == typed_.text || !isWritable(text)) continue;
      add(quoted(text), QCoreApplication::translate("FilterLine", "%n run(s)", nullptr, runs));
    }
  }

  void proposeWords(const std::vector<const char*>& all) {
    for (const char* word : all) {
      const QString text = QLatin1String(word);
      if (text.startsWith(typed_.text, Qt::CaseInsensitive) && text != typed_.text) add(text, {});
    }
  }

  /// What the runs have at the ends, with its unit, where the term holds for a run.
  void proposeNumbers(const RunColumn& column, const ColumnExtent& extent) {
    if (extent.numbers == 0 || !typed_.text.isEmpty()) return;
    proposeNumber(column, extent, extent.lowest, translated(QT_TRANSLATE_NOOP("FilterLine", "lowest")));
    if (extent.highest > extent.lowest) {
      proposeNumber(column, extent, extent.highest, translated(QT_TRANSLATE_NOOP("FilterLine", "highest")));
    }
  }

  /// As lists show it, or in full where rounding would leave no run.
  void proposeNumber(const RunColumn& column, const ColumnExtent& extent, double value, const QString& remark) {
    for (const QString& text : {written(column, value), QString::fromStdString(numberText(value))}) {
      const std::string term = (typed_.key + typed_.sign + text).toStdString();
      if (holds(term, column, extent.lowest) || holds(term, column, extent.highest)) return add(text, remark);
    }
  }

  static QString written(const RunColumn& column, double value) {
    QString text = QString::fromStdString(valueText(column, {value, {}, false}));
    text.remove(QLatin1Char(','));
    if (column.format == ColumnFormat::date) return text.replace(QLatin1Char(' '), QLatin1Char('T'));
    const std::string_view unit = column.unit();
    return text + QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
  }

  const QString& line_;
  int cursor_;
  const std::vector<ColumnExtent>& extents_;
  Typed typed_;
  std::vector<FilterProposal> found_;
};

}  // namespace

std::vector<FilterProposal> proposalsFor(const QString& line, int cursor, const std::vector<ColumnExtent>& extents) {
  return Proposals(line, cursor, extents).all();
}

std::vector<FilterTerm> termsOf(const QString& line) {
  std::vector<FilterTerm> terms;
  for (int at = 0; at < line.size();) {
    if (line[at].isSpace()) {
      ++at;
      continue;
    }
    FilterTerm term{at, 0, false};
    bool inside = false, hasSign = false;
    for (; at < line.size() && (inside || !line[at].isSpace()); ++at) {
      if (line[at] == QLatin1Char('"')) inside = !inside;
      // The last letter is the value of a condition, however short.
      if (hasSign) term.isCondition = true;
      hasSign = hasSign || (!inside && at > term.begin && comparisons.contains(line[at]));
    }
    term.length = at - term.begin;
    terms.push_back(term);
  }
  return terms;
}

}  // namespace slipstream::ui
