// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/nn/network.h"
#include "tests/nn/host.h"
#include "tests/nn/support/reference_network.h"

namespace slipstream::test {

/// `count` values between -1 and 1, others for each `number`.
std::vector<float> drawn(std::int64_t count, std::uint64_t number);

std::vector<double> wide(const std::vector<float>& values);
double length(std::span<const double> values);
double distance(std::span<const double> actual, std::span<const double> expected);

/// A network with its parameters, and the reference beside it.
struct NetworkBench {
  NetworkBench(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch,
               NumberType pictures = NumberType::float32);

  std::span<float> all(WholeParameterStore& store) { return store.acquire({0, network->layout().size()}); }
  std::vector<float> forward(std::span<const float> input, std::int64_t batch,
                             NetworkMode mode = NetworkMode::training);
  void backward(std::span<const float> outputGradient, std::int64_t batch, bool accumulate = false,
                int firstTrainedLayer = 0);
  /// The flat values in the order of the reference: tensors from front to back.
  std::vector<double> forwardOrder(WholeParameterStore& store);

  Host host;
  ReferenceNetwork reference;
  std::unique_ptr<Network> network;
  WholeParameterStore weights;
  WholeParameterStore gradients;
};

/// Differences of at most `tolerance` of the largest expected value.
void expectNear(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance);

/// The outputs agree with the reference, the gradients with its central differences.
void expectForwardAndGradients(const NetworkSpec& spec, SampleShape input, std::int64_t batch);

}  // namespace slipstream::test
