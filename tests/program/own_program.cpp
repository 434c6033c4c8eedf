// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/program/own_program.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"

namespace slipstream::test {

void ProgramSandbox::bring(const std::string& file, const std::string& name) {
  std::filesystem::copy_file(file, folder() / name, std::filesystem::copy_options::overwrite_existing);
}

RunRecord ProgramSandbox::run(const std::string& file, const std::vector<std::string>& more) {
  std::vector<std::string> words{"run", file, "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramEnd end = slipstream(words);
  EXPECT_EQ(end.exitCode, 0) << end.errors << end.output;
  return newest();
}

std::string python() {
  return environment("SLIPSTREAM_PYTHON").value_or("python3");
}

nlohmann::json softmaxExperiment() {
  auto text = readFile(SLIPSTREAM_SOURCE "/experiments/own_network/softmax.json");
  EXPECT_TRUE(text);
  nlohmann::json experiment = nlohmann::json::parse(*text);
  experiment.erase("variants");
  experiment["parallel"]["ranks"] = 2;
  experiment["dataset"]["train_samples"] = 1024;
  experiment["dataset"]["batch_size"] = 16;
  experiment["train"] = {{"steps", 40}, {"checkpoint", {{"save_checkpoint_steps", 10}}}};
  return experiment;
}

}  // namespace slipstream::test
