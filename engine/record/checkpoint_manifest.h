// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slipstream {

/// One tensor of a checkpoint. `shard` is the rank that alone holds it, or -1 where all ranks hold the same.
/// Names: weights as in the network; "momentum/TENSOR" and the like for optimizer state, "average/TENSOR" for the
/// average of the weights; "state/NAME" for running statistics.
struct TensorRecord {
  std::string name;
  std::string dtype = "F32";  ///< safetensors' names
  std::vector<std::int64_t> shape;
  int shard = -1;
  std::string hash;  ///< sha256 of the bytes
  std::int64_t bytes = 0;
};

struct CheckpointManifest {
  std::int64_t step = 0;
  int attempt = 0;
  bool full = true;
  std::string progressText;  ///< JSON: data position, seeds, policies' state
  std::vector<TensorRecord> tensors;
  bool snapshot = false;  ///< trainable weights alone, for a later stage of the run; nothing is resumed from it
};

/// What a program that computes the network keeps for each rank beside tensors: its own state, of any size and meaning.
inline constexpr const char* programStateName = "program/state";

/// Before the names of weights: their average (train.average_decay).
inline constexpr const char* averagePrefix = "average/";

/// Bytes of the largest part in which a tensor is sent and stored.
inline constexpr std::int64_t checkpointPartBytes = 1 << 20;

}  // namespace slipstream
