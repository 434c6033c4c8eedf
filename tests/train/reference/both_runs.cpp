// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/both_runs.h"

#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/nn/network.h"
#include "engine/plan/plan_file.h"
#include "engine/train/training_data.h"
#include "tests/support/text_files.h"
#include "tests/train/support/interplay_pairs.h"
#include "tests/train/support/thread_run.h"

namespace slipstream::reference {
namespace {

using nlohmann::json;

const char* const tableOfThree = R"({"version": "1.0", "server_count": "2", "status": "completed", "server_list": [
  {"server_id": "10.0.0.1", "device": [{"device_id": "0", "device_ip": "10.1.0.1", "rank_id": "0"},
                                       {"device_id": "1", "device_ip": "10.1.0.2", "rank_id": "1"}]},
  {"server_id": "10.0.0.2", "device": [{"device_id": "0", "device_ip": "10.1.0.3", "rank_id": "2"}]}]})";

/// Inputs as the data set's default normalisation makes them: (x/255 - 0.1307) / 0.3081.
Data dataOf(const Experiment& experiment) {
  const auto loaded = loadTrainingData(experiment);
  if (!loaded) throw std::runtime_error(toText(loaded.error()));
  const auto& images = std::get<Images>(loaded->training);
  Data data{static_cast<std::size_t>(images.shape.elements()), {}, {images.labels.begin(), images.labels.end()}};
  for (const std::uint8_t pixel : images.pixels) data.inputs.push_back((pixel / 255.0 - 0.1307) / 0.3081);
  return data;
}

/// The product's starting weights, in the reference's order.
Tensors startOf(const Network& network, const Experiment& experiment) {
  const ParameterLayout layout(*networkShape(experiment.network, {28, 28, 1}));
  std::vector<float> values(static_cast<std::size_t>(layout.size()));
  initialWeights(layout, {0, layout.size()}, experiment.seed, values);
  std::map<std::string, Range> ranges;
  for (const FlatTensor& tensor : layout.tensors()) ranges[tensor.spec.name] = tensor.range;
  Tensors start = network.tensors();
  if (start.size() != ranges.size()) throw std::runtime_error("the reference has another number of tensors");
  for (Tensor& tensor : start) {
    const Range range = ranges.at(tensor.name);
    if (range.size() != std::ssize(tensor.values)) throw std::runtime_error(tensor.name + " has another size");
    tensor.values.assign(values.begin() + range.begin, values.begin() + range.end);
  }
  return start;
}

/// `like`'s tensors as a checkpoint has them: its names begin with `prefix`, and `shard` is their rank.
Tensors fromCheckpoint(test::MemoryStore& store, std::int64_t step, const Tensors& like, const std::string& prefix) {
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : store.checkpoints.at(step).tensors) {
    if (tensor.shard <= 0) hashes.emplace(tensor.name, tensor.hash);
  }
  Tensors found = like;
  for (Tensor& tensor : found) {
    const auto& values = store.tensors.at(hashes.at(prefix + tensor.name));
    tensor.values.assign(values.begin(), values.end());
  }
  return found;
}

double norm(const Tensors& tensors) {
  return std::sqrt(dot(tensors, tensors));
}

Tensors difference(Tensors a, const Tensors& b) {
  add(a, -1, b);
  return a;
}

/// The weights, each moved by what float32 may round it by.
Tensors rounded(Tensors weights) {
  constexpr double rounding = 6e-8;
  bool up = true;
  for (Tensor& tensor : weights) {
    for (double& value : tensor.values) value *= (up = !up) ? 1 + rounding : 1 - rounding;
  }
  return weights;
}

/// dim_reduce trains plainly before, and looks back at the weights of then.
Outcome referenceRun(const Case& both, const RunPlan& plan, const Network& network, const Tensors& weights) {
  const std::vector<StagePlan> stages = stagesOf(plan);
  const Data data = dataOf(plan.experiment);
  State start{weights, {}};
  const bool looksBack = both.settings.update == Update::subspace && both.projection.rows() == 0;
  if (!looksBack) return train(network, both.settings, data, std::move(start), both.projection);
  Settings before = both.settings;
  before.update = Update::averaged;
  Outcome first = train(network, before, data, std::move(start));
  std::vector<Tensors> snapshots;
  for (const std::int64_t step : stages.front().snapshotSteps) {
    snapshots.push_back(first.weightsByStep.at(static_cast<std::size_t>(step - 1)));
  }
  Settings after = both.settings;
  after.sumsRanks = false;
  Outcome second = train(network, after, data, first.state, principalComponents(snapshots, after.subspace.components));
  second.losses.insert(second.losses.begin(), first.losses.begin(), first.losses.end());
  second.margin.note(first.margin.smallest());
  return second;
}

