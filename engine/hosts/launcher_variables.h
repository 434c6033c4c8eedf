// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace slipstream {

/// Whether Open MPI's launcher sets this environment variable for the ranks that it starts, to tell them who they are
/// and where it listens. Left behind in a shell, these keep another mpirun from working. What users set is none of
/// them: OMPI_ALLOW_RUN_AS_ROOT, and parameters such as OMPI_MCA_btl or PMIX_MCA_gds. The launchers of schedulers
/// (engine/scheduler) are meant as well.
bool isLauncherVariable(std::string_view name);

}  // namespace slipstream
