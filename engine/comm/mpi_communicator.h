// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/comm/communicator.h"

namespace slipstream {

/// This process's place in an MPI job. A process joins once; without mpirun it is a job of one rank.
class MpiJob {
 public:
  virtual ~MpiJob() = default;
  virtual Communicator& world() = 0;
};

/// Joins the job. Destroying the place leaves it, which waits for all ranks; every communicator and shared buffer made
/// from it must be gone by then. An exception that unwinds the place ends the whole job instead, because the others
/// would wait for ever.
std::unique_ptr<MpiJob> joinMpi();

/// Ends every rank of the job at once; mpirun's exit code becomes `code`. Works from any thread.
[[noreturn]] void abortMpi(int code);

}  // namespace slipstream
