// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/fields.h"
#include "engine/spec/text.h"

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

/// One line of the plan: what an algorithm or setting does in this run, and why. Made by the functions below.
struct Decision {
  std::string subject;  ///< algorithm or key path
  Effect effect = Effect::adjusted;
  std::string state;  ///< "on", "off", or the value that was taken or asked for
  Reason reason = Reason::other;
  Text why;
  std::string remedy = {};  ///< what to do where that is not meant; empty where nobody need be told
  bool operator==(const Decision&) const = default;

  /// The algorithm or key takes part in the run, whatever its value.
  bool acts() const { return effect == Effect::on || effect == Effect::adjusted; }
};

Decision switchedOn(std::string subject, Reason reason, Text why);
Decision switchedOff(std::string subject, Reason reason, Text why);
/// A value that was chosen, changed or read somewhere.
Decision adjusted(std::string subject, std::string value, Reason reason, Text why);
/// The line about a key or an algorithm that was asked for and does not act. `why` is put behind "no effect: ".
Decision noEffect(std::string subject, std::string state, Reason reason, Text why);
/// The same as a warning, with what to do about it.
Decision warning(Decision decision, std::string remedy);

/// The state in the reader's language where it is a switch. Values, which may be what a user wrote, are the same in
/// every language.
Text stateText(const Decision& decision);

/// Walks over the keys of a decision. Effect and reason of plans that were stored without them are told from their text
/// here, and nowhere else.
void describeDecision(Fields& fields, Decision& decision);

}  // namespace slipstream
