// SPDX-License-Identifier: GPL-3.0-or-later
// dim_reduce's files are looked at while a run is planned: what is wrong with them is heard before anything starts.
#include <chrono>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/boost/algorithms.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// 784-1-10: 784 + 1 + 10 + 10 weights.
constexpr int weights = 805;

std::string matrixText(int rows, int columns, const std::function<float(int, int)>& valueAt) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }\n";
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size());
  text += '\0';
  text += header;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const float value = valueAt(row, column);
      text.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
  }
  return text;
}

std::string matrixText(int rows, int columns) {
  return matrixText(rows, columns, [](int row, int column) { return row == column ? 1.0F : 0.0F; });
}

Json snapshotHeader() {
  return Json::parse(R"({
    "layer1.weight": {"dtype": "F32", "shape": [1, 784], "data_offsets": [0, 3136]},
    "layer1.bias": {"dtype": "F32", "shape": [1], "data_offsets": [3136, 3140]},
    "layer2.weight": {"dtype": "F32", "shape": [10, 1], "data_offsets": [3140, 3180]},
    "layer2.bias": {"dtype": "F32", "shape": [10], "data_offsets": [3180, 3220]}})");
}

class PastWeights : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"1", "2", "3"}) writeSnapshot(name, snapshotHeader());
    file["boost"]["dictionary"]["dim_reduce"]["n_components"] = 2;
  }

  void writeSnapshot(const std::string& name, const Json& header) {
    const std::string text = header.dump();
    std::string length(8, '\0');
    length[0] = static_cast<char>(text.size() & 0xff);
    length[1] = static_cast<char>(text.size() >> 8);
    std::filesystem::create_directories(files_.path() / "past");
    files_.write("past/" + name + ".safetensors", length + text + std::string(weights * 4, '\0'));
  }
  void name(const std::string& key, const std::string& value) {
    file["boost"]["dictionary"]["dim_reduce"][key] = value;
  }
  Result<PlannedFile> plan() { return planFile(files_.write("case.json", file.dump()), {}, test::environmentOf()); }
  std::string problems() {
    const auto planned = plan();
    return planned ? "" : toText(planned.error());
  }
  static Decision matrixDecision(const RunPlan& plan) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.subject == "dim_reduce.pca_mat_path") return decision;
    }
    return {};
  }

  Json file = Json::parse(R"({
    "network": {"name": "mlp", "hidden": [1]},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 64, "evaluation_samples": 32},
    "boost": {"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "dim_reduce": true}}}})");
  test::TextFiles files_;
};

TEST_F(PastWeights, AMatrixThatIsThereIsReadAndThePlanKeepsThat) {
  files_.write("there.npy", matrixText(2, weights));
  name("pca_mat_path", "there.npy");
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(matrixDecision(planned->plans.front()).state, "read");
  std::filesystem::remove(files_.path() / "there.npy");
  const auto again = parseRunPlan(toJsonText(planned->plans.front()));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(again->experiment.boost.of<DimReduceOptions>().pcaMatrix, MatrixUse::read);
}

/// A header that is longer than any of a matrix must not cost the planning process its stack.
TEST_F(PastWeights, AHeaderOfBlanksIsNoMatrix) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::string(50'000, ' ') + "), }";
  std::string text("\x93NUMPY\x02\x00", 8);
  for (const int shift : {0, 8, 16, 24}) text += static_cast<char>((header.size() >> shift) & 0xff);
  files_.write("blank.npy", text + header);
  name("pca_mat_path", "blank.npy");
  EXPECT_THAT(problems(), HasSubstr("is no .npy file"));
}

TEST_F(PastWeights, SnapshotsStayWelcomeOnceTheirMatrixIsThere) {
  file["stages"] = Json::parse(R"([
    {"name": "train", "boost": {"level": "O0"}, "train": {"epochs": 1, "snapshots": {"per_epoch": 4, "keep": 4}}},
    {"name": "space", "train": {"epochs": 1}}])");
  name("pca_mat_path", "kept.npy");
  EXPECT_EQ(problems(), "");
  files_.write("kept.npy", matrixText(2, weights));
  EXPECT_EQ(problems(), "") << "the same file a second time";
}

TEST_F(PastWeights, AMatrixThatIsNotThereIsWritten) {
  name("pca_mat_path", "new.npy");
  name("weight_load_dir", "past");
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(planned->plans.front().experiment.boost.of<DimReduceOptions>().pcaMatrix, MatrixUse::written);
  EXPECT_EQ(matrixDecision(planned->plans.front()).state, "written");
}

TEST_F(PastWeights, WhereEnableAllFindsThemDimReduceComesBeforeOptimizerParallel) {
  name("weight_load_dir", "past");
  file["boost"]["dictionary"]["boost"] = {{"mode", "enable_all"}};
  file["boost"]["dictionary"]["less_bn"] = {{"fn_flag", false}};
  file["parallel"] = {{"ranks", 2}, {"optimizer_parallel", "level2"}};
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_TRUE(planned->plans.front().experiment.boost.isOn("dim_reduce"));
  EXPECT_EQ(planned->plans.front().experiment.parallel.optimizerParallel.level, ShardingLevel::off);
  file["boost"]["dictionary"]["boost"] = {{"mode", "manual"}, {"dim_reduce", true}};
  EXPECT_THAT(problems(), HasSubstr("cannot be on beside dim_reduce"));
}

TEST_F(PastWeights, BesideAReadyMatrixAFolderHasNoEffectAndThatIsSaid) {
  files_.write("there.npy", matrixText(2, weights));
  name("pca_mat_path", "there.npy");
  name("weight_load_dir", "nowhere");
  const auto planned = plan();
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_THAT(notesOf(planned->plans), testing::Contains(HasSubstr("weight_load_dir")));
}

