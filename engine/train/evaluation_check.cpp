// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluation_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"

namespace slipstream {
namespace {

/// Far from each other first: whoever ends early has seen something of every class.
constexpr std::int64_t inspectionStride = 64;

/// One that can be read is enough, and usually the first.
void inspectUntilSound(const SampleSource& samples, SampleReader& reader, double seconds) {
  const Stopwatch watch;
  for (std::int64_t i = 0; i < samples.count(); ++i) {
    if (reader.inspect(static_cast<std::uint32_t>(i)) || watch.seconds() > seconds) return;
  }
  throw Error(fmt::format(
      "none of the {} samples to evaluate on can be read, and dataset.on_broken skips them all: put readable images "
      "in their place",
      samples.count()));
}

/// Of [begin, end); how many it has seen.
std::int64_t inspectEach(SampleReader& reader, std::int64_t begin, std::int64_t end, double seconds) {
  const Stopwatch watch;
  std::int64_t seen = 0;
  for (std::int64_t first = begin; first < std::min(end, begin + inspectionStride); ++first) {
    for (std::int64_t i = first; i < end; i += inspectionStride) {
      const Status sound = reader.inspect(static_cast<std::uint32_t>(i));
      if (!sound) throw Error(toText(sound.error()));
      ++seen;
      if (watch.seconds() > seconds) return seen;
    }
  }
  return seen;
}

}  // namespace

void checkEvaluationSamples(const SampleSource& samples, BrokenImages onBroken, Link& link,
                            const Communicator& communicator, double seconds) {
  const auto reader = samples.reader();
  const std::int64_t rank = communicator.rank();
  if (onBroken == BrokenImages::skip) {
    if (rank == 0) inspectUntilSound(samples, *reader, seconds);
    return;
  }
  const std::int64_t begin = samples.count() * rank / communicator.size();
  const std::int64_t end = samples.count() * (rank + 1) / communicator.size();
  const std::int64_t seen = inspectEach(*reader, begin, end, seconds);
  if (seen == end - begin || rank != 0) return;
  link.event(EventLevel::information, "data",
             fmt::format("before the first step rank 0 had time to look at {} of its {} images to evaluate on: a "
                         "broken one among the others is found by the first evaluation",
                         seen, end - begin));
}

}  // namespace slipstream
