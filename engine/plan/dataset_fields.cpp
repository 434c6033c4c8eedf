// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/dataset_fields.h"

namespace slipstream {
namespace {

constexpr Limits sampleCounts{.least = 0, .most = 1e8};
constexpr Limits imageSizes{.least = 8, .most = 4096};

const Words<BrokenPictures> brokenWords{{"fail", BrokenPictures::fail}, {"skip", BrokenPictures::skip}};

struct Normalization {
  std::vector<double> mean;
  std::vector<double> deviation;
};

/// Of the training pictures, as MindSpore's tutorials and model zoo have them.
Normalization usualNormalization(const std::string& name) {
  if (name == "cifar10") return {{0.4914, 0.4822, 0.4465}, {0.2023, 0.1994, 0.2010}};
  if (name == "image_folder") return {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}};
  return {{0.1307}, {0.3081}};
}

/// Files hold what they hold; generated data needs a number.
void describeCounts(Fields& fields, DatasetSpec& dataset) {
  std::optional<std::int64_t> train = dataset.trainSamples;
  std::optional<std::int64_t> evaluation = dataset.evaluationSamples;
  fields.optionalInteger("train_samples", train, sampleCounts);
  fields.optionalInteger("evaluation_samples", evaluation, sampleCounts);
  const bool generated = dataset.name == "digits";
  dataset.trainSamples = train.value_or(generated ? DatasetSpec{}.trainSamples : 0);
  dataset.evaluationSamples = evaluation.value_or(generated ? DatasetSpec{}.evaluationSamples : 0);
}

void describeNormalization(Fields& fields, DatasetSpec& dataset) {
  const Normalization usual = usualNormalization(dataset.name);
  if (!fields.wants("mean", true)) dataset.mean = usual.mean;
  fields.numbers("mean", dataset.mean, anyNumber);
  if (!fields.wants("deviation", true)) dataset.deviation = usual.deviation;
  fields.numbers("deviation", dataset.deviation, above(0));
}

void describeLoading(Fields& fields, DatasetSpec& dataset, bool decodes) {
  fields.flag("augment", dataset.augment);
  if (!fields.wants("decode_threads", true)) dataset.decodeThreads = decodes ? 1 : 0;
  fields.integer("decode_threads", dataset.decodeThreads, between(0, 256));
  if (!fields.wants("prefetch_batches", true)) dataset.prefetchBatches = decodes ? 2 : 0;
  fields.integer("prefetch_batches", dataset.prefetchBatches, between(0, 1000));
}

}  // namespace

void describeDataset(Fields& fields, DatasetSpec& dataset) {
  fields.text("name", dataset.name, {"mnist", "digits", "cifar10", "image_folder"});
  fields.text("path", dataset.path, {});
  fields.integer("batch_size", dataset.batchSize, positiveCount);
  fields.flag("shard", dataset.shard);
  fields.flag("shuffle", dataset.shuffle);
  fields.flag("drop_remainder", dataset.dropRemainder);
  describeCounts(fields, dataset);
  describeNormalization(fields, dataset);
  const bool folder = dataset.name == "image_folder";
  if (folder || fields.everything()) {
    fields.integer("image_size", dataset.imageSize, imageSizes);
    choice(fields, "on_broken", dataset.onBroken, brokenWords);
  }
  if (folder || dataset.name == "cifar10" || fields.everything()) describeLoading(fields, dataset, folder);
}

}  // namespace slipstream
