// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/checkpoints/commands.h"
#include "app/cli/checkpoints/exchange.h"
#include "app/cli/store/reading.h"
#include "app/cli/streams/output.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/interchange/tensor_file.h"
#include "engine/probe/dataset_kind.h"
#include "engine/runs/export_weights.h"
#include "engine/runs/run_selection.h"
#include "engine/runs/weight_lookup.h"
#include "engine/spec/network_conventions.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream::cli {
namespace {

/// By the words of the command line, else by the name of the file.
Result<ExportForm> formOf(const CheckpointExportArguments& arguments) {
  ExportForm form;
  if (arguments.format) {
    form.format = *arguments.format == "ckpt" ? FileFormat::ckpt : FileFormat::safetensors;
  } else if (!arguments.all) {
    SLIPSTREAM_TRY(format, formatOfName(arguments.output));
    form.format = format;
  }
  const bool ckpt = form.format == FileFormat::ckpt;
  if (arguments.crc && !ckpt) {
    return fail("--crc", "", "has no effect: only .ckpt files end with a checksum",
                "leave it out, or add --format ckpt");
  }
  if (ckpt && arguments.channels && *arguments.channels == "last") {
    return fail("--channels", "last", "cannot be written into a .ckpt file, which does not say where channels are",
                "leave it out, or add --format safetensors");
  }
  const bool first = ckpt || arguments.channels.value_or("first") == "first";
  form.channels = first ? ChannelPlace::first : ChannelPlace::last;
  form.crc = arguments.crc;
  form.names = arguments.names == "torchvision" ? TensorNames::torchvision : TensorNames::own;
  if (form.names == TensorNames::own) return form;
  if (ckpt) {
    return fail("--names", "torchvision", "is for .safetensors files: PyTorch reads no .ckpt file of MindSpore",
                "name a .safetensors file, or leave it out");
  }
  if (!first) {
    return fail("--channels", "last", "is not how torchvision's weights are", "leave it out, or --names torchvision");
  }
  return form;
}

/// One file to write.
struct ExportedFile {
  std::int64_t step = 0;
  bool snapshot = false;
  std::filesystem::path file;
};

const char* kindOf(const ExportedFile& one) {
  return one.snapshot ? "snapshot" : "checkpoint";
}

/// FOLDER/checkpoints/step_00000040.ckpt and FOLDER/snapshots/…: names sort by step, and a folder of snapshots is what
/// dim_reduce.weight_load_dir reads.
std::vector<ExportedFile> allFiles(RunStore& store, const RunRecord& run, const RunPlan& plan,
                                   const CheckpointExportArguments& arguments, const ExportForm& form) {
  const std::filesystem::path folder = arguments.output;
  const char* ending = form.format == FileFormat::ckpt ? "ckpt" : "safetensors";
  std::vector<ExportedFile> files;
  for (const StoredWeights& one : storedWeights(store, run.id, plan)) {
    const bool snapshot = one.kind == WeightsKind::snapshot;
    if (snapshot && arguments.average) continue;  // they hold the weights alone
    const std::filesystem::path kind = snapshot ? "snapshots" : "checkpoints";
    files.push_back({one.step, snapshot, folder / kind / fmt::format("step_{:08}.{}", one.step, ending)});
  }
  return files;
}

std::string layoutText(const ExportForm& form) {
  return form.channels == ChannelPlace::first ? "convolutions OIHW (channels first, as in PyTorch)"
                                              : "convolutions OHWI (channels last, as in the store)";
}

nlohmann::ordered_json toJson(const RunRecord& run, const ExportedFile& one, const ExportForm& form, bool average) {
  return {{"file", one.file.string()},
          {"run", run.id},
          {"kind", kindOf(one)},
          {"step", one.step},
          {"average", average},
          {"format", form.format == FileFormat::ckpt ? "ckpt" : "safetensors"},
          {"layout", nameOf(form.channels)},
          {"names", form.names == TensorNames::torchvision ? "torchvision" : "own"}};
}

/// What was asked for: a run, and which of its weights go where.
struct WeightsRequest {
  RunRecord run;
  RunPlan plan;
  std::vector<ExportedFile> files;
};

Status exportOne(RunStore& store, const WeightsRequest& request, const ExportedFile& one, ExportForm form,
                 bool average) {
  const auto& [run, plan, files] = request;
  SLIPSTREAM_CHECK(fetchMissing(store, run, one.step, one.snapshot));
  SLIPSTREAM_TRY(checkpoint, one.snapshot ? openVerifiedSnapshot(store, run.id, one.step)
                                          : openVerifiedCheckpoint(store, run.id, one.step));
  if (average) {
    SLIPSTREAM_TRY(averaged, withAverageAsWeights(std::move(checkpoint.manifest)));
    checkpoint.manifest = std::move(averaged);
    form.metadata["weights"] = "average";
  }
  form.metadata.insert(
      {{"run", run.id}, {"name", run.name}, {"kind", kindOf(one)}, {"step", std::to_string(one.step)}});
  const std::vector<StagePlan> stages = stagesOf(plan);
  const Experiment& experiment = stageOfStep(stages, one.step - 1).experiment;
  return exportWeights(*checkpoint.store, checkpoint.manifest, experiment, form, one.file);
}

Result<WeightsRequest> requestOf(RunStore& store, const CheckpointExportArguments& arguments, const ExportForm& form) {
  if (!arguments.all) {
    SLIPSTREAM_TRY(found, findWeights(store, arguments.run));
    SLIPSTREAM_TRY(plan, parseRunPlan(found.run.planText));
    return WeightsRequest{std::move(found.run), std::move(plan), {{found.step, found.snapshot, arguments.output}}};
  }
  if (arguments.run.find('@') != std::string::npos) {
    return fail("RUN", arguments.run, "names one step, and --all is every one", "leave @STEP or --all out");
  }
  SLIPSTREAM_TRY(run, findRun(store, arguments.run));
  SLIPSTREAM_TRY(plan, parseRunPlan(run.planText));
  auto files = allFiles(store, run, plan, arguments, form);
  if (files.empty()) {
    return fail("RUN", arguments.run, "the run has no checkpoint", "save some with train.checkpoint in the experiment");
  }
  for (const ExportedFile& one : files) SLIPSTREAM_CHECK(makeFolder(one.file.parent_path()));
  return WeightsRequest{std::move(run), std::move(plan), std::move(files)};
}

/// torchvision's network of the name computes something else with the weights of one that pads as MindSpore does.
void warnOfConventions(const WeightsRequest& request, const ExportForm& form) {
  if (form.names == TensorNames::own) return;
  const Experiment experiment = stagesOf(request.plan).back().experiment;
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  const Text difference = shape ? differenceFromTorchvision(experiment.network, *shape) : Text();
  if (difference.empty()) return;
  remark("warning", fmt::format("torchvision's {} computes otherwise than this run's with the same weights ({}): train "
                                "with network.conventions = torchvision where it is to be used there",
                                experiment.network.name, difference.in()));
}

}  // namespace

int checkpointExport(const CheckpointExportArguments& arguments, const CommandLine& line) {
  const auto form = formOf(arguments);
  if (!form) return report(form.error());
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto request = requestOf(**store, arguments, *form);
  if (!request) return report(request.error());
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExportedFile& one : request->files) {
    const Status written = exportOne(**store, *request, one, *form, arguments.average);
    if (!written) return report(written.error());
    list.push_back(toJson(request->run, one, *form, arguments.average));
    if (one.file == request->files.front().file) warnOfConventions(*request, *form);
    if (arguments.json) continue;
    fmt::print("{}: {}step {} of run {}, {}\n", one.file.string(),
               arguments.average ? "average of the weights, "
               : one.snapshot    ? "snapshot, "
                                 : "",
               countText(one.step), request->run.id, layoutText(*form));
  }
  if (arguments.json) print(arguments.all ? list : list.front());
  return ExitCode::done;
}

}  // namespace slipstream::cli
