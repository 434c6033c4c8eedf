// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/dataset_kind.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

TEST(DatasetKind, EveryKindAnswersEveryQuestionAboutAnEmptyFolder) {
  const test::TemporaryFolder folder;
  std::set<std::string> names;
  for (const DatasetKind* kind : datasetKinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    const DatasetSpec dataset{.name = kind->name, .path = folder.path()};
    EXPECT_TRUE(!kind->generated || kind->inspect(dataset)) << kind->name;
    EXPECT_GT(kind->shape(dataset).elements(), 0) << kind->name;
    if (kind->reader != nullptr) {
      EXPECT_FALSE(kind->inspect(dataset)) << kind->name;
      EXPECT_TRUE(kind->mean.empty() && kind->deviation.empty()) << kind->name;
      continue;
    }
    EXPECT_EQ(kind->missing(dataset.path, DataPart::training).empty(), kind->generated) << kind->name;
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

/// As MindSpore's tutorials lay MNIST out.
TEST(DatasetKind, MnistMayLieInSubFoldersOfItsParts) {
  const test::TemporaryFolder folder;
  for (const char* part : {"train/train", "test/t10k"}) {
    for (const char* kind : {"images-idx3", "labels-idx1.gz"}) {
      const std::string name = fmt::format("{}-{}", part, kind);
      const auto gz = name.find(".gz");
      const auto file = folder.path() / (name.substr(0, gz) + "-ubyte" + (gz == std::string::npos ? "" : ".gz"));
      std::filesystem::create_directories(file.parent_path());
      ASSERT_TRUE(writeFile(file, "x"));
    }
  }
  const DatasetKind& mnist = *findDatasetKind("mnist");
  for (const DataPart part : {DataPart::training, DataPart::evaluation}) {
    EXPECT_TRUE(mnist.missing(folder.path(), part).empty());
  }
  std::filesystem::remove_all(folder.path() / "train");
  EXPECT_EQ(mnist.missing(folder.path(), DataPart::training).size(), 2U);
  EXPECT_TRUE(mnist.missing(folder.path(), DataPart::evaluation).empty());
}

TEST(DatasetKind, AnUnknownNameIsNoKind) {
  EXPECT_EQ(findDatasetKind("moonlight"), nullptr);
  EXPECT_THROW(kindOf({.name = "moonlight", .path = ""}), Error);
}

}  // namespace
}  // namespace slipstream
