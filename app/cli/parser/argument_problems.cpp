// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parser/argument_problems.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/streams/output.h"
#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

constexpr const char* program = "slipstream";

std::vector<const CLI::App*> commandsUnder(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The command line's path through the commands: the program, `checkpoint`, `export`.
std::vector<const CLI::App*> chosenCommands(const CLI::App& app) {
  std::vector<const CLI::App*> path{&app};
  while (!path.back()->get_subcommands().empty()) path.push_back(path.back()->get_subcommands().front());
  return path;
}

std::string helpOf(const CLI::App& app) {
  std::string words;
  for (const CLI::App* one : chosenCommands(app)) words += one->get_name() + " ";
  return "see " + words + "--help";
}

std::string meantOr(const std::string& word, const std::vector<std::string>& known, const std::string& otherwise) {
  const auto meant = nearestWord(word, known);
  return meant ? "did you mean '" + *meant + "'?" : otherwise;
}

Failure noCommand(const CLI::App& parent, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* one : commandsUnder(parent)) known.push_back(one->get_name());
  const bool root = parent.get_parent() == nullptr;
  const std::string of = root ? program : program + (" " + parent.get_name());
  return {program, "", fmt::format("there is no command '{}'", word),
          meantOr(word, known, "see " + of + " --help, which lists them")};
}

/// Of the words that nobody took, the first that looks like an option.
std::optional<Failure> unknownOption(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto found = std::find_if(words.begin(), words.end(), [](const auto& word) { return startsWith(word, "-"); });
  if (found == words.end()) return std::nullopt;
  std::vector<std::string> known;
  for (const CLI::App* one : chosenCommands(app)) {
    for (const CLI::Option* option : one->get_options()) known.push_back("--" + option->get_single_name());
  }
  return Failure{program, "", "there is no option '" + *found + "'",
                 meantOr(found->substr(0, found->find('=')), known, helpOf(app))};
}

std::optional<Failure> repeatedOption(const CLI::App& app) {
  for (const CLI::App* one : chosenCommands(app)) {
    for (const CLI::Option* option : one->get_options()) {
      if (!isSingle(option) || option->count() < 2) continue;
      const std::string times = option->count() == 2 ? "twice" : fmt::format("{} times", option->count());
      return Failure{program, "", fmt::format("--{} is given {}", option->get_single_name(), times), "give it once"};
    }
  }
  return std::nullopt;
}

bool isKind(const CLI::Error& error, CLI::ExitCodes code) {
  return error.get_exit_code() == static_cast<int>(code);
}

/// Whether the next word is the option's value.
bool takesNextWord(const CLI::App& app, const std::string& word) {
  if (word.find('=') != std::string::npos) return false;
  const CLI::Option* option = app.get_option_no_throw(word);
  return option != nullptr && option->get_items_expected_max() > 0;
}

}  // namespace

bool isSingle(const CLI::Option* option) {
  return option->get_items_expected_max() <= 1;
}

std::optional<Failures> unknownCommand(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  for (auto word = words.begin(); word != words.end() && !commandsUnder(*at).empty(); ++word) {
    if (startsWith(*word, "-")) {
      if (takesNextWord(app, *word) && std::next(word) != words.end()) ++word;
      continue;
    }
    const auto commands = commandsUnder(*at);
    const auto named =
        std::find_if(commands.begin(), commands.end(), [&](const CLI::App* one) { return one->get_name() == *word; });
    if (named == commands.end()) return Failures{noCommand(*at, *word)};
    at = *named;
  }
  return std::nullopt;
}

Failures argumentProblem(const CLI::App& app, const CLI::Error& error) {
  std::optional<Failure> known;
  const bool lacks = isKind(error, CLI::ExitCodes::RequiredError);
  // A word that nobody took says more than what is missing beside it.
  if (lacks || isKind(error, CLI::ExitCodes::ExtrasError)) known = unknownOption(app);
  if (isKind(error, CLI::ExitCodes::ArgumentMismatch)) known = repeatedOption(app);
  if (!known && lacks && !commandsUnder(*chosenCommands(app).back()).empty()) {
    known = Failure{program, "", "a command is missing", helpOf(app) + ", which lists them"};
  }
  return {known.value_or(Failure{program, "", error.what(), helpOf(app)})};
}

}  // namespace slipstream::cli
