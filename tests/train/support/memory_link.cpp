// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/support/memory_link.h"

#include <span>

namespace slipstream::test {

std::vector<double> MemoryStore::meanOf(const std::string& name) {
  std::vector<double> means;
  for (const auto& [step, ranks] : metrics[name]) {
    double sum = 0;
    for (const auto& [rank, value] : ranks) sum += value;
    means.push_back(sum / static_cast<double>(ranks.size()));
  }
  return means;
}

void MemoryLink::record(std::int64_t step, const std::vector<std::string>& names, const std::vector<double>& values) {
  const std::lock_guard lock(store_.mutex);
  for (std::size_t i = 0; i < names.size(); ++i) store_.metrics[names[i]][step][rank_] = values.at(i);
}

void MemoryLink::event(EventLevel level, const std::string& code, const std::string& text) {
  const std::lock_guard lock(store_.mutex);
  store_.events.push_back(code);
  store_.eventTexts.push_back(text);
  if (level == EventLevel::warning) store_.warnings.push_back(text);
}

void MemoryLink::memory(const std::map<std::string, std::int64_t>& bytes) {
  const std::lock_guard lock(store_.mutex);
  store_.memory[rank_] = bytes;
}

StopKind MemoryLink::stopRequested() const {
  return store_.stopAtStep >= 0 && step_ >= store_.stopAtStep ? store_.stop : StopKind::none;
}

void MemoryLink::sendCheckpoint(std::int64_t step, bool full, const std::string& progressText,
                                const std::vector<OutgoingTensor>& tensors) {
  const std::lock_guard lock(store_.mutex);
  CheckpointManifest& manifest = store_.checkpoints[step];
  manifest.step = step;
  manifest.full = full;
  manifest.progressText = progressText;
  keep(manifest, tensors);
}

void MemoryLink::sendSnapshot(std::int64_t step, const std::vector<OutgoingTensor>& weights) {
  const std::lock_guard lock(store_.mutex);
  CheckpointManifest& manifest = store_.snapshots[step];
  manifest.step = step;
  keep(manifest, weights);
}

std::optional<CheckpointManifest> MemoryLink::checkpointAt(std::int64_t step) {
  const std::lock_guard lock(store_.mutex);
  const auto found = store_.checkpoints.find(step);
  return found == store_.checkpoints.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CheckpointManifest> MemoryLink::snapshotAt(std::int64_t step) {
  const std::lock_guard lock(store_.mutex);
  const auto found = store_.snapshots.find(step);
  return found == store_.snapshots.end() ? std::nullopt : std::optional(found->second);
}

void MemoryLink::keep(CheckpointManifest& manifest, const std::vector<OutgoingTensor>& tensors) {
  for (const OutgoingTensor& tensor : tensors) {
    const std::string hash = sha256(std::as_bytes(tensor.values));
    store_.tensors[hash].assign(tensor.values.begin(), tensor.values.end());
    manifest.tensors.push_back(
        {tensor.name, "F32", tensor.shape, tensor.shard, hash, static_cast<std::int64_t>(tensor.values.size_bytes())});
  }
}

std::vector<float> MemoryLink::fetch(const std::string& hash) {
  const std::lock_guard lock(store_.mutex);
  return store_.tensors.at(hash);
}

}  // namespace slipstream::test
