#include <algorithm>

#include <fmt/format.h>

#include "app/cli/argument_parser.h"
#include "app/cli/store_folder.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/record/version.h"

namespace slipstream::cli {
namespace {

std::string notEmpty(const std::string& text) {
  return text.empty() ? "is empty: name a folder, or leave the flag out" : "";
}

/// "slipstream: there is no option '--rnaks'; did you mean '--ranks'?" for the first of the words that nobody took.
std::string strangeOption(const CLI::App* app) {
  const std::vector<std::string> words = app->remaining(true);
  const auto strange = std::find_if(words.begin(), words.end(), [](const auto& word) { return startsWith(word, "-"); });
  if (strange == words.end()) return {};
  std::vector<std::string> known;
  for (; app != nullptr; app = app->get_subcommands().empty() ? nullptr : app->get_subcommands().front()) {
    for (const CLI::Option* option : app->get_options()) known.push_back("--" + option->get_single_name());
  }
  std::string text = "slipstream: there is no option '" + *strange + "'";
  if (const auto meant = nearestWord(strange->substr(0, strange->find('=')), known)) {
    text += "; did you mean '" + *meant + "'?";
  }
  return text;
}

/// Takes one value, or is a flag; lists take what comes.
bool isSingle(const CLI::Option* option) {
  return option->get_items_expected_max() <= 1;
}

/// "slipstream: --seed is given twice; give it once" for the first option that is; empty where CLI11 found fault with
/// something else.
std::string repeatedOption(const CLI::App* app) {
  for (; app != nullptr; app = app->get_subcommands().empty() ? nullptr : app->get_subcommands().front()) {
    for (const CLI::Option* option : app->get_options()) {
      if (!isSingle(option) || option->count() < 2) continue;
      const std::string times = option->count() == 2 ? "twice" : fmt::format("{} times", option->count());
      return fmt::format("slipstream: --{} is given {}; give it once", option->get_single_name(), times);
    }
  }
  return {};
}

/// Whichever of two values counted, somebody meant the other; a flag follows the same rule.
void refuseRepetition(CLI::App* app) {
  for (CLI::Option* option : app->get_options()) {
    if (isSingle(option) && option != app->get_help_ptr()) option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  for (CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; })) refuseRepetition(sub);
}

/// What CLI11 found wrong, in our form; a word that is no command is named, with the one that was meant.
std::string problemText(const CLI::App* app, const CLI::Error& error) {
  std::string text = std::string("slipstream: ") + error.what();
  const std::vector<std::string> unknown = app->remaining();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) && !unknown.empty()) {
    std::vector<std::string> known;
    for (const CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(sub->get_name());
    }
    text = "slipstream: there is no command '" + unknown.front() + "'";
    if (const auto meant = nearestWord(unknown.front(), known)) text += "; did you mean '" + *meant + "'?";
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    if (const std::string strange = strangeOption(app); !strange.empty()) text = strange;
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    if (const std::string repeated = repeatedOption(app); !repeated.empty()) text = repeated;
  }
  return text + "\nRun with --help for more information.\n";
}

}  // namespace

void addJson(CLI::App* sub, bool& json) {
  sub->add_flag("--json", json, "Print JSON");
}

CLI::Option* addRepeated(CLI::App* sub, const char* name, std::vector<std::string>& values, const char* what) {
  return sub->add_option(name, values, what)->allow_extra_args(false);
}

std::function<std::string(const std::string&)> wholeNumber(std::int64_t least, std::int64_t most) {
  return [=](const std::string& text) {
    const auto number = parseInteger(text);
    if (number && *number >= least && *number <= most) return std::string();
    return fmt::format("must be a whole number from {} to {} (found {})", least, most, text);
  };
}

ArgumentParser::ArgumentParser() {
  app_.name("slipstream");
  app_.set_version_flag("--version", "slipstream " + programVersion());
  app_.add_option("--store", store_, "Folder of the run store (else SLIPSTREAM_STORE, else the user's data folder)")
      ->check(notEmpty);
  app_.require_subcommand(1);
  app_.failure_message(problemText);
  app_.footer(
      "Examples:\n"
      "  slipstream run experiments/quickstart.json\n"
      "  slipstream show last\n"
      "  slipstream COMMAND --help");
  addRunning();
  addChecking();
  addRankTables();
  addReading();
  addCheckpoints();
  addComparing();
  refuseRepetition(&app_);
}

std::variant<CommandLine, int> ArgumentParser::parse(int count, char** values) {
  try {
    app_.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app_.exit(error) == 0 ? ExitCode::done : ExitCode::invalidInput;
  }
  if (store_.empty()) store_ = environment("SLIPSTREAM_STORE").value_or(userDataFolder().string());
  return CommandLine{chosen_(), wholeStoreFolder(store_)};
}

std::variant<CommandLine, int> parseArguments(int count, char** values) {
  return ArgumentParser().parse(count, values);
}

}  // namespace slipstream::cli
