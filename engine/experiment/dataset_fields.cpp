// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/dataset_fields.h"

#include <algorithm>
#include <set>

#include "engine/probe/dataset_kind.h"

namespace slipstream {
namespace {

constexpr Limits sampleCounts{.least = 0, .most = 1e8};
constexpr Limits imageSizes{.least = 8, .most = 4096};

const EnumNames<BrokenImages> brokenWords{{"fail", BrokenImages::fail}, {"skip", BrokenImages::skip}};

std::string summaryOf(const std::string& name) {
  const DatasetKind* kind = findDatasetKind(name);
  return kind == nullptr ? std::string() : std::string(kind->summary);
}

/// The kinds that a key acts on.
std::vector<std::string> kindsWith(bool DatasetKind::*acts) {
  std::vector<std::string> names;
  for (const DatasetKind* kind : datasetKinds()) {
    if (kind->*acts) names.push_back(kind->name);
  }
  return names;
}

std::vector<std::string> kindsWithKey(const std::string& name) {
  std::vector<std::string> names;
  for (const DatasetKind* kind : datasetKinds()) {
    if (hasKey(*kind, name)) names.push_back(kind->name);
  }
  return names;
}

/// Files hold what they hold; generated data needs a number.
void describeCounts(Fields& fields, DatasetSpec& dataset, bool generated) {
  std::optional<std::int64_t> train = dataset.trainSamples;
  std::optional<std::int64_t> evaluation = dataset.evaluationSamples;
  fields.optionalInteger(
      Key{"train_samples", "Training samples", "how many to generate; of files: at most this many, 0 for all"}.in(
          "0 = all"),
      train, sampleCounts);
  fields.optionalInteger(Key{"evaluation_samples", "Evaluation samples", "the same for evaluation"}.in("0 = all"),
                         evaluation, sampleCounts);
  dataset.trainSamples = train.value_or(generated ? DatasetSpec{}.trainSamples : 0);
  dataset.evaluationSamples = evaluation.value_or(generated ? DatasetSpec{}.evaluationSamples : 0);
}

/// What is not written is usual for the kind; where nothing is, the plan measures it.
void describeByChannel(Fields& fields, const Key& key, std::vector<double>& values, const std::vector<double>& usual,
                       const Limits& limits) {
  const bool there = fields.wants(key, !values.empty());
  if (!there) values = usual;
  if (there || !values.empty()) fields.numbers(key, values, limits);
}

void describeNormalization(Fields& fields, DatasetSpec& dataset, const DatasetKind& kind) {
  describeByChannel(fields,
                    {"mean", "Input mean",
                     "inputs are (x/255 - mean) / deviation, of floats (x - mean) / deviation; one value, or one a "
                     "channel or column; default: usual for the data set, else measured in the training samples",
                     Key::noDefault},
                    dataset.mean, kind.mean, anyNumber);
  describeByChannel(fields, {"deviation", "Input deviation", "see mean", Key::noDefault}, dataset.deviation,
                    kind.deviation, above(0));
}

void describeSplit(Fields& fields, DatasetSpec& dataset) {
  fields.number(Key{"evaluation_fraction", "Evaluation fraction",
                    "share of the samples to evaluate on, where the data has no part for it"}
                    .only(kindsWith(&DatasetKind::splits)),
                dataset.evaluationFraction, {.least = 0, .most = 1, .openBelow = true});
  auto seed = static_cast<std::int64_t>(dataset.splitSeed);
  fields.integer(Key{"split_seed", "Split seed", "draws those samples; of a text the last ones are taken"}.only(
                     kindsWith(&DatasetKind::splits)),
                 seed, between(0, 9.2e18));
  dataset.splitSeed = static_cast<std::uint64_t>(seed);
}

/// The keys that kinds list themselves, each once.
void describeOwnKeys(Fields& fields, DatasetSpec& dataset, const DatasetKind& kind) {
  std::set<std::string> described;
  for (const DatasetKind* other : datasetKinds()) {
    for (const DatasetKey& own : other->keys) {
      const bool acts = fields.everything() || hasKey(kind, own.key.name);
      if (!acts || !described.insert(own.key.name).second) continue;
      own.describe(fields, own.key.only(kindsWithKey(own.key.name)), dataset);
    }
  }
}

void describeLoading(Fields& fields, DatasetSpec& dataset, bool decodes) {
  fields.flag(Key{"augment", "Augmentation", "training images are cropped and flipped at random"}.only(
                  kindsWith(&DatasetKind::augments)),
              dataset.augment);
  if (!fields.wants("decode_threads", true)) dataset.decodeThreads = decodes ? 1 : 0;
  fields.integer(Key{"decode_threads", "Decoder threads",
                     "threads a rank that prepare batches ahead; default 1 for files of images, else 0", Key::noDefault}
                     .only(kindsWith(&DatasetKind::augments))
                     .in("per rank"),
                 dataset.decodeThreads, between(0, 256));
  if (!fields.wants("prefetch_batches", true)) dataset.prefetchBatches = decodes ? 2 : 0;
  fields.integer(Key{"prefetch_batches", "Prefetch batches",
                     "batches prepared ahead of the one in use; default 2 for files of images, else 0", Key::noDefault}
                     .only(kindsWith(&DatasetKind::augments)),
                 dataset.prefetchBatches, between(0, 1000));
}

}  // namespace

void describeDataset(Fields& fields, DatasetSpec& dataset) {
  fields.text(Key{"name", "Data set", "samples to train and to evaluate on"}.explaining(summaryOf), dataset.name,
              datasetNames());
  const DatasetKind* found = findDatasetKind(dataset.name);
  const DatasetKind& kind = found != nullptr ? *found : kindOf(DatasetSpec{});
  fields.text(
      {"path", "Folder", "folder of the files, or the file, relative to this file; else the environment's DATA_PATH"},
      dataset.path, {});
  fields.integer(Key{"batch_size", "Batch size", "samples a rank and step"}.in("per rank"), dataset.batchSize,
                 positiveCount);
  fields.flag({"shard", "Shard across ranks",
               "ranks share an epoch's samples out; false: each reads the whole set, shuffled in an order of its own"},
              dataset.shard);
  fields.flag({"shuffle", "Shuffle", "a new order each epoch"}, dataset.shuffle);
  fields.flag({"drop_remainder", "Drop last batch",
               "leave out the last incomplete step of an epoch; false: it counts by its samples"},
              dataset.dropRemainder);
  describeCounts(fields, dataset, kind.generated);
  describeNormalization(fields, dataset, kind);
  if (kind.imageFiles || fields.everything()) {
    fields.integer(Key{"image_size", "Image size", "height and width that images are brought to"}
                       .only(kindsWith(&DatasetKind::imageFiles))
                       .in("pixels"),
                   dataset.imageSize, imageSizes);
    choice(fields,
           Key{"on_broken", "Corrupt images",
               "an image that cannot be decoded ends the run, or is skipped and the record says so: in training "
               "the next one takes its place, an evaluation counts the others"}
               .only(kindsWith(&DatasetKind::imageFiles)),
           dataset.onBroken, brokenWords);
  }
  if (kind.splits || fields.everything()) describeSplit(fields, dataset);
  describeOwnKeys(fields, dataset, kind);
  if (kind.augments || fields.everything()) describeLoading(fields, dataset, kind.imageFiles);
}

void describeFound(Fields& fields, DatasetSpec& dataset) {
  fields.integer("classes", dataset.classes, atLeast(0));
  const DatasetKind* kind = findDatasetKind(dataset.name);
  if (kind == nullptr || kind->reader == nullptr) return;
  fields.section("sample", [&](Fields& sample) {
    sample.integer("height", dataset.own.shape.height, atLeast(0));
    sample.integer("width", dataset.own.shape.width, atLeast(0));
    sample.integer("channels", dataset.own.shape.channels, atLeast(1));
    sample.flag("floats", dataset.own.floats);
  });
}

std::vector<std::string> fallbackNames() {
  std::vector<std::string> names;
  for (const DatasetKind* kind : datasetKinds()) {
    if (!kind->fallback.empty() && !std::ranges::count(names, kind->fallback)) names.push_back(kind->fallback);
  }
  return names;
}

}  // namespace slipstream