/// The largest relative difference of a step's loss.
double lossDistance(const std::vector<double>& losses, const std::vector<double>& wanted) {
  if (losses.size() != wanted.size()) throw std::runtime_error("another number of steps was recorded");
  double largest = 0;
  for (std::size_t step = 0; step < losses.size(); ++step) {
    largest = std::max(largest, std::abs(losses[step] - wanted[step]) / wanted[step]);
  }
  return largest;
}

/// Trains the product, and compares.
Distance distanceBetween(const Case& both, const RunPlan& plan, const Tensors& start, const Outcome& reference) {
  test::MemoryStore store;
  store.withholdsMemory = both.byMessages;
  test::trainRanks(store, plan);
  const Tensors& weights = reference.state.weights;
  const Tensors& statistics = reference.state.statistics.front();
  const double apart = norm(difference(fromCheckpoint(store, plan.totalSteps, weights, ""), weights));
  const Tensors ownStatistics = fromCheckpoint(store, plan.totalSteps, statistics, "state/");
  return {apart / norm(weights), apart / norm(difference(weights, start)),
          lossDistance(store.meanOf("loss"), reference.losses),
          norm(difference(ownStatistics, statistics)) / norm(statistics)};
}

/// Whether another rounding leads to the same end: no decision of the training (a ReLU, a trial of a line search) is so
/// near that it turns, and rounding does not grow on the way, as it may where dim_reduce leaps along a curved loss.
bool isComparable(const Outcome& reference, const Outcome& fromRounded) {
  constexpr double nearest = 2e-6;
  constexpr double growth = 1e-7;
  const Tensors& weights = reference.state.weights;
  return reference.margin.smallest() > nearest &&
         norm(difference(fromRounded.state.weights, weights)) < growth * norm(weights);
}

/// In numpy's format: rows of doubles. Convolutions are turned into MindSpore's order, inputs before height and width.
void writeMatrix(const std::filesystem::path& path, const Eigen::MatrixXd& rows, const Network& network) {
  std::ofstream file(path, std::ios::binary);
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows.rows(), rows.cols());
  header.resize(118 - 1, ' ');  // with the ten bytes before it a multiple of 64
  header += '\n';
  file << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    Eigen::Index first = 0;
    for (const Tensor& tensor : network.tensors()) {
      for (const std::size_t at : channelsFirst(tensor)) {
        const double value = rows(row, first + static_cast<Eigen::Index>(at));
        file.write(reinterpret_cast<const char*>(&value), sizeof(value));
      }
      first += std::ssize(tensor.values);
    }
  }
}

json experimentOf(const Case& both, const Network& network, const test::TextFiles& files) {
  json experiment = both.experiment;
  experiment["seed"] = both.seed;
  if (both.projection.rows() == 0) return test::inStages(experiment, {{"first_fraction", 0}, {"keep", 4}});
  const auto path = files.path() / "matrix.npy";
  writeMatrix(path, both.projection, network);
  experiment["boost"]["dictionary"]["dim_reduce"]["pca_mat_path"] = path.string();
  return experiment;
}

RunPlan planOf(const Case& both, const Network& network, const test::TextFiles& files) {
  ExperimentOverrides overrides;
  if (both.unevenServers) {
    overrides.rankTable = files.write("ranks.json", tableOfThree).string();
    overrides.local = true;
  }
  const auto file = files.write("case.json", experimentOf(both, network, files).dump());
  const auto planned = planFile(file, overrides, test::environmentOf());
  if (!planned) throw std::runtime_error(toText(planned.error()));
  RunPlan plan = planned->plans.front();
  if (both.overflowingScale == 0) return plan;
  plan.experiment.lossScale.scale = both.overflowingScale;
  for (StagePlan& stage : plan.stages) stage.experiment.lossScale.scale = both.overflowingScale;
  return plan;
}

}  // namespace

Tensors trainedWeights(const Case& both) {
  const Network network = networkOf(both);
  const test::TextFiles files;
  const RunPlan plan = planOf(both, network, files);
  test::MemoryStore store;
  test::trainRanks(store, plan);
  return fromCheckpoint(store, plan.totalSteps, network.tensors(), "");
}

double relativeDistance(const Tensors& a, const Tensors& b) {
  return norm(difference(a, b)) / norm(b);
}

Distance distanceOf(Case both) {
  constexpr std::uint64_t seeds = 50;
  const Network network = networkOf(both);
  for (both.seed = 1; both.seed <= seeds; ++both.seed) {
    const test::TextFiles files;
    const RunPlan plan = planOf(both, network, files);
    const Tensors start = startOf(network, stagesOf(plan).front().experiment);
    const Outcome reference = referenceRun(both, plan, network, start);
    const Outcome fromRounded = referenceRun(both, plan, network, rounded(start));
    if (isComparable(reference, fromRounded)) return distanceBetween(both, plan, start, reference);
  }
  throw std::runtime_error("at every seed rounding decides the course of the training");
}

}  // namespace slipstream::reference
