// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include "engine/store/run_store.h"

namespace slipstream::test {

struct ProgramEnd {
  int exitCode = 0;
  std::string output;
  std::string errors;
};

/// The programs as a person uses them, in a folder with a store of its own that goes with the test.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Starts `slipstream ARGUMENTS` in the folder; its output goes to files.
  void start(const std::vector<std::string>& arguments);
  /// Waits for the started one; kills it and fails the test after `seconds`.
  ProgramEnd end(double seconds = 600);
  ProgramEnd slipstream(const std::vector<std::string>& arguments, double seconds = 600);
  /// The same, and EXPECTs exit code 0 and JSON.
  nlohmann::json json(const std::vector<std::string>& arguments);

  /// Writes FOLDER/name and returns its path.
  std::string write(const std::string& name, const nlohmann::json& content);
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path storeFolder() const { return folder_ / "store"; }
  std::unique_ptr<RunStore> store() const;
  pid_t process() const { return process_; }
  bool hasEnded();
  /// "TENSOR/SHARD=HASH" of the newest checkpoint, one a line: equal texts are equal weights and state, bit for bit.
  std::string newestState(const std::string& runId) const;

 private:
  std::filesystem::path folder_;
  pid_t process_ = 0;
  std::optional<int> status_;
};

/// A training of seconds: generated digits, a small network, two ranks.
nlohmann::json smallExperiment(int steps, int checkpointEverySteps);

}  // namespace slipstream::test
