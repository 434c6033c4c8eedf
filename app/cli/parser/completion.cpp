// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parser/completion.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/parser/argument_parser.h"
#include "app/cli/streams/output.h"
#include "engine/base/text.h"

namespace slipstream::cli {
namespace {

/// An option of a command as a shell wants to know it.
struct CompletedOption {
  std::string name;  ///< --long, or -s where there is no long one
  std::string help;
  bool takesValue = false;
  std::vector<std::string> choices;  ///< empty: a value of any kind, completed as a file
};

struct CompletedCommand {
  std::string words;  ///< "checkpoint export"; empty: the program itself
  std::string help;
  std::vector<std::pair<std::string, std::string>> commands;  ///< below it, with their help
  std::vector<CompletedOption> options;
  std::vector<std::string> positionalChoices;
  bool takesRuns = false;
};

/// "{csv,json}" in the name of the type is what CLI::IsMember allows.
std::vector<std::string> choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  const auto close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return split(type.substr(open + 1, close - open - 1), ',');
}

bool namesRuns(const CLI::Option& option) {
  static const std::set<std::string> names{"run", "runs", "weights"};
  return names.contains(option.get_name());
}

CompletedOption optionOf(const CLI::Option& option) {
  const std::string name =
      option.get_lnames().empty() ? "-" + option.get_single_name() : "--" + option.get_single_name();
  return {name, option.get_description(), option.get_items_expected_max() > 0, choicesOf(option)};
}

CompletedCommand describe(const CLI::App& app, const std::string& words) {
  CompletedCommand command{words, app.get_description(), {}, {}, {}, false};
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    command.commands.emplace_back(sub->get_name(), sub->get_description());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) {
      command.options.push_back(optionOf(*option));
      continue;
    }
    const auto choices = choicesOf(*option);
    command.positionalChoices.insert(command.positionalChoices.end(), choices.begin(), choices.end());
    command.takesRuns = command.takesRuns || namesRuns(*option);
  }
  return command;
}

void collectCommands(const CLI::App& app, const std::string& words, std::vector<CompletedCommand>& all) {
  all.push_back(describe(app, words));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    collectCommands(*sub, words.empty() ? sub->get_name() : words + " " + sub->get_name(), all);
  }
}

/// In single quotes, as all three shells read them.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

/// The words that may follow a command.
std::string wordsAfter(const CompletedCommand& command) {
  std::vector<std::string> words;
  for (const auto& [name, help] : command.commands) words.push_back(name);
  words.insert(words.end(), command.positionalChoices.begin(), command.positionalChoices.end());
  if (command.takesRuns) words.emplace_back("last");
  for (const CompletedOption& option : command.options) words.push_back(option.name);
  return join(words, " ");
}

/// The patterns and lists that bash and zsh share.
struct ShellCases {
  std::string commands;  ///< 'run'|'checkpoint export'|…
  std::string values;    ///< a case for each option that takes a value
  std::string words;     ///< a case for each command
};

ShellCases casesOf(const std::vector<CompletedCommand>& all) {
  ShellCases cases;
  std::vector<std::string> names;
  for (const CompletedCommand& command : all) {
    if (!command.words.empty()) names.push_back(quoted(command.words));
    cases.words += fmt::format("    {}) list={} ;;\n", quoted(command.words), quoted(wordsAfter(command)));
    for (const CompletedOption& option : command.options) {
      if (!option.takesValue) continue;
      cases.values += fmt::format("  {}) list={}; value=1 ;;\n", quoted(command.words + "|" + option.name),
                                  quoted(join(option.choices, " ")));
    }
  }
  cases.commands = join(names, "|");
  return cases;
}

