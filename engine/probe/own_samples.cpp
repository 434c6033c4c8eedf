// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/own_samples.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "engine/base/access.h"
#include "engine/base/error.h"
#include "engine/base/lru_cache.h"
#include "engine/base/text.h"
#include "engine/probe/evaluation_split.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr double largestByte = 255;

const OwnReader& readerOf(const DatasetSpec& dataset) {
  const OwnReader* reader = kindOf(dataset).reader;
  if (reader == nullptr) throw Error("the data set " + dataset.name + " has no files of the user's own form");
  return *reader;
}

std::string stateOf(const OwnReader& reader, const DatasetSpec& dataset) {
  return stateOfFiles(reader.files(dataset));
}

/// Of data without a part to evaluate on.
Result<EvaluationSplit> splitOf(const DatasetSpec& dataset, const OwnFacts& facts) {
  return readerOf(dataset).isSequence() ? splitAtEnd(dataset, facts.training) : drawSplit(dataset, facts.training);
}

/// Which samples of a part's files are taken.
class Taking {
 public:
  static Result<Taking> of(const DatasetSpec& dataset, const OwnFacts& facts, DataPart part) {
    const bool training = part == DataPart::training;
    Taking taking;
    taking.count_ = training ? facts.training : facts.evaluation.value_or(0);
    if (!facts.evaluation) {
      SLIPSTREAM_TRY(split, splitOf(dataset, facts));
      taking.count_ = training ? facts.training - split.evaluation : split.evaluation;
      taking.split_ = std::move(split);
      taking.wanted_ = !training;
    }
    const std::int64_t most = training ? dataset.trainSamples : dataset.evaluationSamples;
    taking.taken_ = most == 0 ? taking.count_ : std::min(most, taking.count_);
    return taking;
  }

  /// Asked of every sample of the files, in order.
  bool takesNext() {
    const std::size_t sample = next_++;
    if (split_ && split_->evaluates[sample] != wanted_) return false;
    // The k-th that is taken is at k * count / taken, rounded down.
    if (chosen_ == taken_ || place_++ != chosen_ * count_ / taken_) return false;
    ++chosen_;
    return true;
  }

  DataPart files(DataPart part) const { return split_ ? DataPart::training : part; }

 private:
  std::optional<EvaluationSplit> split_;
  bool wanted_ = false;
  std::int64_t count_ = 0;  ///< of the part
  std::int64_t taken_ = 0;
  std::size_t next_ = 0;     ///< among the samples of the files
  std::int64_t place_ = 0;   ///< among those of the part
  std::int64_t chosen_ = 0;  ///< so far
};

/// Mean and standard deviation of each channel. Sums are those of the differences from the first value, so that a large
/// mean takes nothing away from a small deviation.
class Measure {
 public:
  Measure(std::int64_t channels, bool alike)
      : alike_(alike), channels_(alike ? 1 : static_cast<std::size_t>(channels)) {}

  template <class Value>
  void add(std::span<const Value> values, double unit) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Channel& channel = channels_[alike_ ? 0 : i % channels_.size()];
      const double value = static_cast<double>(values[i]) / unit;
      if (channel.count++ == 0) channel.first = value;
      const double difference = value - channel.first;
      channel.sum += difference;
      channel.squares += difference * difference;
    }
  }

  void putInto(SampleCounts& counts) const {
    for (const Channel& channel : channels_) {
      const double count = static_cast<double>(std::max<std::int64_t>(channel.count, 1));
      const double shift = channel.sum / count;
      const double variance = std::max(0.0, channel.squares / count - shift * shift);
      counts.mean.push_back(channel.first + shift);
      // What never differs stays 0 whatever it is divided by.
      counts.deviation.push_back(variance > 0 ? std::sqrt(variance) : 1.0);
    }
  }

 private:
  struct Channel {
    std::int64_t count = 0;
    double first = 0, sum = 0, squares = 0;
  };
  bool alike_;  ///< one value for all
  std::vector<Channel> channels_;
};

