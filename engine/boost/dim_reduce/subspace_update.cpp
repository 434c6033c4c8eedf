// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/subspace_update.h"

#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// CRC-32C over all rows, in two halves that floats hold exactly.
std::array<float, 2> fingerprintOf(const Projection& projection) {
  std::vector<std::uint32_t> sums;
  std::vector<float> row(static_cast<std::size_t>(projection.columns().size()));
  for (int k = 0; k < projection.components(); ++k) {
    projection.readRow(k, projection.columns().begin, row);
    sums.push_back(crc32c(std::as_bytes(std::span(row))));
  }
  const std::uint32_t sum = crc32c(std::as_bytes(std::span(sums)));
  return {static_cast<float>(sum & 0xffffU), static_cast<float>(sum >> 16U)};
}

}  // namespace

/// Always the mean, whatever `gradients_mean` says: a line search compares mean losses with what the gradient promises.
SubspaceUpdate::SubspaceUpdate(const UpdateContext& parts)
    : ReplicatedUpdate(parts, true),
      kernels_(parts.kernels.of<DimReduceKernels>()),
      vectors_(parts.kernels.of<VectorKernels>()),
      communicator_(parts.communicator),
      exchange_(makeGradientSum(parts, memory_, true)),
      ready_(makeProjection(parts)),
      gather_(parts.communicator, parts.device, vectors_, ready_.projection.slices()),
      fingerprint_(fingerprintOf(ready_.projection)),
      continuedFrom_(fingerprint_) {
  exchangeThrough(exchange_.get());
}

bool SubspaceUpdate::update(StepContext& context, StepOutcome& outcome) {
  checkProjection();
  unpackSpaceState();
  exchangeSeconds_ = 0;
  const bool moved = move(context, outcome);
  packSpaceState();
  outcome.communication.exposed += exchangeSeconds_;
  reportExplainedVariance(outcome);
  return moved;
}

void SubspaceUpdate::reportExplainedVariance(StepOutcome& outcome) {
  if (explained_) return;
  explained_ = true;
  double total = 0;
  for (std::size_t k = 0; k < ready_.explainedVariance.size(); ++k) {
    total += ready_.explainedVariance[k];
    outcome.metrics[fmt::format("{}{}", metric::prefixOf(metric::explainedVariance), k + 1)] =
        ready_.explainedVariance[k];
  }
  if (total > 0) outcome.metrics["dim_reduce/explained_variance"] = total;
}

std::vector<StateTensor> SubspaceUpdate::state() {
  return {{"subspace", packed_, false}, {"projection_fingerprint", continuedFrom_, true}};
}

void SubspaceUpdate::packSpaceState() {
  const std::span<const double> values = spaceState();
  packed_.resize(2 * values.size());
  std::memcpy(packed_.data(), values.data(), values.size_bytes());
}

void SubspaceUpdate::unpackSpaceState() {
  const std::span<double> values = spaceState();
  std::memcpy(values.data(), packed_.data(), values.size_bytes());
}

void SubspaceUpdate::checkProjection() const {
  if (fingerprint_ == continuedFrom_) return;
  throw Error(
      "the projection made from dim_reduce's snapshots, or read from dim_reduce.pca_mat_path, is not the one that this "
      "run was trained with until its checkpoint: put the same snapshots or file back, or start a new run");
}

Range SubspaceUpdate::trainedColumns() const {
  const Range both = intersection(columns(), trained());
  return both.size() == 0 ? Range{columns().begin, columns().begin} : both;
}

std::span<const float> SubspaceUpdate::trainedGradient() const {
  return gradientsOf(trainedColumns());
}

std::vector<double> SubspaceUpdate::gradientInSpace(StepOutcome& outcome) {
  const auto gradient = trainedGradient();
  std::vector<double> sums(static_cast<std::size_t>(dimensions()) + 1);
  projection().project(gradient, sums);
  kernels_.project(device_.queue(), {gradient.data(), 1, gradient.size()}, gradient.data(), gradient.size(),
                   &sums.back());
  timed([&] { communicator_.allReduceSum(sums); });
  const double whole = sums.back();
  sums.pop_back();
  const double inside = std::inner_product(sums.begin(), sums.end(), sums.begin(), 0.0);
  outcome.metrics[metric::gradientShare] = whole > 0 ? inside / whole : 0;
  return sums;
}

void SubspaceUpdate::gatherSlices(std::span<float> whole) {
  timed([&] { gather_.gather(whole); });
}

}  // namespace slipstream
