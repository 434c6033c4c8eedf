// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/commands.h"

#include "app/cli/parser/argument_parser.h"
#include "app/cli/planning/options.h"

namespace slipstream::cli {
namespace {

void addRun(ArgumentParser& parser) {
  auto [runCommand, run] =
      parser.add<RunArguments>(parser.app(), "run", "Run an experiment",
                               "  slipstream run experiments/quickstart.json\n"
                               "  slipstream run experiments/quickstart.json --variant adasum\n"
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
                               "(else 0: resume it by hand)\n"
                               "  SLIPSTREAM_RECORDING=off give a GPU every pass call by call: "
                               "slower, the same bits\n"
                               "  SLIPSTREAM_MATRIX_UNIT=off do without the processor's matrix unit "
                               "(AMX): slower, the bits of avx512",
                               {.run = cli::run, .ranks = Ranks::supervised, .onRemote = launchOnRemote});
  runCommand->add_option("file", run->file, "Experiment file")->required();
  runCommand->add_flag("--stdin", run->fromInput,
                       "Read the experiment from standard input; its paths are relative to where the file would be");
  addOverrides(runCommand, run->overrides);
  addStage(runCommand, run->stage);
  runCommand->add_flag("--detach", run->detach, "Return at once; the run outlives this terminal");
  runCommand->add_flag("--quiet", run->quiet, "Print no progress");
  addJson(runCommand, run->json);
}

void addResume(ArgumentParser& parser) {
  auto [resumeCommand, resume] = parser.add<ResumeArguments>(
      parser.app(), "resume", "Continue a run from a checkpoint",
      "  slipstream resume last\n  slipstream resume 3f2a --detach",
      {.run = cli::resume, .ranks = Ranks::supervised, .onRemote = sameOnRemote<ResumeArguments>});
  resumeCommand->add_option("run", resume->run, runHelp)->required();
  resumeCommand->add_option("--from", resume->fromStep, "Step of the checkpoint (else the newest)")
      ->check(wholeNumber(0, mostSteps));
  addStage(resumeCommand, resume->stage);
  resumeCommand->add_flag("--detach", resume->detach, "Return at once; the run outlives this terminal");
  resumeCommand->add_flag("--quiet", resume->quiet, "Print no progress");
  resumeCommand->add_flag("--allow-different-bits", resume->allowDifferentBits,
                          "Continue on a machine or build that rounds otherwise, or from the beginning with a file of "
                          "network.pre_trained that has been changed");
  resumeCommand->add_flag("--abandon-host", resume->abandonHost,
                          "Take over from a supervisor on another host that is gone for good; one that still runs "
                          "there would write into the same run");

  addJson(resumeCommand, resume->json);
}

void addStop(ArgumentParser& parser) {
  auto [stopCommand, stop] = parser.add<StopArguments>(
      parser.app(), "stop", "Ask a run to stop", "  slipstream stop last\n  slipstream stop 3f2a --when checkpoint",
      {.run = cli::stop, .onRemote = sameOnRemote<StopArguments>});
  stopCommand->add_option("run", stop->run, runHelp)->required();
  stopCommand->add_option("--when", stop->when, "After the step, after a checkpoint, or now")
      ->check(CLI::IsMember({"step", "checkpoint", "now"}))
      ->capture_default_str();
  addJson(stopCommand, stop->json);
}

void addSubmit(ArgumentParser& parser) {
  auto [submitCommand, submit] = parser.add<SubmitArguments>(
      parser.app(), "submit", "Give runs to Slurm, a job each, which go on after its interruptions",
      "  slipstream submit experiments/quickstart.json --nodes 2 --time 2:00:00\n"
      "  slipstream submit --resume last --time 2:00:00\n"
      "The store must be in a place that the hosts of the job see. slipstream plan --slurm "
      "shows the batch script; slipstream stop cancels.",
      {.run = cli::submit, .onRemote = submitOnRemote});
  auto* file = submitCommand->add_option("file", submit->file, "Experiment file");
  submitCommand->add_flag("--stdin", submit->fromInput,
                          "Read the experiment from standard input; its paths are relative to where the file would be");
  auto* resumed = submitCommand->add_option("--resume", submit->resumed, "Continue this run instead, in a new job");
  resumed->excludes(file);
  addOverrides(submitCommand, submit->overrides);
  addSlurmRequest(submitCommand, submit->request);
  addJson(submitCommand, submit->json);
}

void addVerify(ArgumentParser& parser) {
  auto [verifyCommand, verify] = parser.add<VerifyArguments>(
      parser.app(), "verify", "Repeat steps of a run from its checkpoints and compare every tensor's SHA-256",
      "  slipstream verify last\n  slipstream verify 3f2a --steps 100 --json",
      {.run = cli::verifyRun, .ranks = Ranks::started, .onRemote = sameOnRemote<VerifyArguments>});
  verifyCommand->add_option("run", verify->run, runHelp)->required();
  verifyCommand
      ->add_option("--steps", verify->steps,
                   "Repeat at least so many steps, in whole pieces between two checkpoints that are chosen at random")
      ->check(wholeNumber(1, mostSteps))
      ->capture_default_str();
  verifyCommand->add_option("--seed", verify->seed, "Seed of that choice (else another one each time)")
      ->check(wholeNumber(0, largestSeed));
  addJson(verifyCommand, verify->json);
}

}  // namespace

void addRunningCommands(ArgumentParser& parser) {
  addRun(parser);
  addResume(parser);
  addStop(parser);
  addSubmit(parser);
  addVerify(parser);
}

}  // namespace slipstream::cli
