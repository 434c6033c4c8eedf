// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What the host sides of kernel tables use to start the kernels of an NPU.

#include "engine/npu/npu_tiles.h"
#include "engine/npu/weighted_sum_tables.h"
