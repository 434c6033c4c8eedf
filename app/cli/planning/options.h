// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/parser/argument_parser.h"
#include "app/cli/planning/overrides.h"
#include "engine/slurm/batch_script.h"

namespace slipstream::cli {

/// What `run`, `plan` and `submit` may say above the file.
void addOverrides(CLI::App* sub, Overrides& overrides);
/// What a job asks of Slurm.
void addSlurmRequest(CLI::App* sub, SlurmRequest& request);
void addStage(CLI::App* sub, bool& stage);

}  // namespace slipstream::cli
