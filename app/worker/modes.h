#pragma once

#include <string>
#include <vector>

namespace slipstream::worker {

/// What the program does besides being a rank; each prints one JSON document on stdout and returns the exit code.

/// The devices of this machine that the build can use.
int listDevices();

/// Where this process is: {"host", "pid", "threads", "cores"}; threads are OpenMP's, as the environment says.
int sayWhere();

/// Reads an array of plans (each the text of a RunPlan) from stdin: the bytes of activations and scratch memory that a
/// rank of each will hold, an array in the same order.
int printActivations();

/// --evaluate STORE RUN STEP checkpoint|snapshot [DATA]: accuracy and loss of kept weights on the evaluation set.
int evaluateCheckpoint(const std::vector<std::string>& arguments);

}  // namespace slipstream::worker
