// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/planning/batch_job.h"
#include "app/cli/planning/commands.h"
#include "app/cli/planning/placement_text.h"
#include "app/cli/planning/variants.h"
#include "app/cli/streams/output.h"
#include "engine/base/characters.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/document/text_table.h"
#include "engine/launch/dry_run.h"
#include "engine/launch/scratch_memory.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/forecast.h"
#include "engine/plan/plan_file.h"
#include "engine/report/stage_text.h"

namespace slipstream::cli {
namespace {

Json toJson(const ServerView& view) {
  return Json{{"host", view.host}, {"ranks", view.ranks}, {"environment", view.environment}};
}

/// Of each stage; memory is in the plan.
Json forecastJson(const RunPlan& plan) {
  Json stages = Json::array();
  for (const StagePlan& stage : stagesOf(plan)) {
    const RunForecast forecast = forecastRun(plan, stage);
    stages.push_back({{"stage", stage.name},
                      {"steps", forecast.steps},
                      {"frozen_steps", forecast.frozenSteps},
                      {"bytes_sent_per_rank_and_step", forecast.trafficPerStep},
                      {"checkpoint_bytes", forecast.checkpointBytes},
                      {"checkpoints_kept", forecast.checkpointsKept},
                      {"checkpoint_bytes_kept", forecast.storedBytes()}});
  }
  return stages;
}

/// `devices`: whether the plans' devices are there.
Status runnable(const RunPlan& plan, const Status& devices) {
  Failures failures;
  collect(runnableHere(plan), failures);
  if (wantsNumberedDevices(plan) && !devices) addOnce(failures, devices.error());
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

Json toJson(const RunPlan& plan, const Status& devices) {
  const LaunchPlan launch = exampleLaunch(plan);
  Json servers = Json::array();
  for (const ServerView& view : serverViews(plan)) servers.push_back(toJson(view));
  return Json{{"plan", Json::parse(toJsonText(plan))},
              {"forecast", forecastJson(plan)},
              {"launch", {{"argv", launch.argv}, {"environment", launch.environment}, {"files", launch.files}}},
              {"servers", std::move(servers)},
              {"runnable_here", runnable(plan, devices).has_value()}};
}

void heading(const std::string& text) {
  std::cout << "\n" << text << "\n";
}

void printAsked(const RunPlan& plan) {
  const Experiment& experiment = plan.experiment;
  const std::string data = experiment.dataset.path.empty()
                               ? experiment.dataset.name
                               : experiment.dataset.name + " from " + experiment.dataset.path;
  const std::string title = experiment.name + (experiment.variant.empty() ? "" : " / " + experiment.variant);
  std::cout << fmt::format("{}: {} on {}, {}, seed {}\n", printable(title), experiment.network.name, printable(data),
                           counted(plan.ranks(), "rank"), experiment.seed);
  std::cout << fmt::format("{} on {}\n", counted(plan.totalSteps, "step"),
                           counted(plan.trainSamples, "training sample"));
}

std::string notesOn(const StagePlan& stage) {
  const auto& snapshots = stage.snapshotSteps;
  std::vector<std::string> notes;
  if (!snapshots.empty()) notes.push_back("keeps " + counted(std::ssize(snapshots), "snapshot"));
  if (stage.readsSnapshots) notes.push_back("reads the snapshots of " + stage.start.stage);
  return join(notes, ", ");
}

void printStages(const RunPlan& plan) {
  if (plan.stages.empty()) {
    const StagePlan whole = stagesOf(plan).front();
    std::cout << fmt::format("{}\nstarts from: {}\noptimizer: {}\nalgorithms: {}\n",
                             lengthText(whole, plan.ranks()).in(), printable(startText(whole).in()),
                             optimizerText(whole).in(), algorithmsText(whole.experiment).in());
    if (!whole.snapshotSteps.empty()) std::cout << notesOn(whole) << "\n";
    return;
  }
  heading("Stages");
  std::vector<TextRow> rows{{"stage", "starts from", "length", "optimizer", "algorithms", "snapshots"}};
  for (const StagePlan& stage : plan.stages) {
    rows.push_back({stage.name, startText(stage).in(), lengthText(stage, plan.ranks()).in(), optimizerText(stage).in(),
                    algorithmsText(stage.experiment).in(), notesOn(stage)});
  }
  std::cout << printable(tableText(rows, 6, "  "), "\n");
}

void printDecisions(const RunPlan& plan) {
  heading("What is on and off, and why");
  std::cout << decisionsText(plan);
}

void printPlacement(const RunPlan& plan) {
  heading("Placement");
  std::cout << placementText(plan);
}

void printLaunch(const RunPlan& plan) {
  heading("Launch (RUN, PRIVATE and STORE are chosen by the run)");
  const LaunchPlan launch = exampleLaunch(plan);
  for (const auto& [name, value] : launch.environment) std::cout << fmt::format("  {}={}\n", name, shellLine({value}));
  std::cout << "  " << shellLine(launch.argv) << "\n";
  for (const auto& [name, text] : launch.files) {
    std::cout << fmt::format("  file PRIVATE/{}:\n{}", name, shortenedLines(text));
  }
}

std::string keptText(const RunForecast& forecast) {
  if (forecast.checkpointsKept == 0) return "none";
  return fmt::format("{}: at most {}", counted(forecast.checkpointsKept, "checkpoint"),
                     sizeText(forecast.storedBytes()));
}

void printRunForecast(const RunPlan& plan) {
  heading("Steps, forecast");
  std::vector<TextRow> rows{{plan.stages.empty() ? "" : "stage", "steps", "frozen", "a rank sends a step", "kept"}};
  for (const StagePlan& stage : stagesOf(plan)) {
    const RunForecast forecast = forecastRun(plan, stage);
    rows.push_back({plan.stages.empty() ? "run" : stage.name, countText(forecast.steps),
                    countText(forecast.frozenSteps), sizeText(forecast.trafficPerStep), keptText(forecast)});
  }
  std::cout << printable(tableText(rows, 1, "  "), "\n");
}

void printMemoryForecast(const RunPlan& plan) {
  heading("Memory a rank, forecast");
  std::int64_t total = 0;
  for (const auto& [category, bytes] : plan.memoryPerRank) {
    std::cout << fmt::format("  {:<16} {:>10}\n", category, sizeText(bytes));
    total += bytes;
  }
  std::cout << fmt::format("  {:<16} {:>10}\n", "together", sizeText(total));
}

/// False where `run` will refuse the plan.
bool print(const RunPlan& plan, const Status& devices) {
  printAsked(plan);
  printStages(plan);
  printDecisions(plan);
  printPlacement(plan);
  printLaunch(plan);
  printRunForecast(plan);
  printMemoryForecast(plan);
  const auto can = runnable(plan, devices);
  if (!can) std::cout << "\n`run` will refuse this here:\n" << printable(toText(can.error()), "\n");
  return can.has_value();
}

/// RUN and the end of the job's name are chosen by `submit`.
int printScripts(const PlanArguments& arguments, const std::vector<RunPlan>& plans, const std::string& storeFolder) {
  Json scripts = Json::array();
  for (const RunPlan& plan : plans) {
    const std::string text = scriptOf(arguments.request, plan, "RUN", "slipstream-RUN", storeFolder);
    scripts.push_back({{"variant", plan.experiment.variant}, {"script", text}});
    if (!arguments.json) std::cout << (scripts.size() > 1 ? "\n" : "") << text;
  }
  if (arguments.json) std::cout << scripts.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  return done;
}

}  // namespace

int plan(const PlanArguments& arguments, const CommandLine& line) {
  if (arguments.slurm) {
    const Status can = checkSlurmRequest(arguments.request, line.storeFolder);
    if (!can) return report(can.error());
  }
  const Overrides& overrides = arguments.overrides;
  ExperimentOverrides above = overrides;
  if (arguments.slurm) above.nodes = arguments.request.nodes;
  auto planned = planFile(arguments.file, above);
  if (!planned) return report(planned.error());
  if (const Status named = keepVariants(planned->plans, overrides.variants); !named) return report(named.error());
  if (arguments.slurm) return printScripts(arguments, planned->plans, line.storeFolder);
  forecastScratch(planned->plans);
  const Status devices = resolveDevices(planned->plans);
  bool allRun = true;
  if (arguments.json) {
    Json plans = Json::array();
    for (const RunPlan& plan : planned->plans) {
      plans.push_back(toJson(plan, devices));
      allRun &= plans.back()["runnable_here"].get<bool>();
    }
    std::cout << Json{{"experiment", planned->experimentName},
                      {"notes", notesOf(planned->plans)},
                      {"plans", std::move(plans)}}
                     .dump(2, ' ', false, Json::error_handler_t::replace)
              << "\n";
    return allRun ? done : invalidInput;
  }
  for (std::size_t i = 0; i < planned->plans.size(); ++i) {
    if (i > 0) std::cout << "\n\n";
    allRun &= print(planned->plans[i], devices);
  }
  return allRun ? done : invalidInput;
}

}  // namespace slipstream::cli
