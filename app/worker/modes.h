// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream::worker {

/// What the program does besides being a rank; each prints one JSON document on stdout and returns the exit code.

/// The devices of this machine, each with whether and what for it can be used: [{"name", "usable", "description"}]; of
/// one that cannot be used the "remedy" for what it lacks; of one with a number "memory_bytes", whether ranks with one
/// each may use the kind's library of collectives ("nccl"), and else a sentence ("without_nccl").
int printDevices();

/// --compare ONE OTHER: runs every kernel that both devices have on both; [{"kernel", "largest"}], as engine/backends
/// says. Exit code 2 and the failures on stderr where a device is not there.
int compareDevices(const std::vector<std::string>& names);

/// Where this process is: {"host", "pid", "threads", "cores"}; threads are OpenMP's, as the environment says.
int sayWhere();

/// Reads an array of plans (each the text of a RunPlan) from stdin: the bytes of activations and scratch memory that a
/// rank of each will hold, an array in the same order.
int printActivations();

/// --evaluate PATH [OUTPUTS]: accuracy and loss of a file's weights on the evaluation set of the experiment whose
/// resolved form is on stdin, and what was taken from them. The file OUTPUTS gets what the network gives for each
/// sample (output_file.h), and the document the number of its "outputs".
int evaluateWeights(const std::vector<std::string>& words);

/// --program FOLDER WORDS: becomes the program of the user's own whose command is the JSON array WORDS, as a rank of a
/// run. Returns only where that fails, with the cause on stderr.
int startProgram(const std::vector<std::string>& words);

}  // namespace slipstream::worker
