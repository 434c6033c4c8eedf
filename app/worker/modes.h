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

/// --evaluate file PATH, or --evaluate checkpoint|snapshot STORE RUN STEP: accuracy and loss of the weights on the
/// evaluation set of the experiment whose resolved form stands on stdin, and what was taken from them.
int evaluateWeights(const std::vector<std::string>& words);

}  // namespace slipstream::worker
