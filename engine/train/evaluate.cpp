#include "engine/train/evaluate.h"

#include <array>
#include <numeric>
#include <vector>

#include "engine/device/cpu/flush_denormals.h"
#include "engine/nn/loss.h"
#include "engine/train/kept_states.h"

namespace slipstream {
namespace {

/// Batch norms of different ranks have seen different samples: what is judged is their mean.
void averageOverRanks(const std::vector<NetworkState>& states, Communicator& communicator) {
  for (const NetworkState& state : states) {
    communicator.allReduceSum(state.values);
    for (float& value : state.values) value /= static_cast<float>(communicator.size());
  }
}

}  // namespace

Evaluation evaluate(Network& network, ParameterStore& weights, const LossSpec& loss, const DatasetSpec& dataset,
                    const Images& images, std::int64_t batchSize, Communicator& communicator) {
  const FlushDenormals flush;
  const KeptStates kept(network);
  averageOverRanks(kept.live(), communicator);
  const std::int64_t classes = network.shape().outputs.back().elements();
  const std::int64_t begin = images.count() * communicator.rank() / communicator.size();
  const std::int64_t end = images.count() * (communicator.rank() + 1) / communicator.size();

  std::array<double, 2> sums{0, 0};  // correct, loss
  for (std::int64_t at = begin; at < end; at += batchSize) {
    std::vector<std::uint32_t> samples(static_cast<std::size_t>(std::min(batchSize, end - at)));
    std::iota(samples.begin(), samples.end(), static_cast<std::uint32_t>(at));
    const Batch batch = makeBatch(dataset, images, samples);
    const auto logits = network.forward(batch.inputs, batch.count, NetworkMode::evaluation, weights, nullptr);
    const LossResult result = crossEntropy(loss, logits, batch.labels, classes, {}, 1.0);
    sums[0] += static_cast<double>(result.correct);
    sums[1] += result.loss * static_cast<double>(batch.count);
  }
  communicator.allReduceSum(sums);
  const auto count = static_cast<double>(images.count());
  return {sums[0] / count, sums[1] / count, images.count()};
}

}  // namespace slipstream
