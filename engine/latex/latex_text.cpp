// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/latex/latex_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <utility>

#include "engine/base/characters.h"
#include "engine/document/drawing.h"

namespace slipstream {
namespace {

using Replacement = std::pair<char32_t, std::string_view>;

/// What LaTeX would read as commands (a bracket after the end of a row is one), and the signs that its default fonts
/// lack.
constexpr std::array replacements{
    Replacement{U'\\', "\\textbackslash{}"},
    Replacement{U'{', "\\{"},
    Replacement{U'}', "\\}"},
    Replacement{U'[', "{[}"},
    Replacement{U']', "{]}"},
    Replacement{U'$', "\\$"},
    Replacement{U'&', "\\&"},
    Replacement{U'%', "\\%"},
    Replacement{U'#', "\\#"},
    Replacement{U'_', "\\_"},
    Replacement{U'^', "\\textasciicircum{}"},
    Replacement{U'~', "\\textasciitilde{}"},
    Replacement{U'"', "\\char`\\\"{}"},
    Replacement{U'|', "\\textbar{}"},
    Replacement{U'<', "$<$"},
    Replacement{U'>', "$>$"},
    Replacement{U'+', "$+$"},
    Replacement{U'−', "$-$"},
    Replacement{U'±', "$\\pm$"},
    Replacement{U'×', "$\\times$"},
    Replacement{U'÷', "$\\div$"},
    Replacement{U'·', "$\\cdot$"},
    Replacement{U'√', "$\\surd$"},
    Replacement{U'≤', "$\\leq$"},
    Replacement{U'≥', "$\\geq$"},
    Replacement{U'≠', "$\\neq$"},
    Replacement{U'≈', "$\\approx$"},
    Replacement{U'∞', "$\\infty$"},
    Replacement{U'→', "$\\rightarrow$"},
    Replacement{U'←', "$\\leftarrow$"},
    Replacement{U'°', "$^\\circ$"},
    Replacement{U'²', "$^2$"},
    Replacement{U'³', "$^3$"},
    Replacement{U'µ', "$\\mu$"},
    Replacement{U'α', "$\\alpha$"},
    Replacement{U'β', "$\\beta$"},
    Replacement{U'γ', "$\\gamma$"},
    Replacement{U'δ', "$\\delta$"},
    Replacement{U'ε', "$\\varepsilon$"},
    Replacement{U'η', "$\\eta$"},
    Replacement{U'λ', "$\\lambda$"},
    Replacement{U'μ', "$\\mu$"},
    Replacement{U'ρ', "$\\rho$"},
    Replacement{U'σ', "$\\sigma$"},
    Replacement{U'τ', "$\\tau$"},
    Replacement{U'Δ', "$\\Delta$"},
    Replacement{U'Σ', "$\\Sigma$"},
    Replacement{U'…', "\\ldots{}"},
    Replacement{U'–', "--"},
    Replacement{U'—', "---"},
    Replacement{U'“', "``"},
    Replacement{U'”', "''"},
    Replacement{U'‘', "`"},
    Replacement{U'’', "'"},
    Replacement{U'\u00A0', "~"},
    Replacement{U'\u202F', "\\,"},
    Replacement{U'\t', " "},
    Replacement{U'\n', " "},
};

/// What fonts of LaTeX join into another sign: a dash of two hyphens, a quotation mark of two apostrophes.
constexpr std::array<std::u32string_view, 6> ligatures{U"--", U"''", U"``", U",,", U"?`", U"!`"};

/// Letters that LaTeX composes in any of its font encodings.
constexpr std::u32string_view accented =
    U"ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ"
    U"ĂăĆćČčĎďĚěĞğĹĺŁłŃńŇňŐőŔŕŘřŚśŞşŠšŤťŮůŰűŸŹźŻżŽž";

const Replacement* replacementFor(char32_t character) {
  const auto found = std::ranges::find(replacements, character, &Replacement::first);
  return found == replacements.end() ? nullptr : &*found;
}

/// A number as tables write it; groups of three digits are parted by commas.
constexpr const char* numberPattern = R"((?:\+|−|-)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)";

}  // namespace

std::string latexText(std::string_view text) {
  const std::u32string characters = charactersOf(text);
  std::string safe;
  for (std::u32string_view rest = characters; !rest.empty(); rest.remove_prefix(1)) {
    if (const Replacement* found = replacementFor(rest.front())) {
      safe += found->second;
    } else if (rest.front() >= 0x20) {
      safe += utf8Of(rest.front());
    }
    if (std::ranges::any_of(ligatures, [&](const auto& one) { return rest.starts_with(one); })) safe += "{}";
  }
  return safe;
}

std::string latexProse(std::string_view text) {
  std::string prose = latexText(text);
  for (const std::string_view sign : {"\\_", "/"}) {
    constexpr std::string_view mayBreak = "\\allowbreak{}";
    for (std::size_t at = 0; (at = prose.find(sign, at)) != std::string::npos; at += sign.size() + mayBreak.size()) {
      prose.insert(at + sign.size(), mayBreak);
    }
  }
  return prose;
}

std::string latexCode(std::string_view text) {
  constexpr std::u32string_view signs = U"\\{}$&%#_^~\"|<>[]";
  std::string code;
  for (const char32_t character : charactersOf(text)) {
    if (signs.find(character) != std::u32string_view::npos) {
      code += "\\char`\\" + utf8Of(character) + "{}";
    } else {
      code += latexText(utf8Of(character));
    }
    if (character == U'/' || character == U'_' || character == U',') code += "\\allowbreak{}";
    if (character == U'-') code += "{}";
  }
  return code;
}

std::string latexNumbers(std::string_view text) {
  // A letter or a dot before digits makes them part of a name or a version.
  static const std::regex number(std::string(numberPattern) + R"((?![\w.]))");
  const std::string whole(text);
  std::string safe;
  auto from = whole.cbegin();
  std::smatch match;
  while (std::regex_search(from, whole.cend(), match, number)) {
    const bool isOwn = match[0].first == whole.cbegin() ||
                       std::string_view(" ([/~±…\n").find(*(match[0].first - 1)) != std::string_view::npos ||
                       static_cast<unsigned char>(*(match[0].first - 1)) >= 0x80;
    safe += latexText({from, match[0].first});
    const std::string found = match[0].str();
    safe += isOwn ? (found.starts_with('+') ? "\\num[retain-explicit-plus]{" : "\\num{") + plainNumber(found) + "}"
                  : latexText(found);
    from = match[0].second;
  }
  return safe + latexText({from, whole.cend()});
}

bool isPlainNumber(std::string_view text) {
  static const std::regex number(R"((?:\+|−|-)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)");
  return std::regex_match(text.begin(), text.end(), number);
}

std::string plainNumber(std::string_view text) {
  static const std::regex exponent("e([+-]?)0+");
  std::string plain;
  for (const char32_t character : charactersOf(text)) {
    if (character != U',') plain += character == U'−' ? "-" : utf8Of(character);
  }
  return std::regex_replace(plain, exponent, "e$1");
}

bool isBeyondLatex(char32_t character) {
  if (character < 0x80 || accented.find(character) != std::u32string_view::npos) return false;
  return replacementFor(character) == nullptr;
}

}  // namespace slipstream
