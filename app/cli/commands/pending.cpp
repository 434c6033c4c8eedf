#include <cstdio>

#include "app/cli/arguments.h"

namespace slipstream::cli {
namespace {

int notBuiltYet(const char* command) {
  std::fprintf(stderr, "slipstream: %s is not built yet\n", command);
  return ExitCode::invalidInput;
}

}  // namespace

int run(const RunArguments&, const CommandLine&) {
  return notBuiltYet("run");
}
int resume(const ResumeArguments&, const CommandLine&) {
  return notBuiltYet("resume");
}
int stop(const StopArguments&, const CommandLine&) {
  return notBuiltYet("stop");
}

}  // namespace slipstream::cli
