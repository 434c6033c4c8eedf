// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The part of the public Ascend C API that the product's kernels use, executed on the host (core.h). A kernel's source
/// includes "kernel_operator.h" and nothing of ours: with CANN it is compiled against the header of that name there.
/// Names, argument orders and limits are those of Ascend C's documentation for Atlas A2 (dav-2201); what is not here no
/// kernel of the product may use.

#include "engine/npu/twin/copies.h"
#include "engine/npu/twin/pipe.h"
#include "engine/npu/twin/reductions.h"
#include "engine/npu/twin/tensors.h"
#include "engine/npu/twin/vector_instructions.h"

#define __global__
