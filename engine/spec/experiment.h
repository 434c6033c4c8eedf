// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/number_type.h"
#include "engine/spec/boost_options.h"
#include "engine/spec/device_kind.h"
#include "engine/spec/network_spec.h"
#include "engine/spec/optimizer_spec.h"

namespace slipstream {

/// The values of one experiment, validated and with every default filled in: what a worker obeys.
/// Files are read by experiment_file.h; this header is only the meaning.

enum class DataPart { training, evaluation };

/// What becomes of an image file that cannot be decoded: it ends the run, or the next one of the list stands in.
enum class BrokenImages { fail, skip };

/// What the files of arrays, csv and text say of their samples, found while the experiment is read.
struct OwnSamples {
  SampleShape shape{28, 28, 1};
  bool floats = false;  ///< numbers as they come, not bytes of images
  bool operator==(const OwnSamples&) const = default;
};

struct DatasetSpec {
  std::string name = "mnist";   ///< of a DatasetKind (engine/probe/dataset_kind.h)
  std::string path;             ///< folder of the files; empty for generated data
  std::int64_t batchSize = 32;  ///< samples a rank and step, or micro-step of grad_accumulation
  bool shard = true;            ///< false: every rank reads the whole set, shuffled in an order of its own
  bool shuffle = true;
  bool dropRemainder = true;
  std::int64_t trainSamples = 60000;  ///< digits: how many to generate; else: at most this many (0 = all)
  std::int64_t evaluationSamples = 10000;
  /// Inputs are (x/255 - mean) / deviation, or (x - mean) / deviation of floats; one value, or one a channel. Empty
  /// before a plan has measured them.
  std::vector<double> mean{0.1307};
  std::vector<double> deviation{0.3081};
  std::int64_t classes = 10;         ///< as the data has them; 0: it could not be looked at
  std::int64_t imageSize = 224;      ///< image_folder: height and width that images are brought to
  bool augment = true;               ///< cifar10, image_folder: training images are cropped and flipped at random
  int decodeThreads = 0;             ///< that prepare samples beside the training itself
  std::int64_t prefetchBatches = 0;  ///< that are prepared ahead of the one in use
  BrokenImages onBroken = BrokenImages::fail;  ///< image_folder
  double evaluationFraction = 0.1;             ///< of the samples, where the data has no part of its own for that
  std::uint64_t splitSeed = 1;                 ///< that draws them
  bool channelsFirst = false;                  ///< arrays: images are [channels, height, width]
  std::string labelColumn = "label";           ///< csv
  std::int64_t window = 64;                    ///< text: bytes of a sample
  OwnSamples own = {};
};

/// Samples that all of `ranks` together draw from the set in one batch each.
std::int64_t samplesPerBatch(const DatasetSpec& dataset, int ranks);
/// Steps in an epoch of `samples`, of `batchesPerStep` batches a rank; a last step of fewer batches counts, a last
/// batch of fewer samples unless the data set drops the remainder.
std::int64_t stepsPerEpoch(const DatasetSpec& dataset, std::int64_t samples, int ranks, int batchesPerStep = 1);

enum class LossKind { crossEntropy, crossEntropySmooth };

struct LossSpec {
  LossKind kind = LossKind::crossEntropy;
  double smoothFactor = 0.0;  ///< on = 1 - s, off = s / (classes - 1)
  bool sparse = true;         ///< targets are class numbers; false: targets are distributions (one-hot here)
};

enum class LossScaleKind { none, fixed, dynamic, group };

/// What backward multiplies the loss by, so that small gradients survive a narrow format.
struct LossScaleSpec {
  LossScaleKind kind = LossScaleKind::none;
  double scale = 0.0;              ///< the first one; at least 1 where there is a kind
  double factor = 2.0;             ///< dynamic: what it shrinks by after an overflow, and grows by after a clean window
  std::int64_t window = 2000;      ///< dynamic: steps without an overflow
  bool dropOverflowUpdate = true;  ///< fixed: false never looks for overflows
};

/// The scale that a kind starts from where none is written.
double firstScale(LossScaleKind kind);

/// What ranks keep only a shard of: nothing; optimizer state; gradients too; weights too.
enum class ShardingLevel { off, level1, level2, level3 };

/// parallel.optimizer_parallel (MindSpore's hsdp): how tensors are cut is in sharding.h.
struct OptimizerParallelSpec {
  ShardingLevel level = ShardingLevel::off;
  int shardSize = -1;                    ///< ranks that share one copy of the state; -1: all (a plan has the number)
  std::int64_t thresholdKilobytes = 64;  ///< smaller tensors stay whole on every rank
};

/// How ranks sum gradients. `automatic`: in memory that all of them see where they are on one machine, else by
/// messages; a plan for several hosts makes it `hosts`.
enum class GradientExchange { automatic, hosts, messages };

struct ParallelSpec {
  int ranks = 1;
  std::string rankTablePath;         ///< empty: `ranks` local ranks, or those of `hosts`
  std::string hosts;                 ///< "a:4,b:4": servers and their ranks, in place of a rank table's file
  bool gradientsMean = true;         ///< false: summed over ranks
  std::vector<int> allReduceFusion;  ///< all_reduce_fusion_config: inclusive last index of each bucket, forward order
  std::map<std::string, std::int64_t> commFusion;  ///< comm_fusion: ids of layers, and of all below a name
  std::int64_t bucketBytes = std::int64_t{4} << 20;
  bool overlap = true;  ///< start a bucket's reduction during backward
  GradientExchange exchange = GradientExchange::automatic;
  OptimizerParallelSpec optimizerParallel;

