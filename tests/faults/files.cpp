// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files.h"

#include <stdexcept>

#include "tests/faults/damaged.h"
#include "tests/faults/data_files.h"
#include "tests/faults/program.h"
#include "tests/support/jpeg_images.h"

namespace slipstream::test {
namespace {

namespace fs = std::filesystem;

/// Experiments, data and weights in a folder of their own.
class IntactFiles {
 public:
  explicit IntactFiles(const TrialSettings& settings) : settings_(settings), folder_(settings.folder / "sound-files") {}

  std::vector<DamagedKind> all() const {
    std::vector<DamagedKind> kinds;
    for (const char* ending : {"ckpt", "safetensors"}) addWeights(kinds, ending);
    addMnist(kinds);
    addCifar(kinds);
    addMatrix(kinds);
    addPictures(kinds);
    return kinds;
  }

 private:
  /// The experiment's file.
  std::string experiment(const std::string& name, const nlohmann::json& changes) const {
    nlohmann::json content = smallTraining("plain", 4);
    content.merge_patch(changes);
    const auto file = folder_ / (name + ".json");
    putFile(file, content.dump(2));
    return file.string();
  }

  /// Weights of the experiment as the program itself exports them; returns the file.
  fs::path exported(const std::string& name, const std::string& file, const std::string& ending) const {
    const auto store = (folder_ / (name + "-store")).string();
    if (!fs::exists(store)) require({"run", file, "--quiet", "--store", store});
    const auto weights = folder_ / (name + "." + ending);
    require({"checkpoint", "export", "last", weights.string(), "--store", store});
    return weights;
  }

  void require(const std::vector<std::string>& words) const {
    const auto ended = runProgram(words, settings_.folder, trainingSeconds);
    if (ended.exitCode != 0) throw std::runtime_error("the training itself fails: " + ended.errors);
  }

  /// Their list, and what they are worth.
  void addWeights(std::vector<DamagedKind>& kinds, const std::string& ending) const {
    const std::string file = experiment("weights", nlohmann::json::object());
    const std::string bytes = readFile(exported("weights", file, ending)).value_or("");
    const auto damaged = folder_ / ("damaged." + ending);
    kinds.push_back({ending, {bytes}, damaged, {"checkpoint", "inspect", damaged.string()}});
    kinds.push_back({ending + "-evaluated", {bytes}, damaged, {"evaluate", damaged.string(), "--experiment", file}});
  }

  /// Images of MNIST's kind of which one file is damaged; the plan reads all of them.
  void addMnist(std::vector<DamagedKind>& kinds) const {
    constexpr unsigned side = 28;
    const std::string images = idxOf({64, side, side});
    for (const char* ending : {"", ".gz"}) {
      const std::string name = std::string("idx") + ending;
      const auto folder = folder_ / name;
      putFile(folder / "train-labels-idx1-ubyte", idxOf({64}));
      putFile(folder / "t10k-images-idx3-ubyte", idxOf({32, side, side}));
      putFile(folder / "t10k-labels-idx1-ubyte", idxOf({32}));
      const auto file = experiment(name, {{"dataset", {{"name", "mnist"}, {"path", folder.string()}}}});
      const auto damaged = folder / (std::string("train-images-idx3-ubyte") + ending);
      const std::string bytes = ending[0] == '\0' ? images : compressed(images);
      kinds.push_back({name, {bytes}, damaged, {"plan", file}});
    }
  }

  void addCifar(std::vector<DamagedKind>& kinds) const {
    for (const char* ending : {"", ".gz"}) {
      const std::string name = std::string("cifar") + ending;
      const auto folder = folder_ / name;
      putFile(folder / "test_batch.bin", cifarOf(16));
      const auto file = experiment(name, {{"dataset", {{"name", "cifar10"}, {"path", folder.string()}}}});
      const std::string bytes = ending[0] == '\0' ? cifarOf(40) : compressed(cifarOf(40));
      kinds.push_back({name, {bytes}, folder / (std::string("data_batch_1.bin") + ending), {"plan", file}});
    }
  }

  /// The projection of dim_reduce.
  void addMatrix(std::vector<DamagedKind>& kinds) const {
    constexpr int weights = 28 * 28 * 24 + 24 + 24 * 10 + 10;
    constexpr int components = 2;
    const auto damaged = folder_ / "matrix.npy";
    nlohmann::json changes;
    changes["boost"] = {{"level", "O1"},
                        {"dictionary",
                         {{"boost", {{"mode", "manual"}, {"dim_reduce", true}}},
                          {"dim_reduce", {{"pca_mat_path", damaged.string()}, {"n_components", components}}}}}};
    const auto file = experiment("npy", changes);
    kinds.push_back({"npy", {npyOf(components, weights)}, damaged, {"plan", file}});
  }

  /// A folder of images of which one is damaged: left out, or the end of the evaluation.
  void addPictures(std::vector<DamagedKind>& kinds) const {
    const auto folder = folder_ / "pictures";
    writeImageFolder(folder, {"cat", "dog"}, 16, 2);
    const auto damaged = folder / "val" / "cat" / "0.jpg";
    const std::string baseline = readFile(damaged).value_or("");
    const auto bytes = jpegOf(wavyPicture(40, 48, 3, 1), {.progressive = true});
    const std::string progressive(bytes.begin(), bytes.end());
    for (const char* onBroken : {"skip", "fail"}) {
      const auto name = std::string("jpeg-") + onBroken;
      nlohmann::json changes;
      changes["network"] = {{"layers", {{{"type", "flatten"}}, {{"type", "dense"}, {"outputs", 2}}}}};
      changes["dataset"] = {{"name", "image_folder"}, {"path", folder.string()},  {"batch_size", 4},
                            {"image_size", 16},       {"train_samples", nullptr}, {"evaluation_samples", nullptr},
                            {"on_broken", onBroken}};
      const auto file = experiment(name, changes);
      putFile(damaged, baseline);
      const auto weights = exported("jpeg", file, "safetensors");
      kinds.push_back({name,
                       {onBroken == std::string("skip") ? baseline : progressive},
                       damaged,
                       {"evaluate", weights.string(), "--experiment", file}});
    }
  }

  const TrialSettings& settings_;
  const fs::path folder_;
};

}  // namespace

void tryFiles(Tally& tally, const TrialSettings& settings, int count) {
  for (const DamagedKind& kind : IntactFiles(settings).all()) tryDamaged(tally, settings, kind, count);
}

}  // namespace slipstream::test
