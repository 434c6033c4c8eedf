// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/parser/argument_parser.h"
#include "app/cli/parser/completion.h"
#include "app/cli/planning/commands.h"
#include "app/cli/remotes/commands.h"
#include "app/cli/remotes/on_remote.h"
#include "app/cli/running/commands.h"
#include "app/cli/running/foreign_launcher.h"
#include "app/cli/runs/commands.h"
#include "app/cli/streams/output.h"
#include "app/cli/streams/safe_output.h"
#include "app/cli/studies/commands.h"
#include "app/cli/trackers/commands.h"
#include "engine/base/characters.h"
#include "engine/store/run_store.h"

namespace slipstream::cli {
namespace {

void addCommands(ArgumentParser& parser) {
  addRunningCommands(parser);
  addPlanningCommands(parser);
  addRunsCommands(parser);
  addCheckpointsCommands(parser);
  addStudiesCommands(parser);
  addRemotesCommands(parser);
  addTrackersCommands(parser);
  addCompletionCommand(parser);
}

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

int answer(int count, char** values) {
  bool printsSafely = false;
  try {
    ArgumentParser parser;
    addCommands(parser);
    const std::variant<ChosenCommand, int> parsed = parser.parse(count, values);
    if (const int* code = std::get_if<int>(&parsed)) return *code;
    const auto& command = std::get<ChosenCommand>(parsed);
    if (!command.line.remote.empty()) return doThere(command);
    printsSafely = command.ranks == Ranks::supervised;
    // No launcher of MPI programs may be around ranks that the command starts itself.
    if (const auto launcher = foreignLauncher(); launcher && command.ranks != Ranks::none) {
      return refuseLauncher(*launcher, {values + 1, values + count});
    }
    return command.run();
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
