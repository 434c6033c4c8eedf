// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/averaged/spec.h"
#include "engine/boost/bucket_exchange.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/device/device.h"
#include "engine/spec/host_layout.h"

namespace slipstream {

/// What a sum over several hosts is made of.
struct HostSumParts {
  Communicator& group;
  HostLayout hosts;                      ///< of the group's ranks; several
  std::vector<std::span<float>> values;  ///< of the ranks of this rank's host, in their order; the sum goes there too
  std::vector<Bucket> buckets;
  float scale = 1;
  Device& device;
  const VectorKernels& kernels;
};

/// Writes scale * sum to the values of every rank of the group, bucket by bucket: first the ranks of each host are
/// added in rank order, then the hosts in their order. So the bits depend on the layout, and on neither buckets nor
/// timing. Each host sends and receives 2 (1 - 1/hosts) of a bucket's bytes.
///
/// A piece of a bucket goes through four stages: every rank of a host adds its share of the host's sum, in the memory
/// of the host's first rank; the first ranks send each other the slices that each is to add, in short messages; the
/// owner adds and sends the result back; every rank copies the piece. Many pieces are under way at once, so that links
/// are busy while ranks add. (To share the sending out among a host's ranks was not faster: README.md.) Collective.
std::unique_ptr<BucketExchange> makeHostSum(HostSumParts parts);

}  // namespace slipstream
