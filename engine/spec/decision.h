// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/fields.h"

namespace slipstream {

/// What became of an algorithm or a setting in a run.
enum class Effect { on, off, adjusted, noEffect };

/// Why, for programs: nobody reads the text of a decision to find out.
enum class Reason {
  other,         ///< none of the below, or stored before decisions had reasons
  level,         ///< boost.level
  levelDefault,  ///< the dictionary does not name the algorithm, so the level decides
  mode,          ///< the dictionary's mode
  dictionary,    ///< the dictionary names the algorithm
  written,       ///< a key of the experiment says so
  option,        ///< the values of the algorithm's own options
  displaced,     ///< another algorithm or key takes its place
  ranks,         ///< how many ranks there are, and where
  network,
  data,
  device,
  environment  ///< a variable or a flag
};

/// An English sentence as a pattern, whose places "{}" take the arguments: the catalogue of the reports has the pattern
/// in other languages. "{1}" takes the second argument.
struct Phrase {
  std::string pattern;
  std::vector<Phrase> arguments;

  Phrase(std::string words = {}, std::vector<Phrase> values = {})
      : pattern(std::move(words)), arguments(std::move(values)) {}
  Phrase(const char* words, std::vector<Phrase> values = {}) : Phrase(std::string(words), std::move(values)) {}

  bool empty() const { return pattern.empty(); }
  std::string text() const;
  bool operator==(const Phrase&) const = default;
};
/// "1 rank", "2 ranks": `noun` in the singular, one whose plural takes an s.
Phrase countPhrase(std::int64_t count, const std::string& noun);

/// One line of the plan: what an algorithm or setting does in this run, and why. Made by the functions below.
struct Decision {
  std::string subject;  ///< algorithm or key path
  Effect effect = Effect::adjusted;
  std::string state;  ///< "on", "off", or the value that was taken or asked for
  Reason reason = Reason::other;
  std::string why;
  std::string remedy = {};  ///< what to do where that is not meant; empty where nobody need be told
  Phrase words = why;       ///< what `why` was made of
  bool operator==(const Decision&) const = default;

  /// The algorithm or key takes part in the run, whatever its value.
  bool acts() const { return effect == Effect::on || effect == Effect::adjusted; }
};

Decision switchedOn(std::string subject, Reason reason, Phrase why);
Decision switchedOff(std::string subject, Reason reason, Phrase why);
/// A value that was chosen, changed or read somewhere.
Decision adjusted(std::string subject, std::string value, Reason reason, Phrase why);
/// The line about a key or an algorithm that was asked for and does not act. `why` is put behind "no effect: ".
Decision noEffect(std::string subject, std::string state, Reason reason, Phrase why);
/// The same as a warning, with what to do about it.
Decision warning(Decision decision, std::string remedy);

/// Walks over the keys of a decision. Effect and reason of plans that were stored without them are told from their text
/// here, and nowhere else.
void describeDecision(Fields& fields, Decision& decision);

}  // namespace slipstream
