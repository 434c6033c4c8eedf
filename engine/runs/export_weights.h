// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "engine/interchange/tensor_file.h"
#include "engine/interchange/weight_match.h"
#include "engine/spec/experiment.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream {

/// The network's tensors of a checkpoint or snapshot of the store; of what ranks hold each for themselves, the mean.
/// Reading throws Error where a checksum does not hold.
std::unique_ptr<TensorSource> checkpointSource(std::unique_ptr<CheckpointStore> store, CheckpointManifest manifest);

/// Whether it is a weight or a running statistic, not optimizer state.
bool belongsToNetwork(const TensorRecord& tensor);

/// The same checkpoint with the average of the weights (train.average_decay) in their place. Fails where it holds none.
Result<CheckpointManifest> withAverageAsWeights(CheckpointManifest manifest);

/// How weights are written. Channels first, running statistics have their plain names, as MindSpore or torchvision
/// calls them; channels last, they are "state/NAME" and everything is as the store has it.
struct ExportForm {
  FileFormat format = FileFormat::safetensors;
  ChannelPlace channels = ChannelPlace::last;
  bool crc = false;                                  ///< ckpt only
  TensorNames names = TensorNames::own;              ///< torchvision: channels first only
  std::map<std::string, std::string> metadata = {};  ///< safetensors only; what TensorFile looks for is added
};

/// Writes the network's tensors and running statistics of a checkpoint as a file; of what ranks hold each for
/// themselves, rank 0's. Optimizer state stays behind. `experiment` is of the checkpoint's stage. One tensor is in
/// memory at a time. The file is whole or not there. Fails where torchvision's names are asked for and the network is
/// none of torchvision's.
Status exportWeights(CheckpointStore& store, const CheckpointManifest& manifest, const Experiment& experiment,
                     const ExportForm& form, const std::filesystem::path& output);

}  // namespace slipstream
