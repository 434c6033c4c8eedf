// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/boost/kernel_tables.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"
#include "engine/nn/device_loss.h"
#include "engine/nn/image_input.h"
#include "engine/nn/network.h"
#include "engine/train/training_data.h"
#include "engine/wire/link.h"

namespace slipstream {

struct TrainingEnd {
  std::int64_t stepsDone = 0;
  bool stopped = false;  ///< asked to end before its time
};

/// What a device has to train with: the arithmetic of the algorithms, the layers of networks, and the loss.
struct TrainingTools {
  KernelTables kernels;
  std::unique_ptr<Network> (*makeNetwork)(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
                                          NumberType pictures, Device& device);
  std::unique_ptr<DeviceLoss> (*makeLoss)(Device& device);
  std::unique_ptr<ImageInput> (*makeImageInput)(Device& device, const ImageNormalization& normalization);
  /// Takes the lines of this rank's own log: its loss every train.log_every_steps. Empty: nobody reads them.
  std::function<void(const std::string&)> log = {};
};
/// Throws Error where this build has none for the device.
TrainingTools trainingTools(const Device& device);

/// Trains the link's task from its checkpoint or from the start, to its end or until the ranks agree to stop: records
/// every step, evaluates, keeps checkpoints. Collective. Throws Error on an invalid loss where the experiment ends on
/// one.
TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingData& data);
TrainingEnd train(Link& link, Communicator& communicator, Device& device, const TrainingTools& tools,
                  const TrainingData& data);

}  // namespace slipstream
