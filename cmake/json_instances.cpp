// SPDX-License-Identifier: GPL-3.0-or-later
#include "cmake/json_instances.h"

SLIPSTREAM_JSON(template)
