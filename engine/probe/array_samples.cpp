// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/interchange/array_files.h"
#include "engine/probe/own_samples.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t mostArrayClasses = 1'000'000;
constexpr std::int64_t mostElements = std::int64_t{1} << 28;

/// Samples and labels of a part, by the names that programs give them.
struct ArrayNames {
  const char* samples;
  const char* labels;
};

constexpr std::array<ArrayNames, 4> trainingNames{
    {{"x_train", "y_train"}, {"train_images", "train_labels"}, {"x", "y"}, {"images", "labels"}}};
constexpr std::array<ArrayNames, 2> testNames{{{"x_test", "y_test"}, {"test_images", "test_labels"}}};
constexpr const char* namesRemedy =
    "give arrays x_train and y_train (and x_test, y_test), train_images and train_labels (and test_images, "
    "test_labels), x and y, or images and labels";

/// Where the arrays of `path` are: the .npz file, or the folder, or the only .npz file in it.
fs::path containerOf(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error) || !ownFilesOf(path, ".npy").empty()) return path;
  const std::vector<fs::path> packed = ownFilesOf(path, ".npz");
  return packed.size() == 1 ? packed.front() : path;
}

struct PartArrays {
  ArrayInfo samples;
  ArrayInfo labels;
};

template <std::size_t Count>
Result<std::optional<PartArrays>> findPart(const ArrayContainer& container,
                                           const std::array<ArrayNames, Count>& names) {
  for (const ArrayNames& pair : names) {
    if (!container.holds(pair.samples) && !container.holds(pair.labels)) continue;
    SLIPSTREAM_TRY(samples, container.find(pair.samples));
    SLIPSTREAM_TRY(labels, container.find(pair.labels));
    return PartArrays{std::move(samples), std::move(labels)};
  }
  return std::nullopt;
}

std::string placeOf(const fs::path& path, const ArrayInfo& array) {
  return fmt::format("{}: {}", path.string(), array.name);
}

/// (N,) and (N, F) are flat, (N, H, W) and (N, H, W, C) images; what has more dimensions is flat too.
SampleShape sampleShapeOf(const ArrayInfo& array, bool channelsFirst) {
  const auto& shape = array.shape;
  if (shape.size() == 3) return {shape[1], shape[2], 1};
  if (shape.size() == 4 && channelsFirst) return {shape[2], shape[3], shape[1]};
  if (shape.size() == 4) return {shape[1], shape[2], shape[3]};
  return {0, 0, array.count() / shape.front()};
}

Status checkPart(const fs::path& path, const PartArrays& part) {
  const auto& [samples, labels] = part;
  if (samples.shape.empty() || samples.count() == 0) {
    return fail(placeOf(path, samples), tupleText(samples.shape), "holds no samples",
                "save an array of shape (samples, ...)");
  }
  const bool isColumn = labels.shape.size() == 2 && labels.shape[1] == 1;
  if (labels.shape.size() != 1 && !isColumn) {
    return fail(placeOf(path, labels), tupleText(labels.shape), "is not one number a sample",
                "save the numbers of classes, of one-hot rows their numpy.argmax(y, axis=1)");
  }
  if (labels.shape[0] != samples.shape[0]) {
    return fail(placeOf(path, labels), tupleText(labels.shape),
                fmt::format("has another number of labels than the {} samples of {}", samples.shape[0], samples.name),
                "save arrays that belong together");
  }
  if (samples.count() / samples.shape[0] <= mostElements) return {};
  return fail(placeOf(path, samples), tupleText(samples.shape), "has samples of more than 2^28 values",
              "save smaller samples");
}

/// All labels of a part, each below `classes` unless that is 0.
Result<std::vector<std::int64_t>> readLabels(const fs::path& path, ArrayContainer& container, const ArrayInfo& array,
                                             std::int64_t classes) {
  std::vector<std::int64_t> labels(static_cast<std::size_t>(array.count()));
  SLIPSTREAM_TRY(reader, container.open(array.name));
  SLIPSTREAM_CHECK(reader->readIntegers(labels));
  SLIPSTREAM_CHECK(reader->finish());
  const std::int64_t limit = classes == 0 ? mostArrayClasses : classes;
  const auto wrong = std::ranges::find_if(labels, [&](std::int64_t label) { return label < 0 || label >= limit; });
  if (wrong == labels.end()) return labels;
  return fail(placeOf(path, array), std::to_string(*wrong),
              fmt::format("is no class from 0 to {}, at position {}", limit - 1, wrong - labels.begin()),
              classes == 0 ? "number the classes from 0 on" : "evaluate on classes that are trained");
}

/// [channels, pixels] to [pixels, channels].
template <class Value>
void putChannelsLast(const std::vector<Value>& from, std::int64_t channels, std::vector<Value>& to) {
  const std::size_t pixels = from.size() / static_cast<std::size_t>(channels);
  std::size_t next = 0;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(channels); ++channel) {
      to[next++] = from[channel * pixels + pixel];
    }
  }
}

Status readValues(ArrayReader& reader, std::span<std::uint8_t> values) {
  return reader.readBytes(values);
}
Status readValues(ArrayReader& reader, std::span<float> values) {
  return reader.readFloats(values);
}

