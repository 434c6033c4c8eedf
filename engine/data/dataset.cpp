// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/dataset.h"

#include "engine/data/cifar10.h"
#include "engine/data/digits.h"
#include "engine/data/mnist.h"

namespace slipstream {

Result<Images> loadImages(const DatasetSpec& spec, DataPart part, std::uint64_t seed) {
  if (spec.name == "mnist") return loadMnist(spec, part);
  if (spec.name == "cifar10") return loadCifar10(spec, part);
  if (spec.name != "digits") {
    return fail("dataset.name", spec.name, "is no data set of pictures in memory", "name mnist, digits or cifar10");
  }
  const bool training = part == DataPart::training;
  const auto count = training ? spec.trainSamples : spec.evaluationSamples;
  if (count >= 1) return drawDigits(count, part, seed);
  return fail(training ? "dataset.train_samples" : "dataset.evaluation_samples", std::to_string(count),
              "asks for no pictures", "give a number of at least 1");
}

}  // namespace slipstream
