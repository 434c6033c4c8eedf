// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/pre_trained_start.h"

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/plan/planned_files.h"

namespace slipstream {
namespace {

/// What rank 0 reads, handed to all.
class SharedFile {
 public:
  SharedFile(const RunPlan& plan, const Experiment& experiment, const NetworkShape& shape, Communicator& communicator)
      : communicator_(communicator) {
    if (communicator.rank() != 0) return;
    change_ = checkPreTrained(plan);
    if (!change_ && !plan.allowDifferentBits) throw Error(toText(change_.error()));
    auto match = matchPreTrained(experiment.preTrained, experiment.network, shape);
    if (!match) throw Error(toText(match.error()));
    match_.emplace(std::move(*match));
  }

  /// How the file is another than planned.
  const Status& change() const { return change_; }
  const WeightMatch* match() const { return match_ ? &*match_ : nullptr; }

  /// False, and `values` as they were, where the file has no tensor of the name.
  bool read(const std::string& name, std::span<float> values) {
    unsigned char there = match_ && match_->has(name) ? 1 : 0;
    communicator_.broadcast(std::as_writable_bytes(std::span(&there, 1)), 0);
    if (there == 0) return false;
    if (match_) {
      const Status read = match_->read(name, values);
      if (!read) throw Error(toText(read.error()));
    }
    communicator_.broadcast(std::as_writable_bytes(values), 0);
    return true;
  }

 private:
  Communicator& communicator_;
  Status change_;
  std::optional<WeightMatch> match_;  ///< of rank 0
};

}  // namespace

void takePreTrained(const RunPlan& plan, const Experiment& experiment, const TrainingState& state, Link& link,
                    Communicator& communicator) {
  if (experiment.preTrained.file.empty()) return;
  SharedFile file(plan, experiment, state.network.shape(), communicator);
  std::vector<float> values;
  for (const FlatTensor& tensor : state.network.layout().tensors()) {
    values.resize(static_cast<std::size_t>(tensor.range.size()));
    if (file.read(tensor.spec.name, values)) putTensor(state, tensor.range, values);
  }
  for (const NetworkState& statistic : state.network.states()) {
    values.resize(statistic.values.size());
    if (file.read(statistic.name, values)) statistic.write(values);
  }
  if (file.match() == nullptr) return;
  if (!file.change()) link.event(EventLevel::warning, "pre_trained", trim(toText(file.change().error())));
  link.event(EventLevel::information, "pre_trained", join(file.match()->report().lines(), "; "));
}

}  // namespace slipstream
