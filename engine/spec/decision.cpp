// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/decision.h"

#include <algorithm>

#include "engine/base/text.h"

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

Decision made(std::string subject, Effect effect, std::string state, Reason reason, Phrase why) {
  std::string words = why.text();
  return {std::move(subject), effect, std::move(state), reason, std::move(words), {}, std::move(why)};
}

/// A pattern alone, or a list of it and its arguments.
Json jsonOf(const Phrase& phrase) {
  if (phrase.arguments.empty()) return phrase.pattern;
  Json list = Json::array({phrase.pattern});
  for (const Phrase& argument : phrase.arguments) list.push_back(jsonOf(argument));
  return list;
}

Phrase phraseOf(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  Phrase phrase;
  if (!json.is_array() || json.empty() || !json[0].is_string()) return phrase;
  phrase.pattern = json[0].get<std::string>();
  for (std::size_t i = 1; i < json.size(); ++i) phrase.arguments.push_back(phraseOf(json[i]));
  return phrase;
}

Phrase phraseOfText(const std::string& why) {
  if (!why.starts_with(noEffectPrefix)) return why;
  return {std::string(noEffectPrefix) + "{}", {why.substr(std::string_view(noEffectPrefix).size())}};
}

/// Beside `why` only where it is more than those words.
void describeWords(Fields& fields, Decision& decision) {
  if (fields.wants("words", !decision.words.arguments.empty())) {
    Json json = jsonOf(decision.words);
    fields.raw("words", json);
    decision.words = phraseOf(json);
  }
  // Words that do not expand to `why` are ignored.
  if (decision.words.text() != decision.why) decision.words = phraseOfText(decision.why);
}

}  // namespace

std::string Phrase::text() const {
  std::string made;
  std::size_t next = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = arguments.empty() ? std::string::npos : pattern.find('{', at);
    made += pattern.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = std::min(pattern.find('}', open), pattern.size());
    const auto index = parseInteger(pattern.substr(open + 1, close - open - 1));
    const std::size_t argument = index ? static_cast<std::size_t>(*index) : next++;
    if (argument < arguments.size()) made += arguments[argument].text();
    at = close + 1;
  }
  return made;
}

Phrase countPhrase(std::int64_t count, const std::string& noun) {
  return {"{} " + noun + (count == 1 ? "" : "s"), {countText(count)}};
}

Decision switchedOn(std::string subject, Reason reason, Phrase why) {
  return made(std::move(subject), Effect::on, "on", reason, std::move(why));
}

Decision switchedOff(std::string subject, Reason reason, Phrase why) {
  return made(std::move(subject), Effect::off, "off", reason, std::move(why));
}

Decision adjusted(std::string subject, std::string value, Reason reason, Phrase why) {
  return made(std::move(subject), Effect::adjusted, std::move(value), reason, std::move(why));
}

Decision noEffect(std::string subject, std::string state, Reason reason, Phrase why) {
  return warning(made(std::move(subject), Effect::noEffect, std::move(state), reason,
                      {std::string(noEffectPrefix) + "{}", {std::move(why)}}),
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
  describeWords(fields, decision);
  if (fields.wants("remedy", !decision.remedy.empty())) fields.text("remedy", decision.remedy, {});
  if (!fields.wants("effect", true)) return completeFromText(decision);
  choice(fields, "effect", decision.effect, effects);
  choice(fields, "reason", decision.reason, reasons);
}

}  // namespace slipstream
