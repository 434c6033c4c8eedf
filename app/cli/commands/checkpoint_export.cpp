#include <fmt/format.h>

#include "app/cli/reading.h"
#include "engine/base/text.h"
#include "engine/interchange/tensor_file.h"
#include "engine/record/export_weights.h"
#include "engine/record/kept_weights.h"
#include "engine/record/sound_checkpoint.h"

namespace slipstream::cli {
namespace {

/// By the words of the command line, else by the name of the file.
Result<ExportForm> formOf(const CheckpointExportArguments& arguments) {
  ExportForm form;
  form.format = formatOfName(arguments.output);
  if (arguments.format) form.format = *arguments.format == "ckpt" ? FileFormat::ckpt : FileFormat::safetensors;
  const bool ckpt = form.format == FileFormat::ckpt;
  if (arguments.crc && !ckpt) {
    return fail("--crc", "", "has no effect: only .ckpt files end with a checksum",
                "leave it out, or add --format ckpt");
  }
  if (ckpt && arguments.channels && *arguments.channels == "last") {
    return fail("--channels", "last", "cannot be written into a .ckpt file, which does not say where channels stand",
                "leave it out, or add --format safetensors");
  }
  const bool first = ckpt || arguments.channels.value_or("last") == "first";
  form.channels = first ? ChannelPlace::first : ChannelPlace::last;
  form.crc = arguments.crc;
  return form;
}

}  // namespace

int checkpointExport(const CheckpointExportArguments& arguments, const CommandLine& line) {
  auto form = formOf(arguments);
  if (!form) return report(form.error());
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto found = findWeights(**store, arguments.run);
  if (!found) return report(found.error());
  const auto plan = parseRunPlan(found->run.planText);
  if (!plan) return report(plan.error());
  const auto checkpoint = found->snapshot ? openSoundSnapshot(**store, found->run.id, found->step)
                                          : openSoundCheckpoint(**store, found->run.id, found->step);
  if (!checkpoint) return report(checkpoint.error());
  form->metadata = {{"run", found->run.id},
                    {"name", found->run.name},
                    {"kind", found->snapshot ? "snapshot" : "checkpoint"},
                    {"step", std::to_string(found->step)}};
  const std::vector<StagePlan> stages = stagesOf(*plan);
  const Experiment& experiment = stageOfStep(stages, found->step - 1).experiment;
  const auto written = exportWeights(*checkpoint->store, checkpoint->manifest, experiment, *form, arguments.output);
  if (!written) return report(written.error());
  fmt::print("{}: {}step {} of run {}\n", arguments.output, found->snapshot ? "snapshot, " : "", countText(found->step),
             found->run.id);
  return ExitCode::done;
}

}  // namespace slipstream::cli