  /// Whether a rank table, of a file or of `hosts`, says where ranks are.
  bool onNamedHosts() const { return !rankTablePath.empty() || !hosts.empty(); }
};

struct CheckpointSpec {
  std::int64_t everySteps = 0;  ///< save_checkpoint_steps; 0: not by steps
  double everySeconds = 0;      ///< save_checkpoint_seconds; steps win where both are set
  std::int64_t keep = 5;        ///< keep_checkpoint_max
  bool weightsOnly = false;
  bool atEnd = true;
};

enum class MicroReduction { mean, sum };

/// Weights that a stage keeps on its way for a later one.
struct SnapshotSpec {
  double firstEpoch = 0;      ///< epochs of the stage before the first interval begins
  std::int64_t perEpoch = 1;  ///< evenly spread; each at the end of its interval
  std::int64_t keep = 40;     ///< the newest so many
  /// Instead of both epochs: `keep` snapshots spread evenly over what follows this share of the stage's steps.
  std::optional<double> firstFraction = {};
};

/// What becomes of a run that loses a process or a host: it ends as failed; it starts again from its last checkpoint
/// once all hosts answer; or it does so with the ranks of the hosts that are left.
enum class OnLost { stop, restart, shrink };

struct TrainSpec {
  std::optional<double> epochs = 1;  ///< exactly one of epochs and steps is set
  std::optional<std::int64_t> steps;
  std::int64_t microSize = 1;                            ///< micro-batches that a batch passes through the network in
  MicroReduction microReduction = MicroReduction::mean;  ///< sum: loss and gradient as GradAccumulationCell's
  std::int64_t evaluateEverySteps = 0;                   ///< 0: once an epoch and at the end
  std::int64_t logEverySteps = 100;                      ///< printed loss lines (LossMonitor)
  std::optional<double> targetAccuracy;
  /// After the updates one more step that updates nothing: forward passes over one epoch of the training set, of which
  /// batch norms keep the plain mean of the batches' statistics.
  bool refreshStatistics = false;
  std::optional<SnapshotSpec> snapshots;
  /// Share of the exponential weight average that each update keeps; evaluations then judge the average.
  std::optional<double> averageDecay;
  bool stopOnInvalidLoss = true;  ///< a NaN or infinite loss ends the run as failed
  OnLost onLost = OnLost::stop;
  int minRanks = 1;           ///< shrink: with fewer the run ends as failed
  double waitForHosts = 120;  ///< restart, shrink: seconds that hosts which do not answer are waited for
  CheckpointSpec checkpoint;
};

/// What becomes of tensors that a file of weights lacks, or has in another shape.
enum class MissingWeights { fail, initialize };

/// network.pre_trained: a .ckpt or .safetensors file whose weights a run starts from, taken by name.
struct PreTrainedSpec {
  std::string file;  ///< empty: all weights are initialized
  MissingWeights missing = MissingWeights::fail;
};

struct Experiment {
  std::string name;
  std::string variant;  ///< empty where the file has no variants
  std::uint64_t seed = 1;
  NetworkSpec network;
  PreTrainedSpec preTrained;
  DatasetSpec dataset;
  LossSpec loss;
  OptimizerSpec optimizer;
  LossScaleSpec lossScale;
  ParallelSpec parallel;
  BoostConfig boost;
  TrainSpec train;
  std::string device = "cpu";   ///< of deviceNames()
  std::string ampLevel = "O0";  ///< never "auto" in a plan
  bool keepBatchNormFp32 = true;
};

/// What the ranks compute on; the CPU where the experiment names no device.
const DeviceKind& deviceKindOf(const Experiment& experiment);
/// What the optimizer itself divides gradients by: 1 where precision.loss_scale has a kind, whose pass divides by its
/// own scale before anything else sees a gradient; else optimizer.loss_scale.
double optimizerDivisor(const Experiment& experiment);
/// Whether a step whose gradient overflows changes nothing.
bool dropsOverflows(const LossScaleSpec& spec);
/// How images are stored between layers at the amp levels O2 and O3: in bf16; in fp16 on devices that do so, where a
/// loss scale keeps small gradients from being lost in it, and drops steps in which large ones are.
NumberType imageType(const Experiment& experiment);
/// The most samples that pass through the network at once on a rank.
std::int64_t samplesPerPass(const Experiment& experiment);

}  // namespace slipstream
