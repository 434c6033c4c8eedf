// SPDX-License-Identifier: GPL-3.0-or-later
#include <exception>
#include <stdexcept>

#include "engine/comm/mpi_communicator.h"

/// Rank 1 throws while the others wait for it.
int main() {
  try {
    slipstream::MpiJob job;
    if (job.world().rank() == 1) throw std::runtime_error("the cause");
    job.world().barrier();
  } catch (const std::exception&) {
    return 1;
  }
  return 0;
}
