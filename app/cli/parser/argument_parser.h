// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

/// The command line: options of every command, and the commands that are added. CLI11 writes through pointers into
/// their arguments, which live here.
class ArgumentParser {
 public:
  ArgumentParser();
  /// The program itself, below which commands are.
  CLI::App& app() { return app_; }
  /// Adds a command whose arguments are a T; the caller adds its options, which fill the T.
  template <class T>
  std::pair<CLI::App*, T*> add(CLI::App& parent, const char* name, const char* what, const char* examples,
                               Command<T> command);
  /// Adds a command that only holds others.
  CLI::App& addGroup(const char* name, const char* what, const char* examples);
  /// The command that was typed, which refers to this object. Prints help or the error itself, and gives the exit code,
  /// where there is nothing to do.
  std::variant<ChosenCommand, int> parse(int count, char** values);

 private:
  CLI::App app_{"Train on many ranks and find out which acceleration algorithm is worth turning on."};
  std::string store_;
  std::string remote_;
  std::vector<std::shared_ptr<void>> arguments_;
  ChosenCommand chosen_;
};

template <class T>
std::pair<CLI::App*, T*> ArgumentParser::add(CLI::App& parent, const char* name, const char* what, const char* examples,
                                             Command<T> command) {
  CLI::App* sub = parent.add_subcommand(name, what);
  sub->footer(std::string("Examples:\n") + examples);
  sub->fallthrough();
  auto arguments = std::make_shared<T>();
  arguments_.push_back(arguments);
  T* raw = arguments.get();
  sub->callback([this, raw, command = std::move(command)] {
    chosen_.ranks = command.ranks;
    chosen_.run = [this, raw, command] { return command.run(*raw, chosen_.line); };
    if (!command.onRemote) return;
    chosen_.onRemote = [this, raw, command](const Remote& remote) {
      return command.onRemote(*raw, chosen_.line, remote);
    };
  });
  return {sub, raw};
}

inline constexpr const char* runHelp = "The run: id, the beginning of one, last, or its name";
inline constexpr const char* runsHelp =
    "Runs: ids, last, last:N, names (of runs, variants, experiments, tags, groups) or filters ('tag:x seed>2')";
inline constexpr const char* filterHelp =
    "Only runs of which every term holds: words, KEY:TEXT, KEY>NUMBER; a minus before one that must not (keys: state, "
    "is, algo, tag, name, experiment, variant, device, id, note, seed, ranks, attempt, created, steps, test_loss, "
    "training_seconds, any metric; accuracy>97%, training_seconds<2min, created>=2026-03-14)";
inline constexpr std::int64_t mostRanks = 4096;
inline constexpr std::int64_t largestSeed = 9'200'000'000'000'000'000;
inline constexpr std::int64_t mostSteps = 1'000'000'000'000;

void addJson(CLI::App* sub, bool& json);
/// A flag that may be given several times, with one value each.
CLI::Option* addRepeated(CLI::App* sub, const char* name, std::vector<std::string>& values, const char* what);
/// CLI11's own messages about numbers name no range.
std::function<std::string(const std::string&)> wholeNumber(std::int64_t least, std::int64_t most);

}  // namespace slipstream::cli
