// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/boost/adasum/spec.h"
#include "engine/boost/algorithm_spec.h"
#include "engine/boost/averaged/spec.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/grad_accumulation/spec.h"
#include "engine/boost/grad_centralization/spec.h"
#include "engine/boost/grad_freeze/spec.h"
#include "engine/boost/less_bn/spec.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/boost/optimizer_parallel/spec.h"

namespace slipstream {

template <class... Algorithm>
struct AlgorithmList {
  /// Calls visit.template operator()<Algorithm>() for each of them, in order.
  template <class Visit>
  static void forEach(Visit&& visit) {
    (visit.template operator()<Algorithm>(), ...);
  }
};

/// THE LIST: in this order the algorithms are shown, take part in the plan, and fill the slots of the training step. An
/// update is made by the first that fills that slot. Each is a struct in its folder's spec.h with
///   static AlgorithmSpec spec();                                    what everybody but the worker reads
///   static void fillSlots(StepSlots&, const UpdateContext&);          where it takes part in the training step
///   static ExchangeMaker exchange(const UpdateContext&);              where it is a way to combine what ranks found
///   static void addCpuKernels(KernelTables&), addCudaKernels(...), addNpuKernels(...);  where it has arithmetic of its
///   own
///   static void checkKernels(KernelCheck&);                         with it: how two devices are compared by it
using Algorithms = AlgorithmList<LessBnAlgorithm, GradFreezeAlgorithm, AdasumAlgorithm, GradAccumulationAlgorithm,
                                 OptimizerParallelAlgorithm, DimReduceAlgorithm, LossScaleAlgorithm,
                                 GradCentralizationAlgorithm, AveragedAlgorithm>;

/// The specs of all of them, in that order.
const std::vector<AlgorithmSpec>& algorithms();
/// Those with a switch in the dictionary's section `boost`.
const std::vector<AlgorithmSpec>& switchedAlgorithms();
/// Null where no algorithm has that key.
const AlgorithmSpec* findAlgorithm(std::string_view key);

/// Every key of the dictionary: reading, writing, the JSON schema's test and the help all follow this table. First the
/// mode and the switches, then what all algorithms share, then their options.
const std::vector<BoostOption>& boostOptions();
/// The sections in the order of the table.
std::vector<std::string> boostSections();
/// Walks over the keys of one section of the dictionary.
void describeBoostSection(Fields& fields, const std::string& section, BoostConfig& config);

}  // namespace slipstream
