// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is read stands out from what it stands on (WCAG 2: 4.5 for text, 3 for what is drawn).
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "ui/theme/tokens.h"

namespace slipstream::ui {
namespace {

constexpr double leastOfText = 4.5, leastOfGraphics = 3;

double linear(float part) {
  return part <= 0.04045F ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& one, const QColor& other) {
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05) / (low + 0.05);
}

using Role = QColor Tokens::*;
struct Named {
  const char* name;
  Role role;
};
constexpr Named window{"window", &Tokens::window}, base{"base", &Tokens::base},
    alternate{"alternate", &Tokens::alternate}, shade{"shade", &Tokens::shade}, button{"button", &Tokens::button},
    selection{"selection", &Tokens::selection}, warningTint{"warning tint", &Tokens::warningTint},
    errorTint{"error tint", &Tokens::errorTint}, informationTint{"information tint", &Tokens::informationTint},
    text{"text", &Tokens::text}, secondText{"second text", &Tokens::secondText}, accent{"accent", &Tokens::accent},
    textOnAccent{"text on accent", &Tokens::textOnAccent}, good{"good", &Tokens::good},
    warning{"warning", &Tokens::warning}, error{"error", &Tokens::error}, lost{"lost", &Tokens::lost},
    control{"control", &Tokens::control}, chartAxis{"chart axis", &Tokens::chartAxis};

struct Use {
  Named ink;
  std::vector<Named> grounds;
};

/// Texts, and what is behind them.
const std::vector<Use>& words() {
  static const std::vector<Use> all{
      {text, {window, base, alternate, shade, button, selection, warningTint, errorTint, informationTint}},
      {secondText, {window, base, alternate, shade, button, selection, warningTint, errorTint, informationTint}},
      // Links and the words of JSON, whose line at hand is tinted.
      {accent, {window, base, alternate, selection, informationTint}},
      {good, {base, alternate, informationTint}},
      {lost, {base, alternate, informationTint}},
      {warning, {window, base, alternate, warningTint}},
      {error, {window, base, alternate, errorTint, selection}},
      {textOnAccent, {accent}},
      // The tag of a cursor.
      {base, {text}},
  };
  return all;
}

/// Shapes of states and outlines.
const std::vector<Use>& shapes() {
  static const std::vector<Use> all{
      {accent, {window, base, alternate, shade, selection, informationTint}},
      {good, {window, base, alternate, shade, selection}},
      {warning, {window, base, alternate, shade, selection, warningTint}},
      {error, {window, base, alternate, shade, selection, errorTint}},
      {lost, {window, base, alternate, shade, selection}},
      {secondText, {window, base, alternate, shade, selection}},
      {control, {window, base, alternate}},
      {chartAxis, {base}},
  };
  return all;
}

class Contrast : public testing::TestWithParam<const Tokens*> {
 protected:
  static void expect(const std::vector<Use>& uses, double least) {
    for (const Use& use : uses) {
      for (const Named& ground : use.grounds) {
        EXPECT_GE(contrast(GetParam()->*use.ink.role, GetParam()->*ground.role), least)
            << use.ink.name << " on " << ground.name;
      }
    }
  }
};

TEST_P(Contrast, WordsCanBeRead) {
  expect(words(), leastOfText);
}

TEST_P(Contrast, ShapesCanBeSeen) {
  expect(shapes(), leastOfGraphics);
}

TEST_P(Contrast, LinesAndPartsCanBeSeen) {
  for (int slot = 0; slot < 10; ++slot) {
    EXPECT_GE(contrast(runPen(slot).colour, GetParam()->base), leastOfGraphics) << "run colour " << slot;
  }
  for (const Part part : {Part::compute, Part::optimizer, Part::checkpoint, Part::communication, Part::recording,
                          Part::waiting, Part::gather}) {
    EXPECT_GE(contrast(partColour(part), GetParam()->base), leastOfGraphics) << "part " << static_cast<int>(part);
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, Contrast, testing::Values(&lightTokens(), &darkTokens()),
                         [](const auto& theme) { return std::string(theme.param->dark ? "Dark" : "Light"); });

TEST(ContrastFormula, BlackOnWhiteIsTwentyOne) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-6);
  EXPECT_NEAR(contrast(QColor(QStringLiteral("#767676")), Qt::white), 4.54, 0.01);
}

}  // namespace
}  // namespace slipstream::ui
