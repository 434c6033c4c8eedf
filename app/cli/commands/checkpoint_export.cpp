#include <fmt/format.h>

#include "app/cli/reading.h"
#include "engine/base/text.h"
#include "engine/record/kept_weights.h"
#include "engine/record/safetensors.h"
#include "engine/record/sound_checkpoint.h"

namespace slipstream::cli {

int checkpointExport(const CheckpointExportArguments& arguments, const CommandLine& line) {
  const auto store = openToRead(line);
  if (!store) return report(store.error());
  const auto found = findWeights(**store, arguments.run);
  if (!found) return report(found.error());
  const auto checkpoint = found->snapshot ? openSoundSnapshot(**store, found->run.id, found->step)
                                          : openSoundCheckpoint(**store, found->run.id, found->step);
  if (!checkpoint) return report(checkpoint.error());
  const auto written = exportSafetensors(*checkpoint->store, checkpoint->manifest,
                                         {{"run", found->run.id},
                                          {"name", found->run.name},
                                          {"kind", found->snapshot ? "snapshot" : "checkpoint"},
                                          {"step", std::to_string(found->step)}},
                                         arguments.output);
  if (!written) return report(written.error());
  fmt::print("{}: {}step {} of run {}\n", arguments.output, found->snapshot ? "snapshot, " : "", countText(found->step),
             found->run.id);
  return ExitCode::done;
}

}  // namespace slipstream::cli
