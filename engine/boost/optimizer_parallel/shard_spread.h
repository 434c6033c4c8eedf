// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/bucket_pipeline.h"
#include "engine/boost/optimizer_parallel/shard_map.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/spec/host_layout.h"

namespace slipstream {

/// Makes known what each rank stepped: all-gather, tensor by tensor.
class ShardSpread {
 public:
  /// Collective. `values` are every rank's in the map's order where ranks share memory, else this rank's; where `hosts`
  /// are several, those of the ranks of this rank's host. They are whole, or only kept (then nothing travels, but in
  /// shared memory ranks still wait until all have stepped).
  ShardSpread(Communicator& communicator, const ShardMap& map, std::vector<std::span<float>> values,
              const HostLayout& hosts, bool whole, DeviceQueue& queue, const VectorKernels& kernels);

  /// This rank has stepped what it keeps of a tensor; nobody reads the rest any more until finish(). Every rank gives
  /// the same tensors in the same order. True while something travels.
  bool stepped(int tensor);
  /// Waits until all ranks have what they need; then nothing travels: false.
  bool finish();

 private:
  bool seesMemoryOf(int rank) const;
  std::span<float> memoryOf(int rank) const;
  std::span<float> partOf(int memoryOfRank, int tensor, int keeper) const;
  std::vector<int> groupOn(int host) const;
  int receiverOn(int host, int keeper) const;
  void send(int tensor);
  void copyReceived();

  Communicator& communicator_;
  const ShardMap& map_;
  std::vector<std::span<float>> values_;
  HostLayout hosts_;
  bool shared_;
  bool whole_;
  DeviceQueue& queue_;
  const VectorKernels& kernels_;
  std::unique_ptr<Communicator> onHost_;
  std::unique_ptr<BucketPipeline> all_;  ///< one bucket, which completes when every rank has begun it
  std::vector<std::unique_ptr<Request>> requests_;
  std::vector<int> received_;  ///< tensors of which parts for the ranks of this host are on their way
};

}  // namespace slipstream
