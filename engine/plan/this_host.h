#pragma once

#include <cstdint>
#include <string>

namespace slipstream {

/// Whether a rank table's server_id means this machine: a loopback or own address, `localhost`, or its host name.
bool isThisHost(const std::string& serverId);

/// What the CPU kernels are compiled for that this processor has: avx512, avx2 or baseline.
std::string instructionSet();

/// Whether this processor multiplies matrices of bf16 in one instruction (AMX). Without it bf16 is no faster than fp32.
bool hasMatrixUnit();

/// Whether the environment of this process says how OpenMP's idle threads wait (OMP_WAIT_POLICY or GOMP_SPINCOUNT).
bool callerChoosesWaiting();

/// Bytes of main memory.
std::int64_t memoryOfThisMachine();

}  // namespace slipstream
