// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/program/whole_view.h"
#include "engine/train/step_parts.h"

namespace slipstream {

/// Takes *ready* of a step's tensors, in any order and from any thread, and hands their gradients over layer by layer
/// in layout order, as a backward pass of the engine does: on the thread that made this, which alone may communicate.
class ReadyGradients {
 public:
  /// All live as long; `microBatches` is at least one.
  ReadyGradients(const HandoverTarget& target, WholeView& gradients, int microBatches);

  /// `tensor`: an index in forward order. Throws Error that names the tensor and the remedy where it was said before,
  /// or is not of the micro-batch at hand. Of a frozen layer it is nothing.
  void ready(int tensor, int microBatch);
  /// Hands over what other threads said. On the thread that made this.
  void flush();
  /// Throws Error that names tensors of which *ready* was forgotten.
  void requireAll();

 private:
  const FlatTensor& at(int tensor) const;
  void handOverLayer(int layer);
  bool isComplete(int layer) const;
  std::string names(const std::set<int>& tensors) const;

  HandoverTarget target_;
  WholeView& gradients_;
  int microBatches_;
  bool keepsWhole_;
  const std::thread::id owner_ = std::this_thread::get_id();
  mutable std::mutex mutex_;
  std::vector<int> layers_;          ///< that are trained and have tensors, last first
  std::size_t next_ = 0;             ///< of layers_, to be handed over
  int microBatch_ = 0;               ///< that is being handed over
  std::vector<std::set<int>> open_;  ///< by micro-batch: tensors that are not ready
};

}  // namespace slipstream
