// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "engine/comm/communicator.h"

namespace slipstream {

/// This process's membership of an MPI job: joins it, once a process; without mpirun it is a job of one rank.
/// Destroying it leaves the job, which waits for all ranks; every communicator and shared buffer made from it must be
/// gone by then. An exception that unwinds it ends the whole job instead, because the others would wait for ever.
class MpiJob {
 public:
  MpiJob();
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  Communicator& world() { return *world_; }

 private:
  int exceptionsBefore_ = std::uncaught_exceptions();
  std::unique_ptr<Communicator> world_;
};

/// "Open MPI v4.1.4": the library that this process runs with. Needs no job.
std::string mpiLibraryVersion();

/// Ends every rank of the job at once; mpirun's exit code becomes `code`. Works from any thread.
[[noreturn]] void abortMpi(int code);

}  // namespace slipstream
