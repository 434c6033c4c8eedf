// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/run.h"

#include <algorithm>
#include <limits>

#include "tests/train/reference/adasum.h"

namespace slipstream::reference {
namespace {

Samples samplesOf(const Data& data, std::int64_t begin, std::int64_t end) {
  Samples samples{static_cast<std::size_t>(end - begin), {}, {data.labels.begin() + begin, data.labels.begin() + end}};
  const auto elements = static_cast<std::int64_t>(data.elements);
  samples.inputs.assign(data.inputs.begin() + begin * elements, data.inputs.begin() + end * elements);
  return samples;
}

/// A micro-batch. Where a rank has too few samples for a part that others have, one passes and counts for nothing but
/// running statistics.
struct Part {
  Samples samples;
  double counted = 0;
};

/// What one rank passes through the network in one step.
using Parts = std::vector<Part>;

double countOf(const Parts& parts) {
  double count = 0;
  for (const Part& part : parts) count += part.counted;
  return count;
}

class Training {
 public:
  Training(const Network& network, const Settings& settings, const Data& data, State start,
           const Eigen::MatrixXd& projection)
      : network_(network),
        settings_(settings),
        data_(data),
        optimizers_(leaves(), Optimizer(settings.optimizer, network)),
        subspace_(settings.subspace, projection),
        scale_(settings.lossScale) {
    outcome_.state = std::move(start);
    outcome_.state.statistics.resize(settings.leafOfRank.size(), network.statistics());
  }

  Outcome run() {
    for (int step = 0; step < settings_.steps; ++step) runStep(step);
    return std::move(outcome_);
  }

 private:
  std::size_t leaves() const {
    const bool ofDeltas = settings_.update == Update::adasumOfDeltas;
    return ofDeltas ? static_cast<std::size_t>(std::ranges::max(settings_.leafOfRank)) + 1 : 1;
  }

  std::int64_t batchesOfEpoch() const {
    const std::int64_t whole = settings_.batch * settings_.ranks();
    return (settings_.samples + (settings_.dropRemainder ? 0 : whole - 1)) / whole;
  }

  /// The next batches of all ranks, cut into micro-batches; an epoch's last step may have fewer.
  std::vector<Parts> nextParts() {
    std::vector<Parts> ofRanks(settings_.leafOfRank.size());
    const std::int64_t whole = settings_.batch * settings_.ranks();
    for (int i = 0; i < settings_.batchesPerStep; ++i) {
      const std::int64_t first = outcome_.state.batchesRead++ % batchesOfEpoch() * whole;
      const std::int64_t here = std::min(whole, settings_.samples - first);
      const std::int64_t most = (here + settings_.ranks() - 1) / settings_.ranks();
      for (std::size_t rank = 0; rank < ofRanks.size(); ++rank) {
        const auto r = static_cast<std::int64_t>(rank);
        const Range mine{first + here * r / settings_.ranks(), first + here * (r + 1) / settings_.ranks()};
        cut(mine, std::min<std::int64_t>(most, settings_.microBatches), ofRanks[rank]);
      }
      if (outcome_.state.batchesRead % batchesOfEpoch() == 0) break;
    }
    return ofRanks;
  }

  struct Range {
    std::int64_t begin, end;
  };

  void cut(Range mine, std::int64_t count, Parts& parts) const {
    const auto at = [&](std::int64_t part) { return mine.begin + (mine.end - mine.begin) * part / count; };
    for (std::int64_t part = 0; part < count; ++part) {
      const std::int64_t counted = at(part + 1) - at(part);
      const std::int64_t begin = counted > 0 ? at(part) : mine.begin;
      parts.push_back(
          {samplesOf(data_, begin, begin + std::max<std::int64_t>(counted, 1)), static_cast<double>(counted)});
    }
  }

  double weightOf(const Part& part, const Parts& parts) const {
    const double share = part.counted / countOf(parts);
    return settings_.sumsMicroBatches ? share * settings_.microBatches : share;
  }

  struct RankPass {
    double loss = 0;
    Tensors gradient;
    double samples = 0;
  };

  RankPass passOf(std::size_t rank, const Parts& parts, int firstLayer) {
    RankPass of{0, zerosLike(outcome_.state.weights), countOf(parts)};
    for (const Part& part : parts) {
      Tensors& statistics = outcome_.state.statistics[rank];
      PassResult pass = network_.pass(outcome_.state.weights, statistics, part.samples, outcome_.margin);
      of.loss += weightOf(part, parts) * pass.loss;
      add(of.gradient, weightOf(part, parts), pass.gradient);
      statistics = std::move(pass.statistics);
    }
    of.gradient = fromLayer(std::move(of.gradient), firstLayer);
    for (const auto& pass : settings_.gradientPasses) pass(of.gradient);
    return of;
  }

