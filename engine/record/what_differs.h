// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/record/comparison.h"

namespace slipstream {

/// What an arm of a comparison does otherwise than the reference, each once: algorithms by their names, everything else
/// by its key. What follows from an algorithm (its settings, less_bn's network) is named with it.
std::vector<std::string> changesOf(const Comparison& comparison, std::size_t arm);

/// The changes as a sentence, so that no single one of several is taken for the cause: "adasum and averaged differ in
/// adasum, grad_freeze and less_bn: what is found is the effect of all of them together."
std::string changesSentence(const Comparison& comparison, std::size_t arm);

}  // namespace slipstream
