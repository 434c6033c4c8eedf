// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/decision.h"

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

Effect effectOfText(const Decision& decision) {
  if (decision.state == "no effect" || decision.why.starts_with(noEffectPrefix)) return Effect::noEffect;
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
  decision.effect = effectOfText(decision);
  decision.reason = reasonOfText(decision.why);
  if (decision.remedy.empty() && decision.why.starts_with(noEffectPrefix)) decision.remedy = noEffectRemedy;
}

}  // namespace

Decision switchedOn(std::string subject, Reason reason, std::string why) {
  return {std::move(subject), Effect::on, "on", reason, std::move(why)};
}

Decision switchedOff(std::string subject, Reason reason, std::string why) {
  return {std::move(subject), Effect::off, "off", reason, std::move(why)};
}

Decision adjusted(std::string subject, std::string value, Reason reason, std::string why) {
  return {std::move(subject), Effect::adjusted, std::move(value), reason, std::move(why)};
}

Decision noEffect(std::string subject, std::string state, Reason reason, const std::string& why) {
  return warning({std::move(subject), Effect::noEffect, std::move(state), reason, noEffectPrefix + why},
                 noEffectRemedy);
}

Decision warning(Decision decision, std::string remedy) {
  decision.remedy = std::move(remedy);
  return decision;
}

void describeDecision(Fields& fields, Decision& decision) {
  fields.text("subject", decision.subject, {});
  fields.text("state", decision.state, {});
  fields.text("why", decision.why, {});
  if (fields.wants("remedy", !decision.remedy.empty())) fields.text("remedy", decision.remedy, {});
  if (!fields.wants("effect", true)) return completeFromText(decision);
  choice(fields, "effect", decision.effect, effects);
  choice(fields, "reason", decision.reason, reasons);
}

}  // namespace slipstream
