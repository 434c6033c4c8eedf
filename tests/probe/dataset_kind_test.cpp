// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/dataset_kind.h"

#include <set>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

TEST(DatasetKind, EveryKindAnswersEveryQuestionAboutAnEmptyFolder) {
  const test::TemporaryFolder folder;
  std::set<std::string> names;
  for (const DatasetKind* kind : datasetKinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    const DatasetSpec dataset{.name = kind->name, .path = folder.path()};
    EXPECT_EQ(kind->missing(dataset.path, DataPart::training).empty(), kind->generated) << kind->name;
    EXPECT_TRUE(!kind->generated || kind->inspect(dataset)) << kind->name;
    EXPECT_GT(kind->shape(dataset).elements(), 0) << kind->name;
    EXPECT_EQ(kind->mean.size(), static_cast<std::size_t>(kind->shape(dataset).channels)) << kind->name;
    EXPECT_EQ(kind->deviation.size(), kind->mean.size()) << kind->name;
    EXPECT_FALSE(kind->generated && kind->imageFiles) << kind->name;
  }
}

TEST(DatasetKind, AFallbackIsAKindThatNeedsNoFiles) {
  for (const DatasetKind* kind : datasetKinds()) {
    if (kind->fallback.empty()) continue;
    ASSERT_NE(findDatasetKind(kind->fallback), nullptr) << kind->name;
    EXPECT_TRUE(findDatasetKind(kind->fallback)->generated) << kind->name;
  }
}

TEST(DatasetKind, AnUnknownNameIsNoKind) {
  EXPECT_EQ(findDatasetKind("moonlight"), nullptr);
  EXPECT_THROW(kindOf({.name = "moonlight", .path = ""}), Error);
}

}  // namespace
}  // namespace slipstream
