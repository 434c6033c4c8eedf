// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parser/argument_parser.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/parser/argument_problems.h"
#include "app/cli/streams/output.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/probe/version.h"

namespace slipstream::cli {
namespace {

std::string notEmpty(const std::string& text) {
  return text.empty() ? "is empty: give it a value, or leave the flag out" : "";
}

/// The folder's whole path, without a slash at its end.
std::string wholeFolder(const std::string& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole.string() : whole.parent_path().string();
}

/// Without "OPTION VALUE" and "OPTION=VALUE".
std::vector<std::string> withoutOption(const std::vector<std::string>& words, const std::string& option) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option) {
      ++i;
    } else if (!startsWith(words[i], option + "=")) {
      others.push_back(words[i]);
    }
  }
  return others;
}

/// Whichever of two values counted, somebody meant the other; a flag follows the same rule.
void refuseRepetition(CLI::App* app) {
  for (CLI::Option* option : app->get_options()) {
    if (isSingle(option) && option != app->get_help_ptr()) option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  for (CLI::App* sub : app->get_subcommands([](const CLI::App*) { return true; })) refuseRepetition(sub);
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
  app_.set_version_flag("--version", versionText());
  app_.add_option("--store", store_, "Folder of the run store (else SLIPSTREAM_STORE, else the user's data folder)")
      ->check(notEmpty);
  app_.add_option("--on", remote_, "Do it on this remote (slipstream remote list), with its store")->check(notEmpty);
  app_.require_subcommand(1);
  app_.footer(
      "Examples:\n"
      "  slipstream run experiments/quickstart.json\n"
      "  slipstream show last\n"
      "  slipstream COMMAND --help");
}

CLI::App& ArgumentParser::addGroup(const char* name, const char* what, const char* examples) {
  CLI::App* group = app_.add_subcommand(name, what);
  group->require_subcommand(1);
  group->footer(std::string("Examples:\n") + examples);
  group->fallthrough();
  return *group;
}

std::variant<ChosenCommand, int> ArgumentParser::parse(int count, char** values) {
  refuseRepetition(&app_);
  const std::vector<std::string> words(values + 1, values + count);
  if (std::find(words.begin(), words.end(), "--json") != words.end()) setOutputForm(OutputForm::json);
  try {
    // CLI11 answers --help before it looks at what the help is asked of.
    if (const auto unknown = unknownCommand(app_, words)) return report(*unknown);
    app_.parse(count, values);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return report(argumentProblem(app_, error));
    app_.exit(error);  // prints the help or the version
    return ExitCode::done;
  }
  if (!remote_.empty() && !store_.empty()) {
    return report({{"--store", store_, "is a folder here, and --on works in the store of the remote",
                    "leave one of the two out; 'slipstream remote add' names a remote's store"}});
  }
  if (store_.empty()) store_ = environment("SLIPSTREAM_STORE").value_or(userDataFolder().string());
  chosen_.line = {wholeFolder(store_), remote_, withoutOption(words, "--on")};
  return chosen_;
}

}  // namespace slipstream::cli
