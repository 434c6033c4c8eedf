// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream::test {

/// What every communicator promises, checked on this rank; all ranks of the group call it together. Run by threads
/// here and under mpirun in tests/mpi.
void checkCommunicatorLaws(Communicator& communicator);

/// The same for vectors in memory of `device`, and without what ranks of one host promise on top: shared memory.
void checkCommunicatorLaws(Communicator& communicator, Device& device);

}  // namespace slipstream::test
