// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/own_data.h"

#include "engine/probe/own_samples.h"

namespace slipstream {
namespace {

Status checkAsPlanned(const DatasetSpec& spec, const OwnFacts& facts) {
  if (facts.samples == spec.own && facts.classes == spec.classes) return {};
  return fail("dataset.path", spec.path,
              "has samples of another shape or type, or other classes, than were planned with",
              "put the files back as they were, or start a new run");
}

}  // namespace

Result<Images> loadOwnData(const DatasetSpec& spec, DataPart part) {
  SLIPSTREAM_TRY(facts, ownFacts(spec));
  SLIPSTREAM_CHECK(checkAsPlanned(spec, facts));
  Images images{facts.samples.shape, facts.classes};
  SLIPSTREAM_CHECK(readOwnPart(spec, facts, part, [&](const OwnSample& sample) {
    images.pixels.insert(images.pixels.end(), sample.bytes.begin(), sample.bytes.end());
    images.floats.insert(images.floats.end(), sample.floats.begin(), sample.floats.end());
    images.labels.push_back(sample.label);
  }));
  return images;
}

}  // namespace slipstream
