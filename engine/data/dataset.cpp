#include "engine/data/dataset.h"

#include <array>

#include "engine/base/error.h"
#include "engine/data/digits.h"
#include "engine/data/mnist.h"

namespace slipstream {

Result<Images> loadImages(const DatasetSpec& spec, Part part, std::uint64_t seed) {
  if (spec.name == "mnist") return loadMnist(spec, part);
  if (spec.name != "digits") return fail("dataset.name", spec.name, "is no known data set", "name mnist or digits");
  const bool training = part == Part::training;
  const auto count = training ? spec.trainSamples : spec.evaluationSamples;
  if (count >= 1) return drawDigits(count, part, seed);
  return fail(training ? "dataset.train_samples" : "dataset.evaluation_samples", std::to_string(count),
              "asks for no pictures", "give a number of at least 1");
}

Batch makeBatch(const DatasetSpec& spec, const Images& images, std::span<const std::uint32_t> samples) {
  std::array<float, 256> normalized{};
  for (std::size_t value = 0; value < normalized.size(); ++value) {
    normalized[value] = static_cast<float>((static_cast<double>(value) / 255.0 - spec.mean) / spec.deviation);
  }
  const auto elements = static_cast<std::size_t>(images.shape.elements());
  Batch batch;
  batch.count = std::ssize(samples);
  batch.batchSize = spec.batchSize;
  batch.inputs.reserve(samples.size() * elements);
  batch.labels.reserve(samples.size());
  for (const auto sample : samples) {
    if (static_cast<std::int64_t>(sample) >= images.count()) throw Error("a sample that the data set does not have");
    const auto* pixels = images.pixels.data() + sample * elements;
    for (std::size_t i = 0; i < elements; ++i) batch.inputs.push_back(normalized[pixels[i]]);
    batch.labels.push_back(images.labels[sample]);
  }
  return batch;
}

}  // namespace slipstream
