// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/arguments.h"

namespace slipstream::cli {

/// The application and what its chosen command fills in. CLI11 writes through pointers, so the structs live here.
class ArgumentParser {
 public:
  ArgumentParser();
  std::variant<CommandLine, int> parse(int count, char** values);

 private:
  /// Adds a command whose arguments are a T, kept until parsing is over.
  template <class T>
  std::pair<CLI::App*, T*> command(CLI::App& parent, const char* name, const char* what, const char* examples);

  void addRunning();
  void addSubmitting();
  void addChecking();
  void addRankTables();
  void addHosts();
  void addReading();
  void addCheckpoints();
  void addEvaluate();
  void addComparing();
  void addKeeping();
  void addVerifying();
  void addStudies();
  void addRemotes();
  void addTrackers();
  /// Adds the parts of `checkpoint` and `store` that two machines use.
  void addExchanges(CLI::App& checkpoint, CLI::App& store);

  CLI::App app_{"Train on many ranks and find out which acceleration algorithm is worth turning on."};
  std::string store_;
  std::string remote_;
  std::vector<std::shared_ptr<void>> arguments_;
  std::function<Command()> chosen_;
};

template <class T>
std::pair<CLI::App*, T*> ArgumentParser::command(CLI::App& parent, const char* name, const char* what,
                                                 const char* examples) {
  CLI::App* sub = parent.add_subcommand(name, what);
  sub->footer(std::string("Examples:\n") + examples);
  sub->fallthrough();
  auto arguments = std::make_shared<T>();
  arguments_.push_back(arguments);
  T* raw = arguments.get();
  sub->callback([this, raw] { chosen_ = [raw] { return Command(*raw); }; });
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
inline constexpr std::int64_t mostSteps = 1'000'000'000'000;

void addJson(CLI::App* sub, bool& json);
/// What `run`, `plan` and `submit` may say above the file.
void addOverrides(CLI::App* sub, Overrides& overrides);
/// Where and how a report is written.
void addReportForm(CLI::App* sub, std::string& output, std::string& language, std::string& paperSize);
/// What a job asks of Slurm.
void addSlurmRequest(CLI::App* sub, SlurmRequest& request);
/// A flag that may be given several times, with one value each.
CLI::Option* addRepeated(CLI::App* sub, const char* name, std::vector<std::string>& values, const char* what);
/// CLI11's own messages about numbers name no range.
std::function<std::string(const std::string&)> wholeNumber(std::int64_t least, std::int64_t most);

}  // namespace slipstream::cli
