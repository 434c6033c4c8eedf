// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/boost/grad_freeze/spec.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

std::vector<std::string> namesOf(const nlohmann::json& one, const std::filesystem::path& folder) {
  if (one.contains("names")) return one["names"];
  std::vector<std::string> names;
  const auto network = test::readGolden(folder, "parallel_config.json")["resnet50_1001_trainable"];
  for (const auto& tensor : network["params"]) names.push_back(tensor[0]);
  return names;
}

TEST(FreezeGolden, GroupsStartAtTheSameTensors) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto cases = test::readGolden(folder, "grad_freeze.json")["grouping"];
  test::CaseCounter counter("grad_freeze.json grouping", cases.size());
  for (const auto& one : cases) {
    SCOPED_TRACE(one["net"].get<std::string>() + " in " + one["param_groups"].dump());
    const auto names = namesOf(one, folder);
    EXPECT_EQ(std::ssize(freezeBlocks(names)), one["blocks"].get<std::int64_t>());
    const auto starts = freezeGroups(names, one["param_groups"]);
    ASSERT_EQ(starts.size(), one["first_trained_param"].size());
    for (std::size_t group = 0; group < starts.size(); ++group) {
      const auto start = static_cast<std::size_t>(starts[group]);
      EXPECT_EQ(names[start], one["first_trained_param"][group]);
      EXPECT_EQ(names.size() - start, one["param_count_per_group"][group].get<std::size_t>());
    }
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
