// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "tests/faults/program.h"
#include "tests/faults/trials.h"
#include "tests/support/mutator.h"

namespace slipstream::test {
namespace {

std::string outcomeOfText(const ProgramResult& ended) {
  if (!ended.inTime) return "does not end in time";
  if (ended.exitCode != 0 && ended.exitCode != 2) return fmt::format("exit {}: {}", ended.exitCode, ended.errors);
  return "";
}

std::vector<std::string> textsUnder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(readFile(file).value_or(""));
  return texts;
}

/// Mutates `sound` and gives each file to a command; what fails is kept beside the others and named.
Tally throwFiles(const TrialSettings& settings, const std::string& kind, const std::vector<std::string>& sound,
                 const std::filesystem::path& file, const std::vector<std::string>& command, int count) {
  Tally tally;
  Mutator mutator(sound, settings.seed);
  for (int number = 0; number < count; ++number) {
    ++tally.tried;
    const std::string bytes = mutator.next();
    if (!writeFile(file, bytes)) return {tally.tried, tally.failed, "no room"};
    const std::string outcome = outcomeOfText(runProgram(command, settings.folder, settings.patience));
    if (outcome.empty()) continue;
    ++tally.failed;
    const auto kept = std::filesystem::temp_directory_path() / fmt::format("slipstream-trial-{}-{}", kind, number);
    if (!writeFile(kept, bytes)) continue;
    tellFailure(kind, number, outcome + " (kept as " + kept.string() + ")");
  }
  return tally;
}

void add(Tally& sum, const Tally& more) {
  sum.tried += more.tried;
  sum.failed += more.failed;
}

/// Weights as the program itself exports them.
std::string exported(const TrialSettings& settings, const std::string& ending) {
  const auto store = settings.folder / "exporting";
  const auto experiment = settings.folder / "exporting.json";
  if (!std::filesystem::exists(store)) {
    const Status written = writeFile(experiment, smallTraining("plain", 4).dump(2));
    const auto ended = runProgram({"run", experiment.string(), "--quiet", "--store", store.string()}, settings.folder,
                                  trainingSeconds);
    if (!written || ended.exitCode != 0) throw std::runtime_error("the training itself fails: " + ended.errors);
  }
  const auto file = settings.folder / ("exported." + ending);
  runProgram({"checkpoint", "export", "last", file.string(), "--store", store.string()}, settings.folder,
             trainingSeconds);
  return readFile(file).value_or("");
}

/// An idx file of `sizes` (MNIST's form), with zeros in it.
std::string idxOf(const std::vector<unsigned>& sizes) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  std::size_t items = 1;
  for (const unsigned size : sizes) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(size >> shift);
    items *= size;
  }
  return bytes + std::string(items, '\1');
}

/// Pictures of MNIST's kind of which one file is damaged; the plan reads all of them.
Tally throwIdx(const TrialSettings& settings, int count) {
  const auto folder = settings.folder / "mnist";
  const std::vector<std::pair<std::string, std::string>> files{{"train-images-idx3-ubyte", idxOf({64, 28, 28})},
                                                               {"train-labels-idx1-ubyte", idxOf({64})},
                                                               {"t10k-images-idx3-ubyte", idxOf({32, 28, 28})},
                                                               {"t10k-labels-idx1-ubyte", idxOf({32})}};
  bool written = makeFolder(folder).has_value();
  for (const auto& [name, bytes] : files) written = writeFile(folder / name, bytes).has_value() && written;
  nlohmann::json experiment = smallTraining("plain", 4);
  experiment["dataset"] = {{"name", "mnist"}, {"path", folder.string()}, {"batch_size", 16}};
  const auto plan = settings.folder / "idx.json";
  if (!written || !writeFile(plan, experiment.dump(2))) return {0, 0, "no room"};
  return throwFiles(settings, "idx", {files[0].second}, folder / files[0].first, {"plan", plan.string()}, count);
}

}  // namespace

Tally tryTexts(const TrialSettings& settings, int count) {
  std::vector<std::string> sound = textsUnder(SLIPSTREAM_SOURCE "/experiments");
  for (const char* folder :
       {SLIPSTREAM_SOURCE "/tests/cases/experiments", SLIPSTREAM_SOURCE "/tests/cases/rank_tables"}) {
    const auto more = textsUnder(folder);
    sound.insert(sound.end(), more.begin(), more.end());
  }
  if (sound.empty()) return {0, 0, "the experiments of the source are not there"};
  const auto file = settings.folder / "damaged.json";
  Tally tally;
  const int each = (count + 2) / 3;
  for (const char* command : {"check", "plan"})
    add(tally, throwFiles(settings, "text", sound, file, {command, file.string()}, each));
  add(tally, throwFiles(settings, "table", textsUnder(SLIPSTREAM_SOURCE "/tests/cases/rank_tables"), file,
                        {"rank-table", "fix", file.string()}, each));
  return tally;
}

Tally tryFiles(const TrialSettings& settings, int count) {
  Tally tally;
  for (const char* ending : {"ckpt", "safetensors"}) {
    const auto file = settings.folder / (std::string("damaged.") + ending);
    add(tally, throwFiles(settings, ending, {exported(settings, ending)}, file,
                          {"checkpoint", "inspect", file.string()}, count));
  }
  add(tally, throwIdx(settings, count));
  return tally;
}

}  // namespace slipstream::test
