#include "engine/train/snapshot_folder.h"

#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/plan/weight_files.h"

namespace slipstream {
namespace {

std::vector<TensorSpec> tensorsOf(const ParameterLayout& layout) {
  std::vector<TensorSpec> tensors;
  for (const FlatTensor& tensor : layout.tensors()) tensors.push_back(tensor.spec);
  return tensors;
}

class SnapshotFolder final : public WeightSnapshots {
 public:
  SnapshotFolder(std::filesystem::path folder, const ParameterLayout& layout)
      : folder_(std::move(folder)), layout_(layout) {}

  int count() const override { return static_cast<int>(files().size()); }

  void read(int snapshot, const FlatTensor& tensor, std::span<float> values) override {
    const WeightFile& from = files().at(static_cast<std::size_t>(snapshot));
    std::ifstream file(from.path, std::ios::binary);
    file.seekg(from.starts.at(tensor.spec.name));
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    if (!file) throw Error(fmt::format("{}: tensor {} cannot be read any more", from.path.string(), tensor.spec.name));
  }

 private:
  const std::vector<WeightFile>& files() const {
    if (!files_.empty()) return files_;
    auto opened = openWeightFolder(folder_, tensorsOf(layout_));
    if (!opened) throw Error(toText(opened.error()));
    return files_ = std::move(*opened);
  }

  std::filesystem::path folder_;
  const ParameterLayout& layout_;
  mutable std::vector<WeightFile> files_;  ///< empty: not opened yet
};

}  // namespace

std::unique_ptr<WeightSnapshots> snapshotFolder(std::filesystem::path folder, const ParameterLayout& layout) {
  return std::make_unique<SnapshotFolder>(std::move(folder), layout);
}

}  // namespace slipstream
