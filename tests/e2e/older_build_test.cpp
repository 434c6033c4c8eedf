// SPDX-License-Identifier: GPL-3.0-or-later
// Runs, checkpoints and experiment files that an older build wrote (tests/cases/older_build) are read, resumed and
// trained by this one.
#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/base/files.h"
#include "engine/probe/processor.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using test::ProgramEnd;
using test::Sandbox;
using testing::HasSubstr;

const std::filesystem::path& cases() {
  static const std::filesystem::path folder = SLIPSTREAM_SOURCE "/tests/cases/older_build";
  return folder;
}

/// Writes what a file that gzip packed holds.
void unpack(const std::filesystem::path& packed, const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream output(file, std::ios::binary);
  gzFile input = ::gzopen(packed.c_str(), "rb");
  if (input == nullptr) throw std::runtime_error("cannot read " + packed.string());
  std::vector<char> buffer(1 << 16);
  for (int count = 1; count > 0;) {
    count = ::gzread(input, buffer.data(), static_cast<unsigned>(buffer.size()));
    if (count > 0) output.write(buffer.data(), count);
  }
  ::gzclose(input);
}

/// A copy of the store: one run of each variant that is done, and one that was stopped.
class OlderBuild : public testing::Test {
 protected:
  OlderBuild() {
    const std::filesystem::path packed = cases() / "store";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(packed)) {
      if (!entry.is_regular_file()) continue;
      unpack(entry.path(), sandbox_.storeFolder() / entry.path().lexically_relative(packed).replace_extension());
    }
    // The first command that may write brings the store's tables forward; this test's own view only reads.
    EXPECT_EQ(sandbox_.slipstream({"runs"}).exitCode, 0);
  }

  RunRecord run(RunState state, const std::string& variant) const {
    for (const RunRecord& run : sandbox_.store()->runs()) {
      if (run.state == state && run.variant == variant) return run;
    }
    throw std::runtime_error("no such run in the older build's store");
  }

  Sandbox sandbox_;
};

TEST_F(OlderBuild, ItsRunsAreShownComparedAndReported) {
  ASSERT_EQ(sandbox_.slipstream({"store", "verify"}).exitCode, 0);
  const RunRecord adasum = run(RunState::done, "adasum");
  const std::string losses = readFile(cases() / "adasum_loss.csv").value();
  EXPECT_EQ(sandbox_.slipstream({"metrics", adasum.id, "--metric", "loss", "--format", "csv"}).output, losses);
  EXPECT_THAT(sandbox_.slipstream({"show", adasum.id}).output, HasSubstr("adasum"));
  const auto compared = sandbox_.json({"compare", "averaged", "adasum", "--json"});
  EXPECT_EQ(compared["variants"].size(), 2U);
  const std::string report = (sandbox_.folder() / "old.html").string();
  const ProgramEnd ended = sandbox_.slipstream({"report", "averaged", "adasum", "-o", report});
  EXPECT_EQ(ended.exitCode, 0) << ended.errors;
  EXPECT_THAT(readFile(report).value(), HasSubstr("adasum"));
}

/// The values of a safetensors file: what follows the header, whose length its first eight bytes say.
std::string valuesOf(const std::string& safetensors) {
  std::uint64_t header = 0;
  std::memcpy(&header, safetensors.data(), sizeof header);
  return safetensors.substr(sizeof header + header);
}

/// The older build's header said another layout of convolutions, of which there are none.
TEST_F(OlderBuild, ItsCheckpointsAreExportedToTheSameValues) {
  const RunRecord adasum = run(RunState::done, "adasum");
  const auto exported = [&](const std::string& name) {
    const std::string file = (sandbox_.folder() / name).string();
    EXPECT_EQ(sandbox_.slipstream({"checkpoint", "export", adasum.id, file}).exitCode, 0) << name;
    return readFile(file).value();
  };
  EXPECT_TRUE(exported("w.ckpt") == readFile(cases() / "w.ckpt").value());
  EXPECT_TRUE(valuesOf(exported("w.safetensors")) == valuesOf(readFile(cases() / "w.safetensors").value()));
}

/// It stopped long before the end, where the run of the same experiment that was left alone arrived. Its steps were
/// computed with AVX-512: a processor without goes on where other bits are accepted.
TEST_F(OlderBuild, ItsStoppedRunGoesOnToTheSameEnd) {
  const RunRecord stopped = run(RunState::stopped, "");
  std::vector<std::string> resume{"resume", stopped.id, "--quiet"};
  if (instructionSet() < InstructionSet::avx512) {
    EXPECT_THAT(sandbox_.slipstream(resume).errors, HasSubstr("with the instruction set avx512"));
    resume.emplace_back("--allow-different-bits");
  }
  const ProgramEnd ended = sandbox_.slipstream(resume);
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  const auto store = sandbox_.store();
  EXPECT_EQ(store->find(stopped.id).value().state, RunState::done);
  const std::vector<double> resumed = store->series(stopped.id, "loss").values;
  const std::vector<double> whole = store->series(run(RunState::done, "averaged").id, "loss").values;
  ASSERT_EQ(resumed.size(), whole.size());
  for (std::size_t step = 0; step < whole.size(); ++step) EXPECT_NEAR(resumed[step], whole[step], 1e-4) << step;
}

class OlderExperiment : public testing::TestWithParam<const char*> {};

/// As they were in its tree.
TEST_P(OlderExperiment, IsReadAndTrains) {
  Sandbox sandbox;
  const std::string file = (cases() / "experiments" / GetParam()).string();
  const ProgramEnd checked = sandbox.slipstream({"check", file});
  EXPECT_EQ(checked.exitCode, 0) << checked.output << checked.errors;
  const ProgramEnd ran = sandbox.slipstream({"run", file, "--quiet", "--ranks", "2", "--set", "dataset.name=digits",
                                             "--set", "train.steps=3", "--set", "dataset.train_samples=400", "--set",
                                             "dataset.evaluation_samples=100"});
  EXPECT_EQ(ran.exitCode, 0) << ran.errors;
}

INSTANTIATE_TEST_SUITE_P(Files, OlderExperiment,
                         testing::Values("quickstart.json", "o2_mnist_6.json", "optimizer_parallel_mnist_8.json"),
                         [](const auto& file) { return std::filesystem::path(file.param).stem().string(); });

}  // namespace
}  // namespace slipstream
