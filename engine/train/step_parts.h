// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What a loop over steps is made of, for one that another module drives (engine/program): its data, the handover of
/// gradients, what an Update may ask, the vote and what is due behind it, the record, and what a stage starts from and
/// keeps.
#include "engine/train/checkpoint.h"         // IWYU pragma: export
#include "engine/train/gradient_handover.h"  // IWYU pragma: export
#include "engine/train/pre_trained_start.h"  // IWYU pragma: export
#include "engine/train/stage_data.h"         // IWYU pragma: export
#include "engine/train/stage_progress.h"     // IWYU pragma: export
#include "engine/train/stage_start.h"        // IWYU pragma: export
#include "engine/train/step_context.h"       // IWYU pragma: export
#include "engine/train/step_recorder.h"      // IWYU pragma: export
#include "engine/train/step_vote.h"          // IWYU pragma: export
#include "engine/train/stored_snapshots.h"   // IWYU pragma: export
#include "engine/train/train_step.h"         // IWYU pragma: export
