// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/checkpoints/exchange.h"
#include "app/cli/checkpoints/predictions.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/experiment/resolved_form.h"
#include "engine/hosts/run_folder.h"
#include "engine/interchange/safetensors_file.h"
#include "engine/interchange/tensor_file.h"
#include "engine/launch/worker_query.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/dataset_kind.h"
#include "engine/runs/export_weights.h"
#include "engine/runs/weight_lookup.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream::cli {
namespace {

/// What is evaluated: which file's weights, and in which experiment.
struct Question {
  std::filesystem::path weights;
  std::unique_ptr<OwnFolder> scratch;  ///< of the file, where it is a copy of a run's weights
  Experiment experiment;
  std::vector<std::string> classNames;  ///< empty where they have none
  std::string title;                    ///< for people
  nlohmann::ordered_json subject;       ///< for programs
  bool onlyWeights = false;             ///< their running statistics are made from the training part
};

bool isFile(const std::string& weights) {
  return endsWith(weights, ".ckpt") || endsWith(weights, ".safetensors");
}

Status checkDataFlag(const DatasetSpec& dataset, const std::optional<std::string>& folder) {
  if (!folder || !kindOf(dataset).generated) return {};
  return fail("--data", *folder, "has no effect: the data set " + dataset.name + " is generated", "leave the flag out");
}

/// The data's folder, told apart from the experiment's: here it is a flag that puts it right.
Status takeData(Question& question, const std::string& where, const std::optional<std::string>& folder) {
  DatasetSpec& dataset = question.experiment.dataset;
  SLIPSTREAM_CHECK(checkDataFlag(dataset, folder));
  if (kindOf(dataset).generated) return {};
  if (folder) dataset.path = *folder;
  const std::string place = folder ? "--data" : where;
  const bool mayBeFile = kindOf(dataset).mayBeFile;
  const char* remedy = mayBeFile ? "name the file or folder of the data set: --data PATH"
                                 : "name the folder of the data set: --data FOLDER";
  std::error_code error;
  if (!isDataPlace(dataset, error)) {
    return fail(place, dataset.path, mayBeFile ? "is no file and no folder" : "is not a folder", remedy);
  }
  const auto missing =
      kindOf(dataset).missing(dataset.path, question.onlyWeights ? DataPart::training : DataPart::evaluation);
  if (missing.empty()) return {};
  return fail(place, dataset.path, "lacks " + join(missing, ", "), remedy);
}

tl::unexpected<Failures> ofProgram(const Experiment& experiment) {
  return fail("network.program", experiment.network.program.front(),
              "computes the network, so that nothing else can evaluate it",
              "evaluate in the program, and record it as accuracy and evaluation_loss");
}

Status checkOwner(const Experiment& experiment) {
  if (experiment.network.isProgram()) return ofProgram(experiment);
  return {};
}

/// In place of asking a program for its tensors: it is not started for what is refused anyway.
Result<std::vector<LayerSpec>> refuseProgram(const Experiment& experiment) {
  return ofProgram(experiment);
}

/// The experiment of a file: the variant that is named, or the only one; of stages, the last.
Status planQuestion(const EvaluateArguments& arguments, Question& question) {
  ExperimentOverrides overrides;
  overrides.settings = arguments.settings;
  if (arguments.data) overrides.settings.push_back("dataset.path=" + *arguments.data);
  SLIPSTREAM_TRY(planned, planFile(*arguments.experiment, overrides, refuseProgram));
  std::vector<std::string> names;
  for (const RunPlan& plan : planned.plans) {
    names.push_back(plan.experiment.variant);
    if (arguments.variant ? names.back() != *arguments.variant : planned.plans.size() != 1) continue;
    SLIPSTREAM_CHECK(checkDataFlag(plan.experiment.dataset, arguments.data));
    question.experiment = stagesOf(plan).back().experiment;
    question.classNames = plan.classNames;
    return {};
  }
  return fail("--variant", arguments.variant.value_or(""), "names none of the experiment's variants",
              "name one of " + join(names, ", "));
}

Result<Question> ofFile(const EvaluateArguments& arguments) {
  if (!arguments.experiment) {
    return fail("--experiment", "", "is missing: a file of weights does not say what they are for",
                "name the experiment file whose network and data it is to be evaluated with");
  }
  if (arguments.average) {
    return fail("--average", arguments.run, "has no effect: a file holds the weights that were written into it",
                "leave it out; checkpoint export --average writes the average of a run's weights");
  }
  Question question;
  SLIPSTREAM_CHECK(planQuestion(arguments, question));
  question.weights = arguments.run;
  question.title = arguments.run;
  question.subject = {{"file", arguments.run}};
  return question;
}

/// The worker reads files alone, so that ranks do without the store and its database: the run's weights are copied.
Status copyWeights(VerifiedCheckpoint checkpoint, Question& question) {
  const auto source = checkpointSource(std::move(checkpoint.store), std::move(checkpoint.manifest));
  question.scratch = makeScratchFolder();
  question.weights = question.scratch->path() / "weights.safetensors";
  return writeSafetensors(question.weights, source->tensors(), {{channelsKey, std::string(nameOf(ChannelPlace::last))}},
                          [&](std::size_t index) { return source->read(index); });
}

/// After every tensor was found to be what its hash says.
Result<Question> ofRun(const EvaluateArguments& arguments, const CommandLine& line) {
  SLIPSTREAM_TRY(store, openToRead(line));
  SLIPSTREAM_TRY(target, findWeights(*store, arguments.run));
  SLIPSTREAM_CHECK(fetchMissing(*store, target.run, target.step, target.snapshot));
  SLIPSTREAM_TRY(sound, target.snapshot ? openVerifiedSnapshot(*store, target.run.id, target.step)
                                        : openVerifiedCheckpoint(*store, target.run.id, target.step));
  if (arguments.average) {
    SLIPSTREAM_TRY(averaged, withAverageAsWeights(std::move(sound.manifest)));
    sound.manifest = std::move(averaged);
  }
  const std::string kind = target.snapshot ? "snapshot" : "checkpoint";
  Question question;
  SLIPSTREAM_CHECK(copyWeights(std::move(sound), question));
  question.title = fmt::format("run {}, {}step {}{}", target.run.id, target.snapshot ? "snapshot of " : "",
                               countText(target.step), arguments.average ? ", average of the weights" : "");
  question.subject = {{"run", target.run.id}, {"step", target.step}, {"kind", kind}, {"average", arguments.average}};
  question.onlyWeights = target.snapshot;
  SLIPSTREAM_TRY(plan, parseRunPlan(target.run.planText));
  if (arguments.experiment) {
    SLIPSTREAM_CHECK(planQuestion(arguments, question));
    SLIPSTREAM_CHECK(checkClassNames(plan, question.experiment.dataset, arguments.data ? "--data" : "dataset.path"));
    return question;
  }
  const std::vector<StagePlan> stages = stagesOf(plan);
  question.experiment = stageOfStep(stages, target.step - 1).experiment;
  question.classNames = plan.classNames;
  const std::string where = "dataset.path of run " + target.run.id;
  SLIPSTREAM_CHECK(takeData(question, where, arguments.data));
  SLIPSTREAM_CHECK(checkClassNames(plan, question.experiment.dataset, arguments.data ? "--data" : where));
  return question;
}

/// Of data that was split, every sample: those of new data, say, on which nothing was trained.
Status takeAllSamples(Question& question) {
  if (question.onlyWeights) {
    return fail("--all-samples", "", "leaves none to make a snapshot's running statistics from",
                "leave it out, or evaluate a checkpoint");
  }
  DatasetSpec& dataset = question.experiment.dataset;
  SLIPSTREAM_TRY(counts, inspectData(dataset));
  if (counts.splitHash.empty()) {
    return fail("--all-samples", "", "has no effect: the data has a part of its own to evaluate on", "leave it out");
  }
  dataset.evaluationFraction = 1;
  return {};
}

Result<Question> questionOf(const EvaluateArguments& arguments, const CommandLine& line) {
  if (!arguments.experiment && (!arguments.settings.empty() || arguments.variant)) {
    return fail(arguments.variant ? "--variant" : "--set", "", "has no effect without --experiment",
                "name the experiment file: --experiment FILE");
  }
  if (arguments.probabilities && arguments.predictions.empty()) {
    return fail("--probabilities", "", "has no effect without --predictions", "name a file: --predictions FILE.csv");
  }
  if (!arguments.predictions.empty()) SLIPSTREAM_CHECK(checkPredictionFile(arguments.predictions));
  SLIPSTREAM_TRY(question, isFile(arguments.run) ? ofFile(arguments) : ofRun(arguments, line));
  SLIPSTREAM_CHECK(checkOwner(question.experiment));
  if (arguments.allSamples) SLIPSTREAM_CHECK(takeAllSamples(question));
  return question;
}

/// What a loss of nan comes from.
void warnOfNotFinite(const nlohmann::json& names) {
  if (names.empty()) return;
  const std::string others = names.size() > 1 ? fmt::format(", the first of {} such tensors", names.size()) : "";
  remark("warning",
         fmt::format("{} holds NaN or an infinite value{}: the training had diverged, or the file is damaged",
                     names.front().get<std::string>(), others));
}

void printAnswer(const Question& question, const nlohmann::json& answer) {
  for (const auto& skipped : answer["skipped"]) remark("skipped", trim(skipped.get<std::string>()));
  if (question.scratch == nullptr) {
    for (const auto& text : answer["weights"]) fmt::print("{}\n", text.get<std::string>());
  }
  const std::string loss =
      answer["loss"].is_string() ? answer["loss"].get<std::string>() : metricText(answer["loss"].get<double>());
  const auto unreadable = answer["unreadable"].get<std::int64_t>();
  fmt::print("{}: accuracy {:.2f} %, loss {} ({}{}){}\n", question.title, 100 * answer["accuracy"].get<double>(), loss,
             counted(answer["samples"].get<std::int64_t>(), "sample"),
             unreadable > 0 ? fmt::format(", {} more cannot be read", unreadable) : "",
             answer["refreshed"].get<bool>() ? ", statistics refreshed by one epoch of the training set" : "");
}

/// Writes predictions and counts them, where that is asked for.
Result<std::optional<ConfusionMatrix>> predictionsOf(const EvaluateArguments& arguments, const Question& question,
                                                     const WorkerOutputs& outputs) {
  if (outputs.file.empty()) return std::nullopt;
  return writePredictions(outputs, question.experiment.dataset,
                          {arguments.predictions, arguments.probabilities, question.classNames});
}

void printDocument(const EvaluateArguments& arguments, const Question& question, nlohmann::json answer,
                   const std::optional<ConfusionMatrix>& matrix) {
  for (const char* ofWorker : {"outputs", "warning"}) answer.erase(ofWorker);
  nlohmann::ordered_json document = question.subject;
  document.update(answer);
  if (!arguments.predictions.empty()) document["predictions"] = arguments.predictions;
  if (arguments.confusion) document["confusion"] = confusionJson(*matrix, question.classNames);
  print(document);
}

void printText(const EvaluateArguments& arguments, const Question& question, const nlohmann::json& answer,
               const std::optional<ConfusionMatrix>& matrix) {
  printAnswer(question, answer);
  if (arguments.confusion) fmt::print("\n{}", confusionText(*matrix, question.classNames));
  if (!arguments.predictions.empty()) {
    fmt::print("{}: {}\n", arguments.predictions, counted(answer["samples"].get<std::int64_t>(), "prediction"));
  }
}

}  // namespace

