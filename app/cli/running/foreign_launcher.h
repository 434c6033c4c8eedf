// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace slipstream::cli {

/// What started this program as one of several ranks, as MPI programs are started.
struct ForeignLauncher {
  std::string name;  ///< "mpirun", "srun"
  int rank = 0;
  int size = 1;
};

/// Reads the environment that Open MPI, MPICH's process managers and schedulers' launchers give to every rank. Nothing
/// in a batch script, an interactive allocation or a plain shell, nor where an Open MPI launcher left its variables and
/// is gone: runs go without those (launcher_variables.h).
std::optional<ForeignLauncher> foreignLauncher();

/// Says on stderr, on rank 0 alone, what to type instead: the words without the launcher, with its number of ranks.
/// Returns the exit code of invalid input. `words` are those after the program's name.
int refuseLauncher(const ForeignLauncher& launcher, const std::vector<std::string>& words);

}  // namespace slipstream::cli