class ArraysReader final : public OwnReader {
 public:
  Result<OwnFacts> facts(const DatasetSpec& dataset) const override {
    const fs::path path = containerOf(dataset.path);
    SLIPSTREAM_TRY(container, openArrays(path));
    SLIPSTREAM_TRY(training, partOf(*container, path, DataPart::training));
    SLIPSTREAM_CHECK(checkPart(path, *training));
    OwnFacts facts;
    facts.samples.shape = sampleShapeOf(training->samples, dataset.channelsFirst);
    facts.samples.floats = training->samples.type != ArrayType::u8;
    facts.training = training->samples.shape[0];
    SLIPSTREAM_TRY(labels, readLabels(path, *container, training->labels, 0));
    facts.classes = *std::ranges::max_element(labels) + 1;
    SLIPSTREAM_TRY(evaluation, partOf(*container, path, DataPart::evaluation));
    if (!evaluation) return facts;
    SLIPSTREAM_CHECK(checkPart(path, *evaluation));
    SLIPSTREAM_CHECK(checkAlike(path, *training, *evaluation));
    facts.evaluation = evaluation->samples.shape[0];
    return facts;
  }

  Status read(const DatasetSpec& dataset, const OwnFacts& facts, DataPart part, const OwnSink& sink) const override {
    const fs::path path = containerOf(dataset.path);
    SLIPSTREAM_TRY(container, openArrays(path));
    SLIPSTREAM_TRY(arrays, partOf(*container, path, part));
    if (!arrays) return fail(path.string(), "", "no longer has the arrays of the evaluation part", "put them back");
    SLIPSTREAM_TRY(labels, readLabels(path, *container, arrays->labels, facts.classes));
    SLIPSTREAM_TRY(reader, container->open(arrays->samples.name));
    const std::string place = placeOf(path, arrays->samples);
    if (facts.samples.floats) return pass<float>(dataset, facts, place, labels, *reader, sink);
    return pass<std::uint8_t>(dataset, facts, place, labels, *reader, sink);
  }

  std::vector<fs::path> files(const DatasetSpec& dataset) const override {
    const fs::path path(dataset.path);
    std::vector<fs::path> all = ownFilesOf(path, ".npy");
    std::error_code error;
    if (!fs::is_regular_file(path, error)) std::ranges::copy(ownFilesOf(path, ".npz"), std::back_inserter(all));
    return all;
  }

 private:
  /// Training arrays are there, or it fails.
  static Result<std::optional<PartArrays>> partOf(const ArrayContainer& container, const fs::path& path,
                                                  DataPart part) {
    if (part == DataPart::evaluation) return findPart(container, testNames);
    SLIPSTREAM_TRY(found, findPart(container, trainingNames));
    if (found) return found;
    std::vector<std::string> names;
    for (const ArrayInfo& array : container.arrays()) names.push_back(array.name);
    return fail(path.string(), join(names, ", "), "has no arrays of samples and labels under names that are known",
                namesRemedy);
  }

  static Status checkAlike(const fs::path& path, const PartArrays& training, const PartArrays& evaluation) {
    const auto sizes = [](const ArrayInfo& array) {
      return std::vector<std::int64_t>(array.shape.begin() + 1, array.shape.end());
    };
    const bool bytes = training.samples.type == ArrayType::u8;
    if (sizes(training.samples) == sizes(evaluation.samples) && bytes == (evaluation.samples.type == ArrayType::u8)) {
      return {};
    }
    return fail(placeOf(path, evaluation.samples), tupleText(evaluation.samples.shape),
                fmt::format("has samples of another shape or type than those of {}, {}", training.samples.name,
                            tupleText(training.samples.shape)),
                "save both parts alike");
  }

  template <class Value>
  static Status pass(const DatasetSpec& dataset, const OwnFacts& facts, const std::string& place,
                     const std::vector<std::int64_t>& labels, ArrayReader& reader, const OwnSink& sink) {
    const SampleShape& shape = facts.samples.shape;
    const bool reorders = dataset.channelsFirst && shape.height > 0 && shape.channels > 1;
    std::vector<Value> stored(static_cast<std::size_t>(shape.elements()));
    std::vector<Value> ordered(reorders ? stored.size() : 0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      SLIPSTREAM_CHECK(readValues(reader, std::span(stored)));
      SLIPSTREAM_CHECK(checkFinite(place, stored, i));
      if (reorders) putChannelsLast(stored, shape.channels, ordered);
      sink(sampleOf(reorders ? ordered : stored, static_cast<std::int32_t>(labels[i])));
    }
    return reader.finish();
  }

  static Status checkFinite(const std::string&, const std::vector<std::uint8_t>&, std::size_t) { return {}; }
  static Status checkFinite(const std::string& place, const std::vector<float>& values, std::size_t sample) {
    const auto wrong = std::ranges::find_if_not(values, [](float value) { return std::isfinite(value); });
    if (wrong == values.end()) return {};
    return fail(place, fmt::format("{}", *wrong), fmt::format("is no finite number, in sample {}", sample),
                "replace it, or leave the sample out");
  }

  static OwnSample sampleOf(const std::vector<std::uint8_t>& values, std::int32_t label) {
    return {.bytes = values, .label = label};
  }
  static OwnSample sampleOf(const std::vector<float>& values, std::int32_t label) {
    return {.floats = values, .label = label};
  }
};

}  // namespace

const DatasetKind& arraysKind() {
  static const ArraysReader reader;
  static const DatasetKind kind = [] {
    DatasetKind made = ownKind(reader);
    made.name = "arrays";
    made.summary = "FILE.npz, or a folder of .npy files: x_train, y_train, x_test and y_test, or x and y";
    made.keys = {{{"channels", "Channels", "where images of 4 dimensions have their channels: last is NHWC"},
                  [](Fields& fields, const Key& key, DatasetSpec& dataset) {
                    choice(fields, key, dataset.channelsFirst, {{"last", false}, {"first", true}});
                  }}};
    return made;
  }();
  return kind;
}

}  // namespace slipstream
