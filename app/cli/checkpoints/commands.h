// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

class ArgumentParser;

struct CheckpointsArguments {
  std::string run;
  bool json = false;
};
struct CheckpointExportArguments {
  std::string run;
  bool all = false;  ///< every checkpoint and snapshot, into the folder `output`
  std::optional<std::string> format;
  std::optional<std::string> channels;
  bool crc = false;
  bool average = false;  ///< of the weights, in their place
  std::string names = "own";
  std::string output;
  bool json = false;
};
struct CheckpointInspectArguments {
  std::string file;
  bool json = false;
};
struct CheckpointFetchArguments {
  std::string run;  ///< or RUN@STEP
  bool json = false;
};
/// For programs at the other end of a connection.
struct CheckpointSendArguments {
  std::string run;
  std::int64_t step = 0;
  bool snapshot = false;
  bool json = false;
};
struct StoreVerifyArguments {
  bool json = false;
};
struct StoreServeArguments {
  bool json = false;
};
struct EvaluateArguments {
  std::string run;  ///< or a file of weights
  std::optional<std::string> experiment;
  std::optional<std::string> variant;
  std::vector<std::string> settings;  ///< --set key.path=value
  std::optional<std::string> data;
  bool allSamples = false;  ///< of data that was split
  bool average = false;     ///< of the weights, in their place
  std::string predictions;  ///< CSV file of what was predicted for each sample
  bool probabilities = false;
  bool confusion = false;
  bool json = false;
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int checkpoints(const CheckpointsArguments& arguments, const CommandLine& line);
int checkpointExport(const CheckpointExportArguments& arguments, const CommandLine& line);
int checkpointInspect(const CheckpointInspectArguments& arguments, const CommandLine& line);
int checkpointFetch(const CheckpointFetchArguments& arguments, const CommandLine& line);
int checkpointSend(const CheckpointSendArguments& arguments, const CommandLine& line);
int storeVerify(const StoreVerifyArguments& arguments, const CommandLine& line);
int storeServe(const StoreServeArguments& arguments, const CommandLine& line);
int evaluate(const EvaluateArguments& arguments, const CommandLine& line);

void addCheckpointsCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
