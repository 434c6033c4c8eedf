// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "app/cli/arguments.h"
#include "app/cli/foreign_launcher.h"
#include "app/cli/on_remote.h"
#include "app/cli/reading.h"
#include "app/cli/safe_output.h"
#include "engine/base/characters.h"

namespace slipstream::cli {
namespace {

struct Dispatch {
  const CommandLine& line;

  int operator()(const RunArguments& arguments) const { return run(arguments, line); }
  int operator()(const PlanArguments& arguments) const { return plan(arguments, line); }
  int operator()(const CheckArguments& arguments) const { return check(arguments, line); }
  int operator()(const RankTableNewArguments& arguments) const { return rankTableNew(arguments, line); }
  int operator()(const RankTableMergeArguments& arguments) const { return rankTableMerge(arguments, line); }
  int operator()(const RankTableConvertArguments& arguments) const { return rankTableConvert(arguments, line); }
  int operator()(const RankTableFixArguments& arguments) const { return rankTableFix(arguments, line); }
  int operator()(const RankTableDryRunArguments& arguments) const { return rankTableDryRun(arguments, line); }
  int operator()(const HostsCheckArguments& arguments) const { return hostsCheck(arguments, line); }
  int operator()(const RunsArguments& arguments) const { return runs(arguments, line); }
  int operator()(const ShowArguments& arguments) const { return show(arguments, line); }
  int operator()(const MetricsArguments& arguments) const { return metrics(arguments, line); }
  int operator()(const ExportArguments& arguments) const { return exportRuns(arguments, line); }
  int operator()(const ImportArguments& arguments) const { return importRuns(arguments, line); }
  int operator()(const LogsArguments& arguments) const { return logs(arguments, line); }
  int operator()(const CheckpointsArguments& arguments) const { return checkpoints(arguments, line); }
  int operator()(const CheckpointExportArguments& arguments) const { return checkpointExport(arguments, line); }
  int operator()(const CheckpointInspectArguments& arguments) const { return checkpointInspect(arguments, line); }
  int operator()(const ResumeArguments& arguments) const { return resume(arguments, line); }
  int operator()(const StopArguments& arguments) const { return stop(arguments, line); }
  int operator()(const SubmitArguments& arguments) const { return submit(arguments, line); }
  int operator()(const EvaluateArguments& arguments) const { return evaluate(arguments, line); }
  int operator()(const CompareArguments& arguments) const { return compare(arguments, line); }
  int operator()(const ReportArguments& arguments) const { return report(arguments, line); }
  int operator()(const DevicesArguments& arguments) const { return devices(arguments, line); }
  int operator()(const StoreVerifyArguments& arguments) const { return storeVerify(arguments, line); }
  int operator()(const TagArguments& arguments) const { return tag(arguments, line); }
  int operator()(const RenameArguments& arguments) const { return rename(arguments, line); }
  int operator()(const ArchiveArguments& arguments) const { return archive(arguments, line); }
  int operator()(const DeleteArguments& arguments) const { return deleteRuns(arguments, line); }
  int operator()(const PruneArguments& arguments) const { return pruneRuns(arguments, line); }
  int operator()(const VerifyArguments& arguments) const { return verifyRun(arguments, line); }
  int operator()(const CompletionArguments& arguments) const { return completion(arguments, line); }
  int operator()(const StudyCheckArguments& arguments) const { return studyCheck(arguments, line); }
  int operator()(const StudyRunArguments& arguments) const { return studyRun(arguments, line); }
  int operator()(const StudyPauseArguments& arguments) const { return studyPause(arguments, line); }
  int operator()(const StudyStatusArguments& arguments) const { return studyStatus(arguments, line); }
  int operator()(const StudyVerdictArguments& arguments) const { return studyVerdict(arguments, line); }
  int operator()(const StudyAddSeedsArguments& arguments) const { return studyAddSeeds(arguments, line); }
  int operator()(const StudyReportArguments& arguments) const { return studyReport(arguments, line); }
  int operator()(const RemoteAddArguments& arguments) const { return remoteAdd(arguments, line); }
  int operator()(const RemoteListArguments& arguments) const { return remoteList(arguments, line); }
  int operator()(const RemoteRemoveArguments& arguments) const { return remoteRemove(arguments, line); }
  int operator()(const RemoteCheckArguments& arguments) const { return remoteCheck(arguments, line); }
  int operator()(const RemoteSyncArguments& arguments) const { return remoteSync(arguments, line); }
  int operator()(const CheckpointFetchArguments& arguments) const { return checkpointFetch(arguments, line); }
  int operator()(const CheckpointSendArguments& arguments) const { return checkpointSend(arguments, line); }
  int operator()(const StoreServeArguments& arguments) const { return storeServe(arguments, line); }
  int operator()(const SchemaArguments& arguments) const { return schema(arguments, line); }
};

/// A stream that the caller closed stays closed, instead of becoming the next file or socket that is opened.
void keepStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is taken, which is this one; reading only, so that writing to it still fails.
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

/// The pipe that stdout was has no reader any more.
bool readerHasLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// What was printed must have arrived: a full disk is a failure. Who closes a pipe has read enough.
int delivered(int code) {
  const bool complete = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (complete || readerHasLeft()) return code;
  std::fputs("stdout: cannot be written to its end; give it a place that has room\n", stderr);
  return code == ExitCode::done ? ExitCode::runFailed : code;
}

/// What these print is never thrown (say.h): whatever they throw is a failure of theirs.
bool supervises(const CommandLine& line) {
  return std::holds_alternative<RunArguments>(line.command) || std::holds_alternative<ResumeArguments>(line.command) ||
         std::holds_alternative<StudyRunArguments>(line.command);
}

/// Whether the command starts ranks of its own, which no launcher of MPI programs may be around.
bool startsRanks(const CommandLine& line) {
  return supervises(line) || std::holds_alternative<RankTableDryRunArguments>(line.command) ||
         std::holds_alternative<VerifyArguments>(line.command);
}

int answer(int count, char** values) {
  bool printsSafely = false;
  try {
    const std::variant<CommandLine, int> parsed = parseArguments(count, values);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const auto& line = std::get<CommandLine>(parsed);
    if (!line.remote.empty()) return doThere(line);
    printsSafely = supervises(line);
    if (const auto launcher = foreignLauncher(); launcher && startsRanks(line)) {
      return refuseLauncher(*launcher, {values + 1, values + count});
    }
    return std::visit(Dispatch{line}, line.command);
  } catch (const StoreDamaged& damage) {
    return report(
        {{"", "", damage.what(), "put a copy of the file in its place, or choose another folder with --store"}});
  } catch (const std::system_error& error) {
    // What print() throws where stdout takes no more; delivered() says so.
    if (std::ferror(stdout) != 0 && !printsSafely) return ExitCode::done;
    report({{"slipstream", "", error.what(), ""}});
  } catch (const std::exception& error) {
    report({{"slipstream", "", error.what(), ""}});
  }
  return ExitCode::runFailed;
}

}  // namespace
}  // namespace slipstream::cli

int main(int count, char** values) {
  using namespace slipstream::cli;
  // A run must outlive whoever reads its lines: a closed pipe is a failed write, not the end of a supervisor.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that reaches the limit of its size (ulimit -f) is a failed write, as on a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  keepStandardStreams();
  escapeControlCharacters();
  return delivered(answer(count, values));
}
