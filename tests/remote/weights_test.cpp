// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/base/byte_codec.h"
#include "engine/base/hash.h"
#include "engine/remote/fetch.h"
#include "tests/remote/two_stores.h"

namespace slipstream {
namespace {

using namespace test;

class FetchedWeights : public testing::Test {
 protected:
  FetchedWeights() : origin_(openStore(there())), copy_(openStore(here())), run_(origin_->createRun(sampleRun())) {}

  std::filesystem::path there() const { return folder_.path() / "there"; }
  std::filesystem::path here() const { return folder_.path() / "here"; }

  void save(std::int64_t step, const std::vector<std::string>& contents) {
    std::filesystem::create_directories(there() / "checkpoints");
    auto store = CheckpointStore::openToWrite(there(), run_);
    ASSERT_TRUE(store);
    CheckpointManifest manifest;
    manifest.step = step;
    manifest.attempt = 1;
    manifest.progressText = "{}";
    (*store)->begin();
    for (const std::string& content : contents) {
      const auto bytes = std::as_bytes(std::span(content.data(), content.size()));
      const std::string hash = sha256(bytes);
      for (std::size_t begin = 0, index = 0; begin < content.size(); begin += checkpointPartBytes, ++index) {
        const auto count = std::min<std::size_t>(checkpointPartBytes, content.size() - begin);
        (*store)->addPart(hash, static_cast<std::int64_t>(index), bytes.subspan(begin, count));
      }
      manifest.tensors.push_back({content.substr(0, 3), "U8", {std::ssize(content)}, -1, hash, std::ssize(content)});
    }
    (*store)->complete(manifest);
  }
  Result<std::int64_t> fetch(std::int64_t step) {
    const WeightsPlace place{run_, step, false};
    Pair pair;
    std::jthread far([&] {
      if (const Status sent = sendWeights(there(), place, pair[0], pair[0]); !sent) return;
    });
    return receiveWeights(here(), place, pair[1], pair[1]);
  }

  TemporaryFolder folder_;
  std::unique_ptr<RunStore> origin_, copy_;
  std::string run_;
};

TEST_F(FetchedWeights, AreTheSameAndComeOnce) {
  const std::string large(3 * checkpointPartBytes / 2, 'w');
  save(10, {large, "abcdef"});
  EXPECT_FALSE(hasWeights(here(), {run_, 10, false}));
  const auto bytes = fetch(10);
  ASSERT_TRUE(bytes) << toText(bytes.error());
  EXPECT_EQ(*bytes, std::ssize(large) + 6);
  EXPECT_TRUE(hasWeights(here(), {run_, 10, false}));
  const auto store = CheckpointStore::openToRead(here(), run_);
  ASSERT_TRUE(store);
  EXPECT_EQ((*store)->manifest(10)->tensors.size(), 2U);
  EXPECT_EQ((*store)->read(sha256(large)).size(), large.size());
  save(20, {large, "ghijkl"});
  EXPECT_EQ(*fetch(20), 6) << "what is here already does not come again";
}

TEST_F(FetchedWeights, WhatIsNotThereIsSaid) {
  save(10, {"abcdef"});
  const auto missing = fetch(11);
  ASSERT_FALSE(missing);
  EXPECT_NE(toText(missing.error()).find("no checkpoint of this step"), std::string::npos);
  EXPECT_FALSE(hasWeights(here(), {run_, 11, false}));
}

TEST_F(FetchedWeights, OtherBytesThanWerePromisedAreNotKept) {
  const std::string hash = sha256(std::string_view("abcdef"));
  const std::string manifest =
      R"({"attempt": 1, "full": true, "progress": "{}", "tensors": [["w", "U8", [6], -1, ")" + hash + R"(", 6]]})";
  const WeightsPlace place{run_, 10, true};
  for (const std::string content : {"abcdeX", "abcdef and more"}) {
    Pair pair;
    std::jthread far([&] {
      FrameChannel channel(pair[0], pair[0]);
      FrameWriter head;
      head(true, manifest);
      channel.send(head.take());
      if (!channel.receive(std::chrono::seconds{10})) return;
      FrameWriter part;
      part(hash, std::int64_t{0}, content);
      channel.send(part.take());
      channel.send("");
    });
    EXPECT_FALSE(receiveWeights(here(), place, pair[1], pair[1])) << content;
    EXPECT_FALSE(hasWeights(here(), place)) << content;
  }
}

}  // namespace
}  // namespace slipstream
