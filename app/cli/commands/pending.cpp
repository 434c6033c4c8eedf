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
int plan(const PlanArguments&, const CommandLine&) {
  return notBuiltYet("plan");
}
int check(const CheckArguments&, const CommandLine&) {
  return notBuiltYet("check");
}
int rankTableNew(const RankTableNewArguments&, const CommandLine&) {
  return notBuiltYet("rank-table new");
}
int rankTableMerge(const RankTableMergeArguments&, const CommandLine&) {
  return notBuiltYet("rank-table merge");
}
int rankTableConvert(const RankTableConvertArguments&, const CommandLine&) {
  return notBuiltYet("rank-table convert");
}
int checkpointExport(const CheckpointExportArguments&, const CommandLine&) {
  return notBuiltYet("checkpoint export");
}
int resume(const ResumeArguments&, const CommandLine&) {
  return notBuiltYet("resume");
}
int stop(const StopArguments&, const CommandLine&) {
  return notBuiltYet("stop");
}
int compare(const CompareArguments&, const CommandLine&) {
  return notBuiltYet("compare");
}
int report(const ReportArguments&, const CommandLine&) {
  return notBuiltYet("report");
}

}  // namespace slipstream::cli
