// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/launcher_variables.h"

#include <algorithm>
#include <array>

#include "engine/scheduler/scheduler.h"

namespace slipstream {
namespace {

constexpr std::array<std::string_view, 19> names{
    "OMPI_APP_CTX_NUM_PROCS",
    "OMPI_ARGV",
    "OMPI_COMMAND",
    "OMPI_FILE_LOCATION",
    "OMPI_FIRST_RANKS",
    "OMPI_NUM_APP_CTX",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_MCA_ess",
    "OMPI_MCA_initial_wdir",
    "OMPI_MCA_mpi_oversubscribe",
    "OMPI_MCA_orte_app_num",
    "OMPI_MCA_orte_bound_at_launch",
    "OMPI_MCA_orte_hnp_uri",
    "OMPI_MCA_orte_jobfam_session_dir",
    "OMPI_MCA_orte_launch",
    "OMPI_MCA_orte_local_daemon_uri",
    "OMPI_MCA_orte_num_nodes",
    "OMPI_MCA_orte_precondition_transports",
    "OMPI_MCA_orte_top_session_dir",
};
constexpr std::array<std::string_view, 4> beginnings{"OMPI_COMM_WORLD_", "OMPI_MCA_ess_", "OMPI_MCA_orte_ess_",
                                                     "PMIX_"};

}  // namespace

bool isLauncherVariable(std::string_view name) {
  if (name.starts_with("PMIX_MCA_")) return false;
  return isRankVariable(name) || std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](auto beginning) { return name.starts_with(beginning); });
}

}  // namespace slipstream
