// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/comm/mpi_communicator.h"
#include "engine/program/program_training.h"
#include "engine/program/tensor_list.h"

namespace slipstream {

/// A process of the user's own as a rank of a run, or as one that is only asked for its tensors. All but fail() on the
/// thread that joined.
class ProgramRank {
 public:
  /// Joins the run that the environment speaks of. Throws Error where it speaks of none. Once a process.
  static std::unique_ptr<ProgramRank> join();
  /// Ends the whole run as failed, unless leave() came first.
  ~ProgramRank();
  ProgramRank(const ProgramRank&) = delete;
  ProgramRank& operator=(const ProgramRank&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  /// As planned (RankPlacement::deviceId) where weights are in memory of a device; 0 where they are in the host's, and
  /// where only the tensors are wanted.
  int deviceNumber() const { return deviceNumber_; }
  /// False where weights are in memory of a device.
  bool isOnHost() const { return isOnHost_; }
  /// Only the tensors are wanted: describe() ends the process.
  bool isAsked() const { return !askedIn_.empty(); }
  /// Of the experiment, as JSON.
  const Json& experiment() const { return experiment_; }

  /// Begins the training; or answers who asked, and ends the process with exit code 0. Throws Error where the run was
  /// planned with other tensors, and where it has begun.
  void describe(const std::vector<DescribedTensor>& tensors);
  /// Throws Error before describe() and after leave().
  ProgramTraining& training();
  /// Says to the supervisor that this rank is done, and leaves MPI.
  void leave();
  bool hasLeft() const { return left_; }
  /// Ends all ranks; `cause` becomes the run's. From any thread.
  [[noreturn]] void fail(const std::string& cause);

 private:
  ProgramRank() = default;
  void joinRun();
  void joinQuestion(const std::string& folder);
  [[noreturn]] void answer(const std::vector<LayerSpec>& layers);
  void openDevice();

  Json experiment_;
  std::filesystem::path askedIn_;
  std::optional<MpiJob> job_;
  std::unique_ptr<Link> link_;
  MemoryMeter meter_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Communicator> ofDevices_;
  std::optional<TrainingData> data_;
  std::unique_ptr<ProgramTraining> training_;
  int rank_ = 0;
  int ranks_ = 1;
  int deviceNumber_ = 0;
  bool isOnHost_ = true;
  bool left_ = false;
};

}  // namespace slipstream
