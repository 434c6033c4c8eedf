// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/failure.h"
#include "engine/experiment/experiment_file.h"
#include "engine/slurm/batch_script.h"

namespace slipstream::cli {

/// What the command line asked for: one struct a command, as typed. Parsed by arguments.cpp, the one file with CLI11.

/// Settings over the experiment file; the flags of `run` and `plan`.
struct Overrides : ExperimentOverrides {
  std::vector<std::string> variants;  ///< of the file's; empty: all
};

struct RunArguments {
  std::string file;
  bool fromInput = false;  ///< the text comes through standard input; `file` is where it would be
  Overrides overrides;
  bool stage = false;  ///< hosts are sent the worker program where they lack it
  bool detach = false;
  bool quiet = false;
  bool json = false;
};
struct PlanArguments {
  std::string file;
  Overrides overrides;
  bool slurm = false;  ///< the batch scripts of `submit` alone
  SlurmRequest request;
  bool json = false;
};
struct SubmitArguments {
  std::string file;
  bool fromInput = false;  ///< the text comes through standard input; `file` is where it would be
  std::string resumed;     ///< a run instead of a file
  Overrides overrides;
  SlurmRequest request;
  bool json = false;
};
struct CheckArguments {
  std::vector<std::string> files;
  bool rankTablesOnly = false;
  bool json = false;
};
struct RankTableNewArguments {
  std::string devices;
  std::vector<std::string> visibleDevices;
  std::string server;
  std::vector<std::string> addresses;
  std::vector<std::string> hosts;
  std::string output;
  bool json = false;
};
struct RankTableMergeArguments {
  std::vector<std::string> files;
  std::string output;
  bool json = false;
};
struct RankTableConvertArguments {
  std::string file;
  std::string to;
  std::string output;
  bool json = false;
};
struct RankTableFixArguments {
  std::string file;
  std::string output;
  bool json = false;
};
struct RankTableDryRunArguments {
  std::string file;
  bool local = false;
  bool json = false;
};
struct HostsCheckArguments {
  std::string file;
  std::string hosts;  ///< a:4,b:4, in place of a file
  bool stage = false;
  bool fromInput = false;  ///< the text comes through standard input
  bool json = false;
};
struct RunsArguments {
  std::vector<std::string> runs;  ///< words of a selection (run_selection.h); empty: all
  std::string filter;
  std::vector<std::string> tags;
  bool archived = false;
  bool json = false;
};
struct ShowArguments {
  std::string run;
  bool json = false;
};
struct MetricsArguments {
  std::string run;
  std::vector<std::string> metrics;
  std::string format = "csv";
};
struct ExportArguments {
  std::vector<std::string> runs;
  std::string filter;
  std::string format;
  std::vector<std::string> metrics;  ///< empty: all
  std::string output;
  bool json = false;
};
struct ImportArguments {
  std::vector<std::string> sources;
  std::string experiment;
  std::vector<std::string> metrics;  ///< --metric TAG=METRIC
  bool partial = false;
  bool json = false;
};
struct LogsArguments {
  std::string run;
  std::optional<int> rank;
  bool json = false;
};
struct CheckpointsArguments {
  std::string run;
  bool json = false;
};
struct CheckpointExportArguments {
  std::string run;
  bool all = false;  ///< every checkpoint and snapshot, into the folder `output`
  std::optional<std::string> format;
  std::optional<std::string> channels;
  bool crc = false;
  bool average = false;  ///< of the weights, in their place
  std::string names = "own";
  std::string output;
  bool json = false;
};
struct CheckpointInspectArguments {
  std::string file;
  bool json = false;
};
struct ResumeArguments {
  std::string run;
  std::optional<std::int64_t> fromStep;
  bool stage = false;
  bool detach = false;
  bool quiet = false;
  bool allowDifferentBits = false;
  bool abandonHost = false;
  bool json = false;
};
struct StopArguments {
  std::string run;
  std::string when = "step";
  bool json = false;
};
struct EvaluateArguments {
  std::string run;  ///< or a file of weights
  std::optional<std::string> experiment;
  std::optional<std::string> variant;
  std::vector<std::string> settings;  ///< --set key.path=value
  std::optional<std::string> data;
  bool allSamples = false;  ///< of data that was split
  bool average = false;     ///< of the weights, in their place
  std::string predictions;  ///< CSV file of what was predicted for each sample
  bool probabilities = false;
  bool confusion = false;
  bool json = false;
};
struct CompareArguments {
  std::vector<std::string> runs;
  std::string filter;
  std::string language = "en";
  bool json = false;
};
struct ReportArguments {
  std::vector<std::string> runs;
  std::string filter;
  std::string output;
  std::string language = "en";
  std::string paperSize = "a4";
  bool json = false;
};
struct DevicesArguments {
  std::optional<std::string> device;  ///< a name, or check:ONE,OTHER
  bool json = false;
};
struct StoreVerifyArguments {
  bool json = false;
};
/// `tag` and `untag`.
struct TagArguments {
  std::string tag;
  std::vector<std::string> runs;
  bool removes = false;
  bool json = false;
};
struct RenameArguments {
  std::string run;
  std::string name;  ///< empty: the one that it was started under
  bool json = false;
};
/// `archive` and `unarchive`.
struct ArchiveArguments {
  std::vector<std::string> runs;
  bool restores = false;
  bool json = false;
};
struct DeleteArguments {
  std::vector<std::string> runs;
  bool confirmed = false;
  bool dryRun = false;
  bool json = false;
};
struct PruneArguments {
  std::vector<std::string> runs;  ///< empty: all that are not archived
  bool failed = false;
  std::optional<std::int64_t> keepCheckpoints;
  bool confirmed = false;
  bool dryRun = false;
  bool json = false;
};
struct VerifyArguments {
  std::string run;
  std::int64_t steps = 1;
  std::optional<std::uint64_t> seed;  ///< of the choice; else by the clock
  bool json = false;
};
/// A study is named by its name in the store, or by its file.
struct StudyCheckArguments {
  std::string file;
  std::optional<int> control;
  bool json = false;
};
struct StudyRunArguments {
  std::string study;
  std::optional<int> control;  ///< copies of the reference to compare with it
  std::optional<int> cell;     ///< this one alone, as the queue starts it
  bool detach = false;
  bool quiet = false;
  bool json = false;
};
struct StudyPauseArguments {
  std::string study;
  bool json = false;
};
struct StudyStatusArguments {
  std::string study;  ///< empty: all of the store
  bool json = false;
};
struct StudyVerdictArguments {
  std::string study;
  std::string language = "en";
  bool json = false;
};
struct StudyAddSeedsArguments {
  std::string study;
  std::int64_t count = 0;
  bool json = false;
};
struct StudyReportArguments {
  std::string study;
  std::string output;
  std::string language = "en";
  std::string paperSize = "a4";
  bool json = false;
};
/// Copies of another machine's runs, and what is done there.
struct RemoteAddArguments {
  std::string name;
  std::string place;  ///< HOST[:STORE]
  std::optional<std::string> program;
  bool slurm = false;
  bool json = false;
};
struct RemoteListArguments {
  bool json = false;
};
struct RemoteRemoveArguments {
  std::string name;
  bool json = false;
};
struct RemoteCheckArguments {
  std::string name;
  bool json = false;
};
struct RemoteSyncArguments {
  std::string name;
  bool follow = false;
  bool json = false;
};
struct CheckpointFetchArguments {
  std::string run;  ///< or RUN@STEP
  bool json = false;
};
/// For programs at the other end of a connection.
struct CheckpointSendArguments {
  std::string run;
  std::int64_t step = 0;
  bool snapshot = false;
  bool json = false;
};
struct StoreServeArguments {
  bool json = false;
};
struct SchemaArguments {
  std::string of = "experiment";  ///< or "study": the files that are described
  bool json = false;              ///< as every command has it: what is printed is JSON in any case
};

struct CompletionArguments {
  std::string shell;
  std::string script;  ///< made by the parser, which knows the commands
  bool json = false;
};

using Command =
    std::variant<RunArguments, PlanArguments, CheckArguments, RankTableNewArguments, RankTableMergeArguments,
                 RankTableConvertArguments, RankTableFixArguments, RankTableDryRunArguments, HostsCheckArguments,
                 RunsArguments, ShowArguments, MetricsArguments, ExportArguments, ImportArguments, LogsArguments,
                 CheckpointsArguments, CheckpointExportArguments, CheckpointInspectArguments, ResumeArguments,
                 StopArguments, SubmitArguments, EvaluateArguments, CompareArguments, ReportArguments, DevicesArguments,
                 StoreVerifyArguments, TagArguments, RenameArguments, ArchiveArguments, DeleteArguments, PruneArguments,
                 VerifyArguments, CompletionArguments, StudyCheckArguments, StudyRunArguments, StudyPauseArguments,
                 StudyStatusArguments, StudyVerdictArguments, StudyAddSeedsArguments, StudyReportArguments,
                 RemoteAddArguments, RemoteListArguments, RemoteRemoveArguments, RemoteCheckArguments,
                 RemoteSyncArguments, CheckpointFetchArguments, CheckpointSendArguments, StoreServeArguments,
                 SchemaArguments>;

struct CommandLine {
  Command command;
  std::string storeFolder;              ///< --store, else SLIPSTREAM_STORE, else the user's data folder; its whole path
  std::string remote = {};              ///< --on: where the command is done; empty: here
  std::vector<std::string> words = {};  ///< as typed, without --on
};

enum ExitCode { done = 0, runFailed = 1, invalidInput = 2, stopped = 130 };

/// Parses the arguments; prints help or the error itself and gives the exit code where there is nothing to do.
std::variant<CommandLine, int> parseArguments(int count, char** values);

// commands/NAME.cpp, one each. They print results on stdout, errors on stderr, and return the exit code.
int run(const RunArguments& arguments, const CommandLine& line);
int plan(const PlanArguments& arguments, const CommandLine& line);
int check(const CheckArguments& arguments, const CommandLine& line);
int rankTableNew(const RankTableNewArguments& arguments, const CommandLine& line);
int rankTableMerge(const RankTableMergeArguments& arguments, const CommandLine& line);
int rankTableConvert(const RankTableConvertArguments& arguments, const CommandLine& line);
int rankTableFix(const RankTableFixArguments& arguments, const CommandLine& line);
int rankTableDryRun(const RankTableDryRunArguments& arguments, const CommandLine& line);
int hostsCheck(const HostsCheckArguments& arguments, const CommandLine& line);
int runs(const RunsArguments& arguments, const CommandLine& line);
int show(const ShowArguments& arguments, const CommandLine& line);
int metrics(const MetricsArguments& arguments, const CommandLine& line);
int exportRuns(const ExportArguments& arguments, const CommandLine& line);
int importRuns(const ImportArguments& arguments, const CommandLine& line);
int logs(const LogsArguments& arguments, const CommandLine& line);
int checkpoints(const CheckpointsArguments& arguments, const CommandLine& line);
int checkpointExport(const CheckpointExportArguments& arguments, const CommandLine& line);
int checkpointInspect(const CheckpointInspectArguments& arguments, const CommandLine& line);
int resume(const ResumeArguments& arguments, const CommandLine& line);
int stop(const StopArguments& arguments, const CommandLine& line);
int submit(const SubmitArguments& arguments, const CommandLine& line);
int evaluate(const EvaluateArguments& arguments, const CommandLine& line);
int compare(const CompareArguments& arguments, const CommandLine& line);
int report(const ReportArguments& arguments, const CommandLine& line);
int studyCheck(const StudyCheckArguments& arguments, const CommandLine& line);
int studyRun(const StudyRunArguments& arguments, const CommandLine& line);
int studyPause(const StudyPauseArguments& arguments, const CommandLine& line);
int studyStatus(const StudyStatusArguments& arguments, const CommandLine& line);
int studyVerdict(const StudyVerdictArguments& arguments, const CommandLine& line);
int studyAddSeeds(const StudyAddSeedsArguments& arguments, const CommandLine& line);
int studyReport(const StudyReportArguments& arguments, const CommandLine& line);
int devices(const DevicesArguments& arguments, const CommandLine& line);
int storeVerify(const StoreVerifyArguments& arguments, const CommandLine& line);
int tag(const TagArguments& arguments, const CommandLine& line);
int rename(const RenameArguments& arguments, const CommandLine& line);
int archive(const ArchiveArguments& arguments, const CommandLine& line);
int deleteRuns(const DeleteArguments& arguments, const CommandLine& line);
int pruneRuns(const PruneArguments& arguments, const CommandLine& line);
int verifyRun(const VerifyArguments& arguments, const CommandLine& line);
int completion(const CompletionArguments& arguments, const CommandLine& line);
int remoteAdd(const RemoteAddArguments& arguments, const CommandLine& line);
int remoteList(const RemoteListArguments& arguments, const CommandLine& line);
int remoteRemove(const RemoteRemoveArguments& arguments, const CommandLine& line);
int remoteCheck(const RemoteCheckArguments& arguments, const CommandLine& line);
int remoteSync(const RemoteSyncArguments& arguments, const CommandLine& line);
int checkpointFetch(const CheckpointFetchArguments& arguments, const CommandLine& line);
int checkpointSend(const CheckpointSendArguments& arguments, const CommandLine& line);
int storeServe(const StoreServeArguments& arguments, const CommandLine& line);
int schema(const SchemaArguments& arguments, const CommandLine& line);

}  // namespace slipstream::cli