std::string bashScript(const std::vector<CompletedCommand>& all) {
  const ShellCases cases = casesOf(all);
  return fmt::format(R"(# Completion of slipstream for bash, made by `slipstream completion bash`.
_slipstream() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command= list= value= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{command:+$command }}${{COMP_WORDS[i]}}" in
    {}) command="${{command:+$command }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command|${{COMP_WORDS[COMP_CWORD-1]}}" in
{}  esac
  if [[ -z $value ]]; then
    case "$command" in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$list" -- "$current"))
  if [[ ${{#COMPREPLY[@]}} -eq 0 && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -F _slipstream slipstream
)",
                     cases.commands, cases.values, cases.words);
}

std::string zshScript(const std::vector<CompletedCommand>& all) {
  const ShellCases cases = casesOf(all);
  return fmt::format(R"(#compdef slipstream
# Completion of slipstream for zsh, made by `slipstream completion zsh`.
_slipstream() {{
  local command= list= value= i
  for ((i = 2; i < CURRENT; i++)); do
    case "${{command:+$command }}${{words[i]}}" in
    {}) command="${{command:+$command }}${{words[i]}}" ;;
    esac
  done
  case "$command|${{words[CURRENT-1]}}" in
{}  esac
  if [[ -z $value ]]; then
    case "$command" in
{}    esac
  fi
  [[ -n $list ]] && compadd -- ${{=list}}
  [[ $PREFIX == -* ]] || _files
}}
_slipstream "$@"
)",
                     cases.commands, cases.values, cases.words);
}

std::vector<std::string> namesBelow(const CompletedCommand& command) {
  std::vector<std::string> names;
  for (const auto& [name, help] : command.commands) names.push_back(name);
  return names;
}

/// Commands that have others below them, whose names may be those of commands of their own.
std::vector<std::string> parentsOf(const std::vector<CompletedCommand>& all) {
  std::vector<std::string> names;
  for (const CompletedCommand& command : all) {
    if (!command.words.empty() && !command.commands.empty()) names.push_back(command.words);
  }
  return names;
}

/// A condition that holds where exactly the command's words were typed.
std::string fishCondition(const CompletedCommand& command, const std::vector<std::string>& parents) {
  if (command.words.empty()) return "__fish_use_subcommand";
  const std::vector<std::string> words = split(command.words, ' ');
  std::string condition;
  for (const std::string& word : words) {
    condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  }
  const bool leaf = command.commands.empty();
  const std::vector<std::string> others = leaf && words.size() == 1 ? parents : namesBelow(command);
  return others.empty() ? condition : condition + "; and not __fish_seen_subcommand_from " + join(others, " ");
}

std::string fishScript(const std::vector<CompletedCommand>& all) {
  const std::vector<std::string> parents = parentsOf(all);
  std::string script = "# Completion of slipstream for fish, made by `slipstream completion fish`.\n";
  for (const CompletedCommand& command : all) {
    const std::string when = "complete -c slipstream -n " + quoted(fishCondition(command, parents));
    for (const auto& [name, help] : command.commands) {
      script += fmt::format("{} -f -a {} -d {}\n", when, quoted(name), quoted(help));
    }
    std::vector<std::string> words = command.positionalChoices;
    if (command.takesRuns) words.emplace_back("last");
    if (!words.empty()) script += fmt::format("{} -a {}\n", when, quoted(join(words, " ")));
    for (const CompletedOption& option : command.options) {
      const bool isLong = startsWith(option.name, "--");
      script += fmt::format(
          "{} {} {}{} -d {}\n", when, isLong ? "-l" : "-s", option.name.substr(isLong ? 2 : 1),
          option.choices.empty() ? (option.takesValue ? " -r" : "") : " -x -a " + quoted(join(option.choices, " ")),
          quoted(option.help));
    }
  }
  return script;
}

struct CompletionArguments {
  std::string shell;
  bool json = false;
};

std::string shellScript(const CLI::App& app, const std::string& shell) {
  std::vector<CompletedCommand> all;
  collectCommands(app, "", all);
  if (shell == "bash") return bashScript(all);
  return shell == "zsh" ? zshScript(all) : fishScript(all);
}

int printScript(const std::string& script, const CompletionArguments& arguments) {
  if (arguments.json) {
    print({{"shell", arguments.shell}, {"script", script}});
  } else {
    std::fputs(script.c_str(), stdout);
  }
  return ExitCode::done;
}

}  // namespace

void addCompletionCommand(ArgumentParser& parser) {
  const CLI::App& app = parser.app();
  auto [command, completion] = parser.add<CompletionArguments>(
      parser.app(), "completion", "Print what a shell needs to complete commands and options",
      "  slipstream completion bash\n  slipstream completion zsh\n  slipstream completion fish",
      {.run = [&app](const CompletionArguments& arguments, const CommandLine&) {
        return printScript(shellScript(app, arguments.shell), arguments);
      }});
  command->add_option("shell", completion->shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  addJson(command, completion->json);
}

}  // namespace slipstream::cli
