// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/file_state.h"
#include "engine/base/text.h"
#include "engine/interchange/element_values.h"
#include "engine/interchange/tensor_file.h"
#include "engine/plan/planned_files.h"
#include "engine/plan/resolve.h"
#include "engine/probe/weight_files.h"
#include "engine/spec/network_conventions.h"

namespace slipstream {
namespace {

/// What reading a file to its end tells.
struct Seen {
  std::string hash;
  std::vector<std::string> notFinite;  ///< tensors that hold NaN or an infinite value
};

Result<Seen> readThrough(const std::string& path) {
  SLIPSTREAM_TRY(file, TensorFile::open(path));
  SLIPSTREAM_CHECK(file->requireCrc());
  SLIPSTREAM_TRY(hash, file->sha256());
  SLIPSTREAM_TRY(notFinite, tensorsNotFinite(*file));
  return Seen{std::move(hash), std::move(notFinite)};
}

/// Of a file that was not touched since, it is remembered: a window plans again at every change.
Result<Seen> inspect(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::pair<FileState, Seen>> known;
  const FileState state = FileState::of(path);
  const std::lock_guard lock(mutex);
  const auto found = known.find(path);
  if (found != known.end() && found->second.first == state) return found->second.second;
  SLIPSTREAM_TRY(seen, readThrough(path));
  if (state.isSettled()) known[path] = {state, seen};
  return seen;
}

/// Weights that are no numbers make every loss that they take part in none; what is not taken does no harm.
Status checkFinite(const WeightMatch& match, const Seen& seen, const std::string& file) {
  for (const std::string& name : match.taken()) {
    if (std::ranges::find(seen.notFinite, name) == seen.notFinite.end()) continue;
    return fail("network.pre_trained", file, fmt::format("holds NaN or an infinite value in {}", printable(name)),
                "name a file of a training that did not diverge, or an earlier checkpoint of this one");
  }
  return {};
}

}  // namespace

Result<WeightMatch> matchPreTrained(const PreTrainedSpec& spec, const NetworkSpec& network, const NetworkShape& shape) {
  SLIPSTREAM_TRY(file, TensorFile::open(spec.file));
  WeightMatch match(std::move(file), expectedTensors(network, shape));
  const WeightReport& report = match.report();
  if (report.weights == 0) {
    return fail("network.pre_trained", spec.file, "holds no weight of this network by name",
                "name a file of this network: `slipstream checkpoint inspect FILE` lists what it holds");
  }
  if (report.complete() || spec.missing == MissingWeights::initialize) return match;
  return tl::unexpected(
      report.failures("name a file of this network in network.pre_trained, or have the rest initialized: "
                      "network.pre_trained = {\"file\": "
                      "..., \"missing\": \"initialize\"}"));
}

std::optional<Decision> conventionsWarning(const WeightReport& weights, const NetworkSpec& network,
                                           const NetworkShape& shape) {
  const auto own = wordOf(conventionWords, network.conventions);
  const auto line = [&](Text why, std::string remedy) {
    return warning(adjusted("network.conventions", own, Reason::network, std::move(why)), std::move(remedy));
  };
  if (weights.conventions == wordOf(conventionWords, Conventions::torchvision)) {
    const Text difference = differenceFromTorchvision(network, shape);
    if (difference.empty()) return std::nullopt;
    return line(phrase("the weights are torchvision's, or of a network that follows it, and this one is another: {}",
                       {difference}),
                isOfTorchvision(network) ? "write network.conventions = torchvision"
                                         : "write padding in place of pad_mode same, and that epsilon, in each layer");
  }
  const bool otherwise = weights.conventions == wordOf(conventionWords, Conventions::mindspore) &&
                         network.conventions == Conventions::torchvision;
  if (!otherwise) return std::nullopt;
  return line(phrase("the weights are of a network that pads its images as MindSpore does"),
              "remove network.conventions where they are not to be trained further");
}

Status resolvePreTrained(RunPlan& plan, const NetworkShape& shape) {
  const PreTrainedSpec& spec = plan.experiment.preTrained;
  if (spec.file.empty()) return {};
  SLIPSTREAM_TRY(match, matchPreTrained(spec, plan.experiment.network, shape));
  SLIPSTREAM_TRY(seen, inspect(spec.file));
  SLIPSTREAM_CHECK(checkFinite(match, seen, spec.file));
  decide(plan, adjusted("network.pre_trained", "read", Reason::written, join(match.report().lines(), "; ")));
  if (auto otherwise = conventionsWarning(match.report(), plan.experiment.network, shape)) {
    decide(plan, std::move(*otherwise));
  }
  plan.preTrainedHash = seen.hash;
  return {};
}

Status checkPreTrained(const RunPlan& plan) {
  if (plan.preTrainedHash.empty()) return {};
  const std::string& file = plan.experiment.preTrained.file;
  SLIPSTREAM_TRY(seen, inspect(file));
  if (seen.hash == plan.preTrainedHash) return {};
  return fail("network.pre_trained", file,
              fmt::format("has been changed since the run was planned: its SHA-256 was {}, now it is {}",
                          plan.preTrainedHash, seen.hash),
              "put the file back, start a new run from the new one, or accept it with --allow-different-bits");
}

}  // namespace slipstream