TEST_F(PastWeights, OnePathForTwoWritersIsRefused) {
  name("pca_mat_path", "new.npy");
  name("weight_load_dir", "past");
  file["variants"] = Json::parse(R"([{"name": "one"}, {"name": "two", "seed": 2}])");
  EXPECT_THAT(problems(), AllOf(HasSubstr("dim_reduce.pca_mat_path"), HasSubstr("by variant one and by variant two"),
                                HasSubstr("a path of its own")));
  file.erase("variants");
  file["stages"] = Json::parse(R"([{"name": "bfgs"}, {"name": "again"}])");
  EXPECT_THAT(problems(), HasSubstr("by stage bfgs and by stage again"));
  files_.write("new.npy", matrixText(2, weights));
  EXPECT_EQ(problems(), "") << "both read it";
}

TEST_F(PastWeights, AMatrixOfAnotherShapeIsRefusedInEveryRespect) {
  files_.write("other.npy", matrixText(1, weights - 1));
  name("pca_mat_path", "other.npy");
  EXPECT_THAT(problems(), AllOf(HasSubstr("has 804 columns"), HasSubstr("805 trainable weights"),
                                HasSubstr("has 1 rows, but n_components is 2")));
  files_.write("other.npy", matrixText(2, weights).substr(0, 4000));
  EXPECT_THAT(problems(), HasSubstr("cut short"));
  files_.write("other.npy", "text");
  EXPECT_THAT(problems(), HasSubstr("is no .npy file"));
  name("pca_mat_path", "no_folder/new.npy");
  name("weight_load_dir", "past");
  EXPECT_THAT(problems(), AllOf(HasSubstr("pca_mat_path"), HasSubstr("cannot be written")));
}

TEST_F(PastWeights, RowsThatSpanNoSpaceAreRefusedByName) {
  name("pca_mat_path", "rows.npy");
  const auto problemOf = [&](float (*value)(int, int)) {
    files_.write("rows.npy", matrixText(3, weights, value));
    // The same size as before in the same moment: only another time tells the files apart.
    const auto path = files_.path() / "rows.npy";
    static int ages = 0;
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(++ages));
    return problems();
  };
  EXPECT_EQ(problemOf([](int row, int column) { return row == 2        ? 9.0F
                                                       : row == column ? 1.0F
                                                                       : 0.0F; }), "")
      << "n_components is 2: the third row is not used";
  EXPECT_THAT(problemOf([](int row, int column) { return row == column && row != 1 ? 1.0F : 0.0F; }),
              AllOf(HasSubstr("pca_mat_path"), HasSubstr("rows.npy"), HasSubstr("row 1 is all zeros"),
                    HasSubstr("orthonormal")));
  EXPECT_THAT(problemOf([](int row, int column) {
                return row == 0 && column == 700 ? NAN : row == column ? 1.0F : 0.0F;
              }),
              HasSubstr("row 0 holds a value that is no number"));
  EXPECT_THAT(problemOf([](int row, int column) { return row == column ? 1.0F + static_cast<float>(row) : 0.0F; }),
              HasSubstr("row 1 has length 2 instead of 1"));
  EXPECT_THAT(problemOf([](int row, int column) { return row == column || column == 0 ? 1.0F : 0.0F; }),
              HasSubstr("row 1 has length 1.414"));
  EXPECT_THAT(problemOf([](int, int column) { return column == 0 ? 1.0F : 0.0F; }),
              HasSubstr("rows 0 and 1 are not orthogonal: their dot product is 1"));
}

TEST_F(PastWeights, ANameThatIsTooLongToBeWrittenIsRefusedAtOnce) {
  name("weight_load_dir", "past");
  name("pca_mat_path", std::string(252, 'p') + ".npy");
  EXPECT_THAT(problems(), AllOf(HasSubstr("pca_mat_path"), HasSubstr("too long"), HasSubstr("choose a name")));
  name("pca_mat_path", std::string(246, 'p') + ".npy");
  EXPECT_THAT(problems(), HasSubstr("too long")) << "while it is written, its name is longer";
  name("pca_mat_path", std::string(200, 'p') + ".npy");
  EXPECT_EQ(problems(), "");
}

TEST_F(PastWeights, EveryFileOfTheFolderThatDoesNotFitIsNamed) {
  name("weight_load_dir", "past");
  EXPECT_EQ(problems(), "");
  Json header = snapshotHeader();
  header["layer2.bias"]["shape"] = {11};
  writeSnapshot("1", header);
  header = snapshotHeader();
  header["layer1.weight"]["data_offsets"] = {std::uint64_t{1} << 63, 3136};
  writeSnapshot("2", header);
  header = snapshotHeader();
  header["layer1.weight"]["dtype"] = 5;
  writeSnapshot("3", header);
  EXPECT_THAT(problems(), AllOf(HasSubstr("1.safetensors"), HasSubstr("which are not Float32 11"),
                                HasSubstr("2.safetensors: header"), HasSubstr("beyond 63 bits"),
                                HasSubstr("3.safetensors"), HasSubstr("number where none belongs")));
  name("weight_load_dir", "nowhere");
  EXPECT_THAT(problems(), AllOf(HasSubstr("weight_load_dir"), HasSubstr("cannot be read")));
}

TEST_F(PastWeights, AFolderOfAsManySnapshotsAsComponentsIsRefusedWithBothNumbers) {
  name("weight_load_dir", "past");
  file["boost"]["dictionary"]["dim_reduce"]["n_components"] = 3;
  EXPECT_THAT(problems(), AllOf(HasSubstr("n_components"), HasSubstr("at least 4"), HasSubstr("holds 3")));
}

}  // namespace
}  // namespace slipstream
