// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/bucket_exchange.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"
#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// What is combined: tensors of a flat vector, each by itself, exchanged in buckets of whole tensors.
struct AdasumShape {
  std::vector<Range> tensors;
  std::vector<Bucket> buckets;

  std::span<const Range> tensorsOf(int bucket) const {
    const Bucket& chosen = buckets[static_cast<std::size_t>(bucket)];
    return std::span(tensors).subspan(static_cast<std::size_t>(chosen.firstTensor),
                                      static_cast<std::size_t>(chosen.endTensor - chosen.firstTensor));
  }
};

/// Replaces every rank's vector by the Adasum of all of them, bucket by bucket. Bit-identical on every rank.
class AdasumReduction : public BucketExchange {
 public:
  /// One a tensor, of the step that finished last; the same on every rank.
  virtual std::span<const TensorStatistics> statistics() const = 0;
  /// Bytes of the host that a rank holds beside the vectors, and which no device counts.
  virtual std::size_t ownBytes() const = 0;
};

/// What reductions by messages work with: memory for what they receive, and the device's kernels.
template <class T>
struct AdasumContext {
  Device& device;
  const AdasumKernels<T>& kernels;
  bool betweenHosts = false;  ///< ranks are on several hosts
};

/// On memory that all ranks see, and `queue` works in: `values` are their vectors in rank order and are combined where
/// they lie. Leaf k of the tree is the vector of rank leaves[k] (all ranks, or one of each server, whose others hold
/// the same).
template <class T>
std::unique_ptr<AdasumReduction> makeSharedMemoryAdasum(Communicator& communicator, DeviceQueue& queue,
                                                        const AdasumKernels<T>& kernels,
                                                        std::vector<std::span<T>> values, std::vector<int> leaves,
                                                        AdasumShape shape);

/// By messages, recursive halving: every level of the tree exchanges half of what a rank still holds. Ends in finish().
template <class T>
std::unique_ptr<AdasumReduction> makeHalvingAdasum(Communicator& communicator, const AdasumContext<T>& context,
                                                   std::span<T> values, AdasumShape shape);

/// By messages, Gram form: one exchange of slices, one of dot products, one of results. Ends in finish().
template <class T>
std::unique_ptr<AdasumReduction> makeGramAdasum(Communicator& communicator, const AdasumContext<T>& context,
                                                std::span<T> values, AdasumShape shape);

/// By messages, for servers: `leader` runs on the first rank of each (null on the others), and what it made of its
/// values is spread in `server`: by messages where `values` are this rank's alone; else they are those of all ranks of
/// the server, which share memory.
std::unique_ptr<AdasumReduction> makeHierarchicalAdasum(std::unique_ptr<Communicator> server,
                                                        std::unique_ptr<Communicator> leaders,
                                                        std::unique_ptr<AdasumReduction> leader,
                                                        std::vector<std::span<float>> values, AdasumShape shape);

/// Adasum on the CPU of `values`, one vector a rank, in which tensor t is [offsets[t], offsets[t + 1]). Collective; for
/// tests and single calls (a run keeps its reduction).
template <class T>
std::vector<TensorStatistics> adasumAllReduce(Communicator& communicator, std::span<T> values,
                                              std::span<const std::int64_t> offsets, AdasumExchange exchange);

}  // namespace slipstream