Result<SampleCounts> inspectOwn(const DatasetSpec& dataset) {
  SLIPSTREAM_TRY(facts, ownFacts(dataset));
  SampleCounts counts{facts.training, facts.evaluation.value_or(0), facts.classNames};
  if (!facts.evaluation) {
    SLIPSTREAM_TRY(split, splitOf(dataset, facts));
    counts.training -= split.evaluation;
    counts.evaluation = split.evaluation;
    counts.splitHash = split.hash;
  }
  const bool flatBytes = facts.samples.shape.height == 0 && !facts.samples.floats;
  Measure measure(facts.samples.shape.channels, flatBytes);
  SLIPSTREAM_CHECK(readOwnPart(dataset, facts, DataPart::training, [&](const OwnSample& sample) {
    if (facts.samples.floats) return measure.add(sample.floats, 1);
    measure.add(sample.bytes, largestByte);
  }));
  measure.putInto(counts);
  if (facts.evaluation) SLIPSTREAM_CHECK(readOwnPart(dataset, facts, DataPart::evaluation, [](const OwnSample&) {}));
  return counts;
}

void discoverOwn(DatasetSpec& dataset) {
  const auto facts = ownFacts(dataset);
  dataset.classes = facts ? facts->classes : 0;
  dataset.own = facts ? facts->samples : OwnSamples{};
}

}  // namespace

Result<OwnFacts> ownFacts(const DatasetSpec& dataset) {
  static std::mutex mutex;
  static LruCache kept(std::size_t{1} << 20);
  const OwnReader& reader = readerOf(dataset);
  if (dataset.path.empty()) return fail("dataset.path", "", "names no file or folder", "name that of the data");
  const std::string key = fmt::format("{} {} {}", dataset.name, ownKeysText(dataset), stateOf(reader, dataset));
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto found = kept.find<OwnFacts>(key)) return *found;
  SLIPSTREAM_TRY(facts, reader.facts(dataset));
  std::size_t bytes = key.size() + sizeof facts;
  for (const std::string& name : facts.classNames) bytes += name.size();
  kept.keep(key, std::make_shared<const OwnFacts>(facts), bytes);
  return facts;
}

bool knowsSamples(const DatasetSpec& dataset) {
  return kindOf(dataset).reader == nullptr || dataset.classes > 0;
}

Status readOwnPart(const DatasetSpec& dataset, const OwnFacts& facts, DataPart part, const OwnSink& sink) {
  SLIPSTREAM_TRY(taking, Taking::of(dataset, facts, part));
  return readerOf(dataset).read(dataset, facts, taking.files(part), [&](const OwnSample& sample) {
    if (taking.takesNext()) sink(sample);
  });
}

DatasetKind ownKind(const OwnReader& reader) {
  DatasetKind kind;
  kind.mayBeFile = true;
  kind.splits = true;
  kind.shape = [](const DatasetSpec& dataset) { return dataset.own.shape; };
  kind.discover = discoverOwn;
  kind.missing = [](const fs::path&, DataPart) { return std::vector<std::string>{}; };  // inspect names what is
  kind.inspect = inspectOwn;
  kind.reader = &reader;
  return kind;
}

Result<OwnFiles> findOwnFiles(const fs::path& path, const std::string& ending) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return OwnFiles{path};
  const fs::path training = path / ("train" + ending);
  const fs::path evaluation = path / ("test" + ending);
  if (fs::is_regular_file(training, error)) {
    if (!fs::is_regular_file(evaluation, error)) return OwnFiles{training};
    return OwnFiles{training, evaluation};
  }
  if (!fs::is_directory(path / ".", error) && error) return tl::unexpected(Failures{accessFailure(path, error)});
  const std::vector<fs::path> others = ownFilesOf(path, ending);
  if (others.size() == 1) return OwnFiles{others.front()};
  return fail("dataset.path", path.string(),
              others.empty()
                  ? fmt::format("has no file train{}", ending)
                  : fmt::format("has {} files that end in {}, and no train{}", others.size(), ending, ending),
              fmt::format("name one file, or a folder with train{0} (and test{0})", ending));
}

std::vector<fs::path> ownFilesOf(const fs::path& path, const std::string& ending) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {path};
  std::vector<fs::path> files;
  for (auto at = fs::directory_iterator(path, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() == ending && at->is_regular_file(ignored)) files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace slipstream
