// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/ready_gradients.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/flush_denormals.h"

namespace slipstream {
namespace {

constexpr std::size_t namesInText = 5;

}  // namespace

ReadyGradients::ReadyGradients(const HandoverTarget& target, WholeView& gradients, int microBatches)
    : target_(target),
      gradients_(gradients),
      microBatches_(microBatches),
      keepsWhole_(target.slots.update->traits().keepsWholeGradient) {
  std::set<int> trained;
  const int count = static_cast<int>(target.layout.tensors().size());
  for (int tensor = 0; tensor < count; ++tensor) {
    const int layer = at(tensor).spec.layer;
    if (layer < target.plan.firstTrainedLayer) continue;
    trained.insert(tensor);
    if (layers_.empty() || layers_.back() != layer) layers_.push_back(layer);
  }
  std::ranges::reverse(layers_);
  open_.assign(static_cast<std::size_t>(microBatches), trained);
}

/// The layout has the last tensor first.
const FlatTensor& ReadyGradients::at(int tensor) const {
  const auto& all = target_.layout.tensors();
  if (tensor < 0 || tensor >= static_cast<int>(all.size())) {
    throw Error(fmt::format("there is no tensor {}: the program has described {}, counted from 0", tensor, all.size()));
  }
  return all[all.size() - 1 - static_cast<std::size_t>(tensor)];
}

void ReadyGradients::ready(int tensor, int microBatch) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const FlatTensor& flat = at(tensor);
    if (flat.spec.layer < target_.plan.firstTrainedLayer) return;
    if (microBatch < 0 || microBatch >= microBatches_) {
      throw Error(fmt::format("the gradient of {} is ready for micro-batch {}, and the step has {}: count them from 0",
                              flat.spec.name, microBatch, microBatches_));
    }
    if (microBatch > 0 && !open_[static_cast<std::size_t>(microBatch) - 1].empty()) {
      throw Error(
          fmt::format("the gradient of {} is ready for micro-batch {}, and of the one before it these are not: "
                      "{}; say ready of each tensor in each micro-batch",
                      flat.spec.name, microBatch, names(open_[static_cast<std::size_t>(microBatch) - 1])));
    }
    const bool isOwner = std::this_thread::get_id() == owner_;
    if (!keepsWhole_ && !isOwner && microBatch > microBatch_) {
      throw Error(
          fmt::format("the gradient of {} is ready for micro-batch {}, and those of the one before it were not "
                      "handed over: call slipstream_flush_ready on the thread that joined between two micro-batches",
                      flat.spec.name, microBatch));
    }
    if (open_[static_cast<std::size_t>(microBatch)].erase(tensor) == 0) {
      throw Error(
          fmt::format("the gradient of {} was ready before in micro-batch {}: say so once, when nothing more is "
                      "added to it",
                      flat.spec.name, microBatch));
    }
  }
  if (std::this_thread::get_id() == owner_) flush();
}

void ReadyGradients::flush() {
  if (std::this_thread::get_id() != owner_) throw Error("only the thread that joined the run may do this");
  while (microBatch_ < microBatches_ && isComplete(layers_[next_])) {
    handOverLayer(layers_[next_]);
    if (++next_ < layers_.size()) continue;
    next_ = 0;
    const std::lock_guard<std::mutex> lock(mutex_);
    ++microBatch_;
  }
}

bool ReadyGradients::isComplete(int layer) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::ranges::none_of(open_[static_cast<std::size_t>(microBatch_)],
                              [&](int tensor) { return at(tensor).spec.layer == layer; });
}

void ReadyGradients::handOverLayer(int layer) {
  const FlushDenormals flush;
  const bool isLast = microBatch_ + 1 == microBatches_;
  if (!keepsWhole_ || isLast) gradients_.put(layer);
  GradientHandover handover(target_, {microBatch_, isLast, isLast || !keepsWhole_});
  handover.afterBackward(layer);
}

void ReadyGradients::requireAll() {
  flush();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (int i = 0; i < microBatches_; ++i) {
    const auto& missing = open_[static_cast<std::size_t>(i)];
    if (missing.empty()) continue;
    throw Error(
        fmt::format("the step ends, and in micro-batch {} of {} these gradients were never ready: {}; say ready "
                    "of each tensor, also of one that has no part in the loss",
                    i, microBatches_, names(missing)));
  }
}

std::string ReadyGradients::names(const std::set<int>& tensors) const {
  std::string text;
  std::size_t count = 0;
  for (const int tensor : tensors) {
    if (count++ == namesInText) break;
    text += (text.empty() ? "" : ", ") + at(tensor).spec.name;
  }
  if (tensors.size() > namesInText) text += fmt::format(" and {} more", tensors.size() - namesInText);
  return text;
}

}  // namespace slipstream
