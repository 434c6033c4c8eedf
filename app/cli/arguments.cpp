#include "app/cli/arguments.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/store_folder.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/record/version.h"

namespace slipstream::cli {
namespace {

/// The application and what its chosen command fills in. CLI11 writes through pointers, so the structs live here.
class Parser {
 public:
  Parser();
  std::variant<CommandLine, int> parse(int count, char** values);

 private:
  /// Adds a command whose arguments are a T, kept until parsing is over.
  template <class T>
  std::pair<CLI::App*, T*> command(CLI::App& parent, const char* name, const char* what, const char* examples);

  void addRunning();
  void addChecking();
  void addRankTables();
  void addReading();
  void addCheckpoints();
  void addComparing();

  CLI::App app_{"Train on many ranks and find out which acceleration algorithm is worth turning on."};
  std::string store_;
  std::vector<std::shared_ptr<void>> arguments_;
  std::function<Command()> chosen_;
};

template <class T>
std::pair<CLI::App*, T*> Parser::command(CLI::App& parent, const char* name, const char* what, const char* examples) {
  CLI::App* sub = parent.add_subcommand(name, what);
  sub->footer(std::string("Examples:\n") + examples);
  sub->fallthrough();
  auto arguments = std::make_shared<T>();
  arguments_.push_back(arguments);
  T* raw = arguments.get();
  sub->callback([this, raw] { chosen_ = [raw] { return Command(*raw); }; });
  return {sub, raw};
}

constexpr const char* runHelp = "Id, unique prefix of one, or 'last'";

void addJson(CLI::App* sub, bool& json) {
  sub->add_flag("--json", json, "Print JSON");
}

/// A flag that may be given several times, with one value each.
CLI::Option* addRepeated(CLI::App* sub, const char* name, std::vector<std::string>& values, const char* what) {
  return sub->add_option(name, values, what)->allow_extra_args(false);
}

/// CLI11's own messages about numbers name no range.
std::function<std::string(const std::string&)> wholeNumber(std::int64_t least, std::int64_t most) {
  return [=](const std::string& text) {
    const auto number = parseInteger(text);
    if (number && *number >= least && *number <= most) return std::string();
    return fmt::format("must be a whole number from {} to {} (found {})", least, most, text);
  };
}

std::string notEmpty(const std::string& text) {
  return text.empty() ? "is empty: name a folder, or leave the flag out" : "";
}

constexpr std::int64_t mostRanks = 4096;
constexpr std::int64_t largestSeed = 9'200'000'000'000'000'000;
constexpr std::int64_t mostSteps = 1'000'000'000'000;

void addOverrides(CLI::App* sub, Overrides& overrides) {
  sub->add_option("--ranks", overrides.ranks,
                  "Number of ranks (replaces the file's rank table; beside --rank-table: so many ranks of it)")
      ->check(wholeNumber(1, mostRanks));
  sub->add_option("--rank-table", overrides.rankTable, "Rank table file");
  sub->add_flag("--local", overrides.local, "Run all ranks of the rank table on this machine");
  sub->add_option("--device", overrides.device, "cpu or cuda");
  sub->add_option("--seed", overrides.seed, "Seed of every random stream")->check(wholeNumber(0, largestSeed));
  addRepeated(sub, "--set", overrides.settings, "Change a key of the file: key.path=value (again for more)");
  sub->add_option("--name", overrides.name, "Name of the run");
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
  return text + "\nRun with --help for more information.\n";
}

Parser::Parser() {
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
}

void Parser::addRunning() {
  auto [runCommand, run] = command<RunArguments>(app_, "run", "Run an experiment",
                                                 "  slipstream run experiments/quickstart.json\n"
                                                 "  slipstream run experiments/quickstart.json --ranks 4 --set "
                                                 "train.steps=50\n"
                                                 "  slipstream run experiments/quickstart.json --detach --name "
                                                 "overnight\n"
                                                 "Environment, where no flag and no key of the file says otherwise:\n"
                                                 "  DATA_PATH=FOLDER         where the data set is\n"
                                                 "  RANK_TABLE_FILE=FILE     rank table\n"
                                                 "  RANK_SIZE=N              number of ranks\n"
                                                 "  DEVICE_NUM=N             ranks a server\n"
                                                 "  SLIPSTREAM_STORE=FOLDER  the run store\n"
                                                 "  SLIPSTREAM_RESTARTS=N    start a failed run again, up to N times "
                                                 "(else 0: resume it by hand)");
  runCommand->add_option("file", run->file, "Experiment file")->required();
  runCommand->add_flag("--stdin", run->fromInput,
                       "Read the experiment from standard input; its paths are relative to where the file would stand");
  addOverrides(runCommand, run->overrides);
  runCommand->add_flag("--detach", run->detach, "Return at once; the run outlives this terminal");
  runCommand->add_flag("--quiet", run->quiet, "Print no progress");
  addJson(runCommand, run->json);

  auto [resumeCommand, resume] =
      command<ResumeArguments>(app_, "resume", "Continue a run from a checkpoint",
                               "  slipstream resume last\n  slipstream resume 3f2a --detach");
  resumeCommand->add_option("run", resume->run, runHelp)->required();
  resumeCommand->add_option("--from", resume->fromStep, "Step of the checkpoint (else the newest)")
      ->check(wholeNumber(0, mostSteps));
  resumeCommand->add_flag("--detach", resume->detach, "Return at once; the run outlives this terminal");
  resumeCommand->add_flag("--quiet", resume->quiet, "Print no progress");
  resumeCommand->add_flag("--allow-different-bits", resume->allowDifferentBits,
                          "Continue on a machine or build that rounds otherwise");
  resumeCommand->add_flag("--abandon-host", resume->abandonHost,
                          "Take over from a supervisor on another host that is gone for good; one that still runs "
                          "there would write into the same run");

  auto [stopCommand, stop] = command<StopArguments>(app_, "stop", "Ask a run to stop",
                                                    "  slipstream stop last\n  slipstream stop 3f2a --when checkpoint");
  stopCommand->add_option("run", stop->run, runHelp)->required();
  stopCommand->add_option("--when", stop->when, "After the step, after a checkpoint, or now")
      ->check(CLI::IsMember({"step", "checkpoint", "now"}))
      ->capture_default_str();
}

void Parser::addChecking() {
  auto [planCommand, plan] = command<PlanArguments>(
      app_, "plan", "Explain what a run would do, what is off, and why",
      "  slipstream plan experiments/quickstart.json\n"
      "  slipstream plan experiments/quickstart.json --rank-table experiments/rank_tables/rank_table_16pcs.json");
  planCommand->add_option("file", plan->file, "Experiment file")->required();
  addOverrides(planCommand, plan->overrides);
  addJson(planCommand, plan->json);

  auto [checkCommand, check] = command<CheckArguments>(app_, "check", "Check experiment files and rank tables",
                                                       "  slipstream check experiments/quickstart.json\n"
                                                       "  slipstream check --json experiments/rank_tables/*.json");
  checkCommand->add_option("files", check->files, "Experiment files or rank tables")->required();
  addJson(checkCommand, check->json);

  auto [devicesCommand, devices] = command<DevicesArguments>(app_, "devices", "List the devices of this machine",
                                                             "  slipstream devices\n  slipstream devices --json");
  addJson(devicesCommand, devices->json);
}

void Parser::addRankTables() {
  CLI::App* tables = app_.add_subcommand("rank-table", "Make, check, fix, merge, convert and try rank tables");
  tables->require_subcommand(1);
  tables->footer("Examples:\n  slipstream rank-table check experiments/rank_tables/rank_table_8pcs.json");
  tables->fallthrough();

  auto [newCommand, made] = command<RankTableNewArguments>(
      *tables, "new", "Make a rank table of one server",
      "  slipstream rank-table new --devices '[0,8)' --server 10.0.0.1 -o rank_table_8.json");
  newCommand->add_option("--devices", made->devices, "Device numbers as an interval, [0,8)");
  newCommand->add_option("--visible-devices", made->visibleDevices, "Device numbers that this machine shows, 0,1,2")
      ->delimiter(',')
      ->allow_extra_args(false);
  newCommand->add_option("--server", made->server, "server_id: address or name of the host");
  newCommand->add_option("--addresses", made->addresses, "Address of each device, in order")
      ->delimiter(',')
      ->allow_extra_args(false);
  newCommand->add_option("--hosts", made->hosts, "Several servers of equal devices: their names or addresses")
      ->delimiter(',')
      ->allow_extra_args(false);
  newCommand->add_option("-o,--output", made->output, "File to write (else stdout)");

  auto [checkCommand, check] =
      command<CheckArguments>(*tables, "check", "Check rank tables",
                              "  slipstream rank-table check experiments/rank_tables/rank_table_8pcs.json");
  check->rankTablesOnly = true;
  checkCommand->add_option("files", check->files, "Rank tables")->required();
  addJson(checkCommand, check->json);

  auto [mergeCommand, merge] =
      command<RankTableMergeArguments>(*tables, "merge", "Merge the tables of several servers into one",
                                       "  slipstream rank-table new --devices '[0,2)' --server 10.0.0.1 --addresses "
                                       "192.168.1.1,192.168.2.1 -o server0.json\n"
                                       "  slipstream rank-table new --devices '[0,2)' --server 10.0.0.2 --addresses "
                                       "192.168.1.2,192.168.2.2 -o server1.json\n"
                                       "  slipstream rank-table merge server0.json server1.json -o both.json");
  mergeCommand->add_option("files", merge->files, "Rank tables")->required();
  mergeCommand->add_option("-o,--output", merge->output, "File to write (else stdout)");

  auto [convertCommand, convert] = command<RankTableConvertArguments>(
      *tables, "convert", "Convert a rank table to a host file, a rank file or version 1.0",
      "  slipstream rank-table convert experiments/rank_tables/rank_table_16pcs.json --to hostfile -o hosts");
  convertCommand->add_option("file", convert->file, "Rank table")->required();
  convertCommand->add_option("--to", convert->to, "hostfile, rankfile or 1.0")->required();
  convertCommand->add_option("-o,--output", convert->output, "File to write (else stdout)");

  auto [fixCommand, fix] = command<RankTableFixArguments>(
      *tables, "fix", "Mend what makes a rank table unusable, and say what was done",
      "  slipstream rank-table fix experiments/rank_tables/rank_table_16pcs.json -o mended.json");
  fixCommand->add_option("file", fix->file, "Rank table")->required();
  fixCommand->add_option("-o,--output", fix->output, "File to write (else stdout)");

  auto [dryRunCommand, dryRun] = command<RankTableDryRunArguments>(
      *tables, "dry-run", "Show where each rank would go; ranks of this machine are started, report and end",
      "  slipstream rank-table dry-run experiments/rank_tables/rank_table_8pcs.json --local");
  dryRunCommand->add_option("file", dryRun->file, "Rank table")->required();
  dryRunCommand->add_flag("--local", dryRun->local, "Put all ranks of the rank table on this machine");
  addJson(dryRunCommand, dryRun->json);
}

void Parser::addReading() {
  auto [runsCommand, runs] =
      command<RunsArguments>(app_, "runs", "List the runs of the store",
                             "  slipstream runs\n  slipstream runs --filter 'state:failed -tag:old ranks>4' --json");
  runsCommand->add_option("--filter", runs->filter,
                          "Only runs of which every term holds: words, KEY:TEXT, KEY>NUMBER; a minus before one that "
                          "must not (keys: state, is, algo, tag, name, seed, ranks, any metric)");
  addJson(runsCommand, runs->json);

  auto [showCommand, show] = command<ShowArguments>(app_, "show", "Show a run: state, decisions, values, memory",
                                                    "  slipstream show last\n  slipstream show 3f2a --json");
  showCommand->add_option("run", show->run, runHelp)->required();
  addJson(showCommand, show->json);

  auto [metricsCommand, metrics] =
      command<MetricsArguments>(app_, "metrics", "Print the values of a run, every step",
                                "  slipstream metrics last --metric loss\n"
                                "  slipstream metrics last --metric loss --metric accuracy --format json");
  metricsCommand->add_option("run", metrics->run, runHelp)->required();
  addRepeated(metricsCommand, "--metric", metrics->metrics, "Name of a metric (again for more; else all)");
  metricsCommand->add_option("--format", metrics->format, "csv or json")
      ->check(CLI::IsMember({"csv", "json"}))
      ->capture_default_str();
  metricsCommand->add_flag_callback(
      "--json", [metrics = metrics] { metrics->format = "json"; }, "The same as --format json");

  auto [logsCommand, logs] = command<LogsArguments>(app_, "logs", "Print what the ranks of a run wrote",
                                                    "  slipstream logs last\n  slipstream logs last --rank 0");
  logsCommand->add_option("run", logs->run, runHelp)->required();
  logsCommand->add_option("--rank", logs->rank, "Only this rank")->check(wholeNumber(0, mostRanks - 1));
  addJson(logsCommand, logs->json);
}

void Parser::addCheckpoints() {
  auto [listCommand, list] = command<CheckpointsArguments>(app_, "checkpoints", "List the checkpoints of a run",
                                                           "  slipstream checkpoints last");
  listCommand->add_option("run", list->run, runHelp)->required();
  addJson(listCommand, list->json);

  CLI::App* checkpoint = app_.add_subcommand("checkpoint", "Work with one checkpoint");
  checkpoint->require_subcommand(1);
  checkpoint->footer("Examples:\n  slipstream checkpoint export last weights.safetensors");
  checkpoint->fallthrough();
  auto [exportCommand, exported] =
      command<CheckpointExportArguments>(*checkpoint, "export", "Write the weights of a checkpoint as a file",
                                         "  slipstream checkpoint export last weights.safetensors\n"
                                         "  slipstream checkpoint export 3f2a --format safetensors 3f2a.safetensors");
  exportCommand->add_option("run", exported->run, "RUN, or RUN@STEP for another checkpoint or a snapshot")->required();
  exportCommand->add_option("--format", exported->format, "safetensors")
      ->check(CLI::IsMember({"safetensors"}))
      ->capture_default_str();
  exportCommand->add_option("output", exported->output, "File to write")->required();

  CLI::App* store = app_.add_subcommand("store", "Work with the run store");
  store->require_subcommand(1);
  store->footer("Examples:\n  slipstream store verify");
  store->fallthrough();
  auto [verifyCommand, verify] =
      command<StoreVerifyArguments>(*store, "verify", "Check the database and every checkpoint",
                                    "  slipstream store verify\n  slipstream store verify --json");
  addJson(verifyCommand, verify->json);

  auto [evaluateCommand, evaluate] =
      command<EvaluateArguments>(app_, "evaluate", "Evaluate the weights of a run",
                                 "  slipstream evaluate last\n  slipstream evaluate 3f2a --json");
  evaluateCommand->add_option("run", evaluate->run, "RUN, or RUN@STEP for another checkpoint or a snapshot")
      ->required();
  evaluateCommand->add_option("--data", evaluate->data, "Folder of the data set");
  addJson(evaluateCommand, evaluate->json);
}

void Parser::addComparing() {
  auto [compareCommand, compare] =
      command<CompareArguments>(app_, "compare", "Compare runs: what differs, and what came of it",
                                "  slipstream compare 3f2a 9b01\n  slipstream compare 3f2a 9b01 --json");
  compareCommand->add_option("runs", compare->runs, "Runs, the first is the reference")->required();
  addJson(compareCommand, compare->json);

  auto [reportCommand, report] = command<ReportArguments>(app_, "report", "Write a report as one HTML file",
                                                          "  slipstream report last -o report.html\n"
                                                          "  slipstream report 3f2a 9b01 -o adasum_or_mean.html");
  reportCommand->add_option("runs", report->runs, "Runs, the first is the reference")->required();
  reportCommand->add_option("-o,--output", report->output, "File to write")->required();
}

std::variant<CommandLine, int> Parser::parse(int count, char** values) {
  try {
    app_.parse(count, values);
  } catch (const CLI::ParseError& error) {
    return app_.exit(error) == 0 ? ExitCode::done : ExitCode::invalidInput;
  }
  if (store_.empty()) store_ = environment("SLIPSTREAM_STORE").value_or(userDataFolder().string());
  return CommandLine{chosen_(), wholeStoreFolder(store_)};
}

}  // namespace

std::variant<CommandLine, int> parseArguments(int count, char** values) {
  return Parser().parse(count, values);
}

}  // namespace slipstream::cli
