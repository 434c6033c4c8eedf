#pragma once

#include "engine/comm/communicator.h"

namespace slipstream::test {

/// What every communicator promises, checked on this rank; all ranks of the group call it together. Run by threads
/// here and under mpirun in tests/mpi.
void checkCommunicatorLaws(Communicator& communicator);

}  // namespace slipstream::test
