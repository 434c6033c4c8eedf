// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/decision.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace slipstream {
namespace {

Decision read(const Json& stored) {
  Decision decision;
  Failures failures;
  readFields(stored, "", failures, [&](Fields& fields) { describeDecision(fields, decision); });
  EXPECT_TRUE(failures.empty()) << toText(failures);
  return decision;
}

Decision readOld(const char* state, const char* why) {
  return read({{"subject", "adasum"}, {"state", state}, {"why", why}});
}

TEST(Decision, IsReadAsItWasWritten) {
  for (Decision decision : {switchedOn("adasum", Reason::dictionary, phrase("boost.adasum in the dictionary")),
                            switchedOff("less_bn", Reason::level, phrase("level O0 switches every algorithm off")),
                            adjusted("adasum.scope", "flat", Reason::ranks, phrase("Adasum over all 4 ranks")),
                            noEffect("adasum", "off", Reason::ranks, phrase("one rank has nobody to combine with")),
                            warning(adjusted("classes", "1", Reason::data, phrase("one")), "add another")}) {
    const Json stored = writeFields([&](Fields& fields) { describeDecision(fields, decision); });
    EXPECT_EQ(read(stored), decision) << stored;
  }
}

/// A network may be named as a word of the catalogue is.
TEST(Decision, KeepsWhichArgumentsAreMessages) {
  Decision decision = switchedOff("less_bn", Reason::network, phrase("{} is off, {}", {"step", phrase("mean")}));
  const Json stored = writeFields([&](Fields& fields) { describeDecision(fields, decision); });
  EXPECT_EQ(stored["words"], Json::parse(R"(["{} is off, {}", "step", ["mean"]])"));
  EXPECT_EQ(read(stored).why.in(Language::chinese), decision.why.in(Language::chinese));
}

TEST(Decision, IsReadFromWordsAndFromWhyWhereTheyAreNone) {
  const auto whyOf = [](const Json& words) {
    return read({{"subject", "adasum"}, {"state", "on"}, {"why", "asked for"}, {"words", words}}).why;
  };
  EXPECT_EQ(whyOf({"asked for by {}", "x"}), phrase("asked for by {}", {"x"}));
  for (const Json& none : {Json(7), Json::array(), Json::object()}) EXPECT_EQ(whyOf(none), phrase("asked for"));
}

TEST(Decision, OfAnOlderBuildIsToldFromItsText) {
  EXPECT_EQ(readOld("on", "boost.adasum in the dictionary"),
            switchedOn("adasum", Reason::dictionary, phrase("boost.adasum in the dictionary")));
  EXPECT_EQ(readOld("off", "level O1 does not include it"),
            switchedOff("adasum", Reason::level, phrase("level O1 does not include it")));
  EXPECT_EQ(readOld("off", "not in the dictionary, so as level O1 says").reason, Reason::levelDefault);
  EXPECT_EQ(readOld("off", "mode disable_all").reason, Reason::mode);
  EXPECT_EQ(readOld("flat", "Adasum over all 4 ranks").effect, Effect::adjusted);
  EXPECT_EQ(readOld("no effect", "O3 is O2").effect, Effect::noEffect);
}

/// Remedies came later than the decisions that warn.
TEST(Decision, OfAnOlderBuildWithoutEffectHasARemedy) {
  EXPECT_EQ(readOld("off", "no effect: one rank"), noEffect("adasum", "off", Reason::other, phrase("one rank")));
}

TEST(Decision, ActsWhereItIsOnOrHasAValue) {
  EXPECT_TRUE(switchedOn("a", Reason::level, phrase("")).acts());
  EXPECT_TRUE(adjusted("a", "flat", Reason::level, phrase("")).acts());
  EXPECT_FALSE(switchedOff("a", Reason::level, phrase("")).acts());
  EXPECT_FALSE(noEffect("a", "true", Reason::level, phrase("")).acts());
}

}  // namespace
}  // namespace slipstream
