// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/interchange/weight_names.h"
#include "engine/runs/export_weights.h"

namespace slipstream {
namespace {

class CheckpointSource final : public TensorSource {
 public:
  CheckpointSource(std::unique_ptr<CheckpointStore> store, CheckpointManifest manifest)
      : store_(std::move(store)), step_(manifest.step), snapshot_(manifest.snapshot) {
    for (TensorRecord& tensor : manifest.tensors) {
      if (belongsToNetwork(tensor)) add(std::move(tensor));
    }
  }

  std::string name() const override {
    return fmt::format("{} of step {}", snapshot_ ? "snapshot" : "checkpoint", step_);
  }
  const std::vector<TensorEntry>& tensors() const override { return entries_; }
  std::optional<ChannelPlace> channels() const override { return ChannelPlace::last; }

  Result<std::vector<std::byte>> read(std::size_t index) override {
    const std::vector<std::string>& hashes = hashes_.at(index);
    std::vector<std::byte> bytes = store_->read(hashes.front());
    if (hashes.size() == 1) return bytes;
    const auto share = static_cast<float>(1.0 / static_cast<double>(hashes.size()));
    std::vector<float> mean(bytes.size() / sizeof(float));
    for (const std::string& hash : hashes) addShare(store_->read(hash), share, mean);
    std::memcpy(bytes.data(), mean.data(), bytes.size());
    return bytes;
  }

 private:
  void add(TensorRecord tensor) {
    if (tensor.name == programStateName) return;  // no tensor, and nothing that ranks have a mean of
    const auto known = std::ranges::find(entries_, tensor.name, &TensorEntry::name);
    if (known != entries_.end()) {
      hashes_[static_cast<std::size_t>(known - entries_.begin())].push_back(std::move(tensor.hash));
      return;
    }
    const auto type = typeOfSafetensors(tensor.dtype);
    if (!type) throw Error("tensor " + tensor.name + " has the unknown type " + tensor.dtype);
    entries_.push_back({std::move(tensor.name), *type, std::move(tensor.shape)});
    hashes_.push_back({std::move(tensor.hash)});
  }

  static void addShare(const std::vector<std::byte>& bytes, float share, std::vector<float>& mean) {
    std::vector<float> values(mean.size());
    if (bytes.size() != values.size() * sizeof(float)) throw Error("ranks keep a tensor in different sizes");
    std::memcpy(values.data(), bytes.data(), bytes.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += share * values[i];
  }

  std::unique_ptr<CheckpointStore> store_;
  std::int64_t step_;
  bool snapshot_;
  std::vector<TensorEntry> entries_;
  std::vector<std::vector<std::string>> hashes_;  ///< of each entry, one a rank that holds it
};

}  // namespace

bool belongsToNetwork(const TensorRecord& tensor) {
  return plainName(tensor.name).find('/') == std::string_view::npos;
}

std::unique_ptr<TensorSource> checkpointSource(std::unique_ptr<CheckpointStore> store, CheckpointManifest manifest) {
  return std::make_unique<CheckpointSource>(std::move(store), std::move(manifest));
}

}  // namespace slipstream
