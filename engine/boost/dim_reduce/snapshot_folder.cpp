// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/snapshot_folder.h"

#include "engine/base/error.h"
#include "engine/probe/weight_files.h"

namespace slipstream {
namespace {

class SnapshotFolder final : public WeightSnapshots {
 public:
  SnapshotFolder(std::filesystem::path folder, std::vector<ExpectedTensor> wanted)
      : folder_(std::move(folder)), wanted_(std::move(wanted)) {}

  int count() const override { return static_cast<int>(files().size()); }

  void read(int snapshot, const FlatTensor& tensor, std::span<float> values) override {
    const Status read = files().at(static_cast<std::size_t>(snapshot)).read(tensor.spec.name, values);
    if (!read) throw Error(toText(read.error()));
  }

 private:
  const std::vector<WeightMatch>& files() const {
    if (!files_.empty()) return files_;
    auto opened = openWeightFolder(folder_, wanted_);
    if (!opened) throw Error(toText(opened.error()));
    return files_ = std::move(*opened);
  }

  std::filesystem::path folder_;
  std::vector<ExpectedTensor> wanted_;
  mutable std::vector<WeightMatch> files_;  ///< empty: not opened yet
};

}  // namespace

std::unique_ptr<WeightSnapshots> snapshotFolder(std::filesystem::path folder, std::vector<ExpectedTensor> wanted) {
  return std::make_unique<SnapshotFolder>(std::move(folder), std::move(wanted));
}

}  // namespace slipstream
