// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/interchange/weight_match.h"
#include "engine/plan/run_plan.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/image_folder.h"

namespace slipstream {

/// Puts what was found in the data into the plan: its classes and files, the samples that were drawn to evaluate on,
/// and mean and deviation where they were measured.
void keepSamples(RunPlan& plan, const SampleCounts& samples);

/// Fails where the data's classes are not those of the plan: labels count through their names, so with one more or one
/// less the others would get another meaning. `place`: where the data was named. Nothing to compare where the plan has
/// no names.
Status checkClassNames(const RunPlan& plan, const DatasetSpec& dataset, const std::string& place);

/// Fails where the list of training images has other classes, or not as many files, as the run was planned with.
Status checkContent(const RunPlan& plan, const ImageList& training);

/// Fails where its files have other names than those that the run was planned with: other bits.
Status checkFileNames(const RunPlan& plan, const ImageList& training);

/// Both of the folder as it is now, names only where the plan does not allow different bits; nothing where the run's
/// data is no folder of images.
Status checkPlannedImages(const RunPlan& plan);

/// Opens the file of network.pre_trained: fails where it cannot be read, or lacks what the network needs and the
/// experiment does not have that initialized; says in the plan what is taken and what is not, and keeps the SHA-256 of
/// the file there. `shape` is the network's.
Status resolvePreTrained(RunPlan& plan, const NetworkShape& shape);

/// The line about weights that were trained in a network which pads or normalises otherwise; nothing where it is not
/// known to. `shape` is the network's.
std::optional<Decision> conventionsWarning(const WeightReport& weights, const NetworkSpec& network,
                                           const NetworkShape& shape);

/// Fails where a file of network.pre_trained is no longer the one that the run was planned with.
Status checkPreTrained(const RunPlan& plan);

/// The network's tensors in the file; fails as resolvePreTrained does.
Result<WeightMatch> matchPreTrained(const PreTrainedSpec& spec, const NetworkSpec& network, const NetworkShape& shape);

}  // namespace slipstream