  /// The mean over the samples of all ranks, or the ranks' number times as much where their sum is asked for.
  RankPass ofAll(const std::vector<RankPass>& passes) const {
    RankPass all{0, zerosLike(outcome_.state.weights), 0};
    for (const RankPass& pass : passes) all.samples += pass.samples;
    for (const RankPass& pass : passes) {
      const double share = pass.samples / all.samples;
      all.loss += share * pass.loss;
      add(all.gradient, settings_.sumsRanks ? share * settings_.ranks() : share, pass.gradient);
    }
    return all;
  }

  /// Adasum combines ranks, not samples: inside a leaf every rank's mean counts the same, or they are added up.
  std::vector<Tensors> ofLeaves(const std::vector<RankPass>& passes) const {
    std::vector<Tensors> leaves(static_cast<std::size_t>(std::ranges::max(settings_.leafOfRank)) + 1,
                                zerosLike(outcome_.state.weights));
    for (std::size_t rank = 0; rank < passes.size(); ++rank) {
      const int leaf = settings_.leafOfRank[rank];
      const auto ranks = static_cast<double>(std::ranges::count(settings_.leafOfRank, leaf));
      add(leaves[static_cast<std::size_t>(leaf)], settings_.sumsRanks ? 1 : 1 / ranks, passes[rank].gradient);
    }
    return leaves;
  }

  void runStep(int step) {
    const int firstLayer = firstTrainedLayer(settings_.freezing, outcome_.state.weights, step);
    const std::vector<Parts> parts = nextParts();
    std::vector<RankPass> passes;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) passes.push_back(passOf(rank, parts[rank], firstLayer));
    outcome_.losses.push_back(ofAll(passes).loss);
    if (scale_ > std::numeric_limits<float>::max()) {
      scale_ /= settings_.lossScaleFactor;
    } else {
      update(passes, parts, firstLayer);
    }
    outcome_.weightsByStep.push_back(outcome_.state.weights);
  }

  void update(const std::vector<RankPass>& passes, const std::vector<Parts>& parts, int firstLayer) {
    Tensors& weights = outcome_.state.weights;
    switch (settings_.update) {
      case Update::averaged:
        add(weights, -1, optimizers_.front().step(weights, ofAll(passes).gradient, firstLayer));
        break;
      case Update::adasumOfGradients:
        add(weights, -1, optimizers_.front().step(weights, adasum(ofLeaves(passes)), firstLayer));
        break;
      case Update::adasumOfDeltas:
        add(weights, -1, adasum(deltas(ofLeaves(passes), firstLayer)));
        break;
      case Update::subspace:
        moveInSpace(passes, parts, firstLayer);
        break;
    }
  }

  std::vector<Tensors> deltas(const std::vector<Tensors>& gradients, int firstLayer) {
    std::vector<Tensors> deltas;
    for (std::size_t leaf = 0; leaf < gradients.size(); ++leaf) {
      deltas.push_back(optimizers_[leaf].step(outcome_.state.weights, gradients[leaf], firstLayer));
    }
    return deltas;
  }

  void moveInSpace(const std::vector<RankPass>& passes, const std::vector<Parts>& parts, int firstLayer) {
    RankPass all = ofAll(passes);
    for (Tensor& tensor : all.gradient) {
      const bool centralizes = settings_.optimizer.centralizes && tensor.hasRows && !network_.isNormalizedHead(tensor);
      if (centralizes) centralize(tensor);
    }
    const auto lossAt = [&](const Tensors& weights) { return lossOf(weights, parts); };
    outcome_.state.weights =
        subspace_.step({outcome_.state.weights, all.gradient, all.loss, firstLayer, lossAt}, outcome_.margin);
  }

  /// Of all ranks' micro-batches.
  double lossOf(const Tensors& weights, const std::vector<Parts>& parts) {
    double samples = 0;
    for (const Parts& ofRank : parts) samples += countOf(ofRank);
    double loss = 0;
    for (const Parts& ofRank : parts) {
      for (const Part& part : ofRank) {
        loss +=
            weightOf(part, ofRank) * countOf(ofRank) / samples * network_.loss(weights, part.samples, outcome_.margin);
      }
    }
    return loss;
  }

  const Network& network_;
  const Settings& settings_;
  const Data& data_;
  std::vector<Optimizer> optimizers_;  ///< one, or one a leaf
  Subspace subspace_;
  double scale_;
  Outcome outcome_;
};

}  // namespace

Outcome train(const Network& network, const Settings& settings, const Data& data, State start,
              const Eigen::MatrixXd& projection) {
  return Training(network, settings, data, std::move(start), projection).run();
}

}  // namespace slipstream::reference
