// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slipstream {

/// get_lr's schedules (MindSpore model zoo, lr_generator.get_lr), and a constant.
enum class ScheduleMode { constant, linear, poly, cosine, steps, step, warmupCosine };

struct ScheduleSpec {
  ScheduleMode mode = ScheduleMode::constant;
  double initial = 0.0;       ///< lr_init
  double end = 0.0;           ///< lr_end
  double maximum = 0.01;      ///< lr_max; the constant itself
  double warmupEpochs = 0.0;  ///< may be a fraction of an epoch
  /// Shares, which makeRunPlan turns into warmupEpochs and totalEpochs, so that a planned experiment has 0 here:
  double warmupFraction = 0.0;  ///< of the schedule's steps
  double coveredFraction =
      0.0;                   ///< of the schedule, that the training covers; what is left is for stages that continue
  double totalEpochs = 0.0;  ///< 0: the length of the training
  std::int64_t startEpoch = 0;
};

struct ParameterGroupSpec {
  std::vector<std::string> match = {};  ///< patterns over tensor names; the first group that matches owns the tensor
  std::optional<double> weightDecay = {};
  std::optional<ScheduleSpec> schedule = {};
  std::optional<bool> gradCentralization = {};
};

enum class OptimizerKind { sgd, momentum, adam, adamw, lamb, lars, lion };

/// How tensors of two dimensions and more are stepped by their own norms, |w| and |g| or that of the direction.
enum class TrustRatio { none, ofGradient, ofDirection };

/// What an optimizer is: its keys with their defaults (a key that it has not is empty), and what it keeps.
struct OptimizerInfo {
  OptimizerKind kind;
  const char* name;                     ///< in files
  const char* title;                    ///< what a person calls it; the same in every language
  std::array<const char*, 2> states{};  ///< vectors that it keeps, each as long as the weights; null: no further one
  std::optional<double> momentum = {};
  std::optional<double> beta1 = {};
  std::optional<double> beta2 = {};
  std::optional<double> epsilon = {};
  std::optional<double> trustCoefficient = {};
  bool decaysSeparately = false;  ///< weight decay is no part of the gradient
  bool correctsBias = false;      ///< counts a tensor's updates: its first moments are short of what they estimate
  TrustRatio trust = TrustRatio::none;
};

/// All optimizers, in the order of lists. What one computes is in engine/nn/step_arithmetic.h and optimizer_rules.cpp.
inline constexpr std::array optimizerInfos{
    OptimizerInfo{.kind = OptimizerKind::sgd, .name = "sgd", .title = "SGD", .states = {"momentum"}, .momentum = 0.0},
    OptimizerInfo{.kind = OptimizerKind::momentum,
                  .name = "momentum",
                  .title = "momentum",
                  .states = {"momentum"},
                  .momentum = 0.9},
    OptimizerInfo{.kind = OptimizerKind::adam,
                  .name = "adam",
                  .title = "Adam",
                  .states = {"first_moment", "second_moment"},
                  .beta1 = 0.9,
                  .beta2 = 0.999,
                  .epsilon = 1e-8,
                  .correctsBias = true},
    OptimizerInfo{.kind = OptimizerKind::adamw,
                  .name = "adamw",
                  .title = "AdamW",
                  .states = {"first_moment", "second_moment"},
                  .beta1 = 0.9,
                  .beta2 = 0.999,
                  .epsilon = 1e-8,
                  .decaysSeparately = true,
                  .correctsBias = true},
    OptimizerInfo{.kind = OptimizerKind::lamb,
                  .name = "lamb",
                  .title = "LAMB",
                  .states = {"first_moment", "second_moment"},
                  .beta1 = 0.9,
                  .beta2 = 0.999,
                  .epsilon = 1e-6,
                  .decaysSeparately = true,
                  .correctsBias = true,
                  .trust = TrustRatio::ofDirection},
    OptimizerInfo{.kind = OptimizerKind::lars,
                  .name = "lars",
                  .title = "LARS",
                  .states = {"momentum"},
                  .momentum = 0.9,
                  .trustCoefficient = 0.001,
                  .trust = TrustRatio::ofGradient},
    OptimizerInfo{.kind = OptimizerKind::lion,
                  .name = "lion",
                  .title = "Lion",
                  .states = {"momentum"},
                  .beta1 = 0.9,
                  .beta2 = 0.99,
                  .decaysSeparately = true},
};

constexpr const OptimizerInfo& infoOf(OptimizerKind kind) {
  return optimizerInfos[static_cast<std::size_t>(kind)];
}

struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::momentum;
  ScheduleSpec schedule;
  double momentum = 0.9;
  double dampening = 0.0;  ///< sgd only
  double weightDecay = 0.0;
  bool nesterov = false;
  double beta1 = 0.9;  ///< of the first moment, or of lion's step
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double trustCoefficient = 0.001;
  double clipNorm = 0;     ///< longest gradient that is stepped along; 0: any
  double lossScale = 1.0;  ///< gradients are divided by it, unless a loss scale was divided out before
  bool gradCentralization = false;
  std::vector<ParameterGroupSpec> groups;
  /// Keys that the file has and the kind has not, with what is written there.
  std::vector<std::pair<std::string, double>> strayKeys = {};
};

/// Vectors that the optimizer keeps beside the weights, each as long as they are.
std::vector<std::string> stateNames(const OptimizerSpec& optimizer);

/// The group that owns the tensor: the first that matches, else null.
const ParameterGroupSpec* groupOf(const OptimizerSpec& optimizer, const std::string& tensor);

}  // namespace slipstream
