// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/decision.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace slipstream {
namespace {

const EnumNames<Effect> effects{
    {"on", Effect::on}, {"off", Effect::off}, {"adjusted", Effect::adjusted}, {"no_effect", Effect::noEffect}};

const EnumNames<Reason> reasons{{"other", Reason::other},
                                {"level", Reason::level},
                                {"level_default", Reason::levelDefault},
                                {"mode", Reason::mode},
                                {"dictionary", Reason::dictionary},
                                {"written", Reason::written},
                                {"option", Reason::option},
                                {"displaced", Reason::displaced},
                                {"ranks", Reason::ranks},
                                {"network", Reason::network},
                                {"data", Reason::data},
                                {"device", Reason::device},
                                {"environment", Reason::environment}};

constexpr const char* noEffectPrefix = "no effect: ";
constexpr const char* noEffectRemedy = "remove it where that is meant";

Effect effectOfText(const Decision& decision, const std::string& why) {
  if (decision.state == "no effect" || why.starts_with(noEffectPrefix)) return Effect::noEffect;
  return valueOf(effects, decision.state).value_or(Effect::adjusted);
}

Reason reasonOfText(const std::string& why) {
  if (why.starts_with("level ")) return Reason::level;
  if (why.find(", so as level ") != std::string::npos) return Reason::levelDefault;
  if (why.starts_with("mode ")) return Reason::mode;
  return why.ends_with(" in the dictionary") ? Reason::dictionary : Reason::other;
}

/// A decision of a build that wrote only subject, state and why, and later the remedy.
void completeFromText(Decision& decision) {
  const std::string why = decision.why.in();
  decision.effect = effectOfText(decision, why);
  decision.reason = reasonOfText(why);
  if (decision.remedy.empty() && why.starts_with(noEffectPrefix)) decision.remedy = noEffectRemedy;
}

Text withoutEffect(Text why) {
  return phrase(std::string(noEffectPrefix) + "{}", {std::move(why)});
}

Text whyOfText(const std::string& why) {
  if (!why.starts_with(noEffectPrefix)) return phrase(why);
  return withoutEffect(phrase(why.substr(std::string_view(noEffectPrefix).size())));
}

/// `why` in English, for people and programs. Where it is more than a message without arguments, `words` beside it is
/// what is read.
void describeWhy(Fields& fields, Decision& decision) {
  std::string english = decision.why.in();
  const bool isMessage = decision.why == whyOfText(english);
  fields.text("why", english, {});
  Json words = storedForm(decision.why);
  if (fields.wants("words", !isMessage)) fields.raw("words", words);
  decision.why = textOfStored(words);
  if (decision.why.empty()) decision.why = whyOfText(english);
}

}  // namespace

Decision switchedOn(std::string subject, Reason reason, Text why) {
  return {std::move(subject), Effect::on, "on", reason, std::move(why)};
}

Decision switchedOff(std::string subject, Reason reason, Text why) {
  return {std::move(subject), Effect::off, "off", reason, std::move(why)};
}

Decision adjusted(std::string subject, std::string value, Reason reason, Text why) {
  return {std::move(subject), Effect::adjusted, std::move(value), reason, std::move(why)};
}

Decision noEffect(std::string subject, std::string state, Reason reason, Text why) {
  return {std::move(subject), Effect::noEffect, std::move(state), reason, withoutEffect(std::move(why)),
          noEffectRemedy};
}

Decision warning(Decision decision, std::string remedy) {
  decision.remedy = std::move(remedy);
  return decision;
}

Text stateText(const Decision& decision) {
  const bool isSwitch = decision.state == "on" || decision.state == "off";
  return isSwitch ? phrase(decision.state) : Text(decision.state);
}

void describeDecision(Fields& fields, Decision& decision) {
  fields.text("subject", decision.subject, {});
  fields.text("state", decision.state, {});
  describeWhy(fields, decision);
  if (fields.wants("remedy", !decision.remedy.empty())) fields.text("remedy", decision.remedy, {});
  if (!fields.wants("effect", true)) return completeFromText(decision);
  choice(fields, "effect", decision.effect, effects);
  choice(fields, "reason", decision.reason, reasons);
}

}  // namespace slipstream
