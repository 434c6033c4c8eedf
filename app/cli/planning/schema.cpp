// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/planning/commands.h"
#include "app/cli/streams/output.h"
#include "engine/experiment/experiment_fields.h"
#include "engine/study/study.h"

namespace slipstream::cli {

int schema(const SchemaArguments& arguments, const CommandLine&) {
  fmt::print("{}\n", (arguments.of == "study" ? studySchema() : experimentSchema()).dump(2));
  return ExitCode::done;
}

}  // namespace slipstream::cli
