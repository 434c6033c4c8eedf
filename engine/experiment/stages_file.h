// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/config/fields.h"
#include "engine/spec/stage_plan.h"

namespace slipstream {

/// One entry of `stages` as it is written.
struct StageEntry {
  std::string name;
  std::string path;  ///< "stages[1]"
  StageStart start;  ///< the stage before it where the entry names none
  Json overrides = Json::object();
};

/// A stage, read and resolved like an experiment of its own.
struct LoadedStage {
  std::string name;
  std::string path;
  StageStart start;
  Experiment experiment;
  bool sound = true;  ///< its keys were read without a failure
};

/// Mistakes of stages in keys that they share: each is told once, with the stages that it is one in.
class StageFailures {
 public:
  void add(const std::string& stage, const Failures& failures);
  /// Appends them to `failures`; one of all `stages` names none of them.
  void appendTo(Failures& failures, std::size_t stages) const;

 private:
  struct Shared {
    Failure failure;
    std::vector<std::string> stages;
  };
  std::vector<Shared> shared_;
};

/// The entries of the list; adds a failure for each that cannot be one.
std::vector<StageEntry> readStageEntries(const Json& list, Failures& failures);

/// The keys of an entry beside the sections that it overrides.
void describeStage(Fields& fields, StageEntry& entry);
/// Whether stages may override this key at the top of a file, rather than share it.
bool isOverriddenByStages(const std::string& key);

/// What stages ask of each other: snapshots that exist and are used, a schedule that can go on.
Failures checkStages(const std::vector<LoadedStage>& stages);

}  // namespace slipstream
