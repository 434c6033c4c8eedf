// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/observed_run.h"

#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/text.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream::test {

std::unique_ptr<RunStore> storeIn(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder / "store.db", error)) return nullptr;
  auto store = RunStore::open(folder, StoreAccess::read);
  return store ? std::move(*store) : nullptr;
}

std::string begunRunIn(const std::filesystem::path& folder) {
  const auto store = storeIn(folder);
  if (!store) return "";
  const auto runs = store->heads();
  return runs.empty() || runs.back().attempt == 0 ? "" : runs.back().id;
}

std::string newestState(const std::filesystem::path& store, const std::string& run) {
  const auto checkpoints = CheckpointStore::openToRead(store, run);
  if (!checkpoints || (*checkpoints)->steps().empty()) return "no checkpoint";
  const auto manifest = *(*checkpoints)->manifest((*checkpoints)->steps().back());
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : manifest.tensors)
    hashes[fmt::format("{}/{}", tensor.name, tensor.shard)] = tensor.hash;
  std::string text = fmt::format("step {}\n", manifest.step);
  for (const auto& [name, hash] : hashes) text += name + "=" + hash + "\n";
  return text;
}

std::map<std::int64_t, double> visibleLosses(RunStore& store, const std::string& run) {
  const Series series = store.series(run, "loss");
  std::map<std::int64_t, double> losses;
  for (std::size_t i = 0; i < series.steps.size(); ++i) losses[series.steps[i]] = series.values[i];
  return losses;
}

std::string nameOfProcess(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(file, name);
  return name;
}

namespace {

/// Empty where the process ends meanwhile.
std::string commandLineOf(const std::filesystem::path& process) {
  constexpr std::streamsize most = 1 << 16;
  std::ifstream file(process / "cmdline", std::ios::binary);
  std::string line(most, ' ');
  file.read(line.data(), most);
  line.resize(static_cast<std::size_t>(file.gcount()));
  return line;
}

}  // namespace

std::vector<pid_t> processesThatName(const std::filesystem::path& folder) {
  using namespace std::string_literals;
  const std::string word = "\0"s + folder.string() + "\0"s;
  std::vector<pid_t> processes;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const auto process = parseInteger(entry.path().filename().string());
    if (!process || *process == ::getpid()) continue;
    const std::string line = commandLineOf(entry.path());
    if (line.find(word) != std::string::npos) processes.push_back(static_cast<pid_t>(*process));
  }
  return processes;
}

}  // namespace slipstream::test
