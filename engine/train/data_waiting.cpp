// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/data_waiting.h"

#include <span>

#include <fmt/format.h>

#include "engine/probe/dataset_kind.h"

namespace slipstream {
namespace {

/// Handing a ready batch over takes some time too.
constexpr double mostWhileAhead = 0.02;

}  // namespace

std::string waitingText(double share, const DatasetSpec& dataset) {
  const std::string waited = fmt::format("training waited for samples during {:.1f} % of its steps' time", 100 * share);
  if (share <= mostWhileAhead) return waited + ": the loader kept ahead";
  return fmt::format(
      "{}: the loader did not keep ahead with dataset.decode_threads {} and prefetch_batches {}; where cores are idle "
      "more threads help, else smaller images or fewer ranks a host",
      waited, dataset.decodeThreads, dataset.prefetchBatches);
}

void DataWaiting::report(const DatasetSpec& dataset, Link& link, Communicator& communicator) const {
  if (!kindOf(dataset).imageFiles && dataset.decodeThreads == 0) return;
  double share = whole_ > 0 ? waited_ / whole_ : 0;
  communicator.allReduceMax(std::span(&share, 1));
  if (communicator.rank() != 0 || whole_ == 0) return;
  link.event(share <= mostWhileAhead ? EventLevel::information : EventLevel::warning, "data",
             waitingText(share, dataset));
}

}  // namespace slipstream
