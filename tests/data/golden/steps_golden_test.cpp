// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/data/dataset.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

TEST(StepsGolden, StepsPerEpoch) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "files.json");
  const auto& cases = golden.at("steps_per_epoch");
  test::CaseCounter counter("files.json steps_per_epoch", cases.size());
  for (const auto& entry : cases) {
    DatasetSpec spec;
    spec.batchSize = entry.at("batch");
    spec.dropRemainder = entry.at("drop_remainder");
    EXPECT_EQ(stepsPerEpoch(spec, entry.at("images"), entry.at("ranks")), entry.at("steps").get<std::int64_t>())
        << entry.dump();
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