int evaluate(const EvaluateArguments& arguments, const CommandLine& line) {
  const auto question = questionOf(arguments, line);
  if (!question) return report(question.error());
  const bool wantsOutputs = arguments.confusion || !arguments.predictions.empty();
  const auto scratch = wantsOutputs ? makeScratchFolder() : nullptr;
  WorkerOutputs outputs;
  std::vector<std::string> words{"--evaluate", question->weights.string()};
  if (scratch) words.push_back((outputs.file = scratch->path() / "outputs").string());
  const ProgramAnswer answer = askWorker(words, toJsonText(question->experiment));
  if (answer.exitCode != 0) {
    report({{"", "", trim(answer.errors), ""}});
    return answer.exitCode;
  }
  const auto result = nlohmann::json::parse(answer.output);
  outputs.classes = result["outputs"].get<std::size_t>();
  const auto matrix = predictionsOf(arguments, *question, outputs);
  if (!matrix) return report(matrix.error());
  warnOfNotFinite(result["not_finite"]);
  if (!result["warning"].get_ref<const std::string&>().empty()) remark("warning", result["warning"]);
  if (arguments.json) {
    printDocument(arguments, *question, result, *matrix);
  } else {
    printText(arguments, *question, result, *matrix);
  }
  return done;
}

}  // namespace slipstream::cli
