// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/boost_options.h"

#include <algorithm>

namespace slipstream {
namespace {

using Config = BoostConfig;

const Words<AdasumMode> adasumModes{{"deltas", AdasumMode::deltas}, {"gradients", AdasumMode::gradients}};
const Words<AdasumScope> adasumScopes{
    {"auto", AdasumScope::automatic}, {"flat", AdasumScope::flat}, {"servers", AdasumScope::servers}};
const Words<AdasumExchange> adasumExchanges{{"auto", AdasumExchange::automatic},
                                            {"window", AdasumExchange::window},
                                            {"halving", AdasumExchange::halving},
                                            {"gram", AdasumExchange::gram}};
const Words<DimReduceMethod> dimReduceMethods{{"bfgs", DimReduceMethod::bfgs}, {"sgd", DimReduceMethod::sgd}};

constexpr KnobChoice boostMode{[](Fields& fields, const char* key, Config& config) {
  fields.text(key, config.mode, {"auto", "manual", "enable_all", "disable_all"});
}};
constexpr KnobChoice adasumMode{[](Fields& fields, const char* key, Config& config) {
  choice(fields, key, config.adasumOptions.mode, adasumModes);
}};
constexpr KnobChoice adasumScope{[](Fields& fields, const char* key, Config& config) {
  choice(fields, key, config.adasumOptions.scope, adasumScopes);
}};
constexpr KnobChoice adasumExchange{[](Fields& fields, const char* key, Config& config) {
  choice(fields, key, config.adasumOptions.exchange, adasumExchanges);
}};
constexpr KnobChoice dimReduceMethod{[](Fields& fields, const char* key, Config& config) {
  choice(fields, key, config.dimReduceMethod, dimReduceMethods);
}};

}  // namespace

bool BoostConfig::isDemanded(const std::string& algorithm) const {
  return mode == "manual" && written.contains("boost." + algorithm);
}

bool BoostConfig::readsStageSnapshots() const {
  return dimReduce && weightLoadDir.empty() && pcaMatrix != MatrixUse::read;
}

const std::vector<BoostAlgorithm>& boostAlgorithms() {
  // key, switch, on at O1, on at O2
  static const std::vector<BoostAlgorithm> algorithms{
      {"less_bn", &Config::lessBn, true, true, "fewer batch norms and a normalised last layer"},
      {"grad_freeze", &Config::gradFreeze, true, true, "trains only the last layers on a share of the steps"},
      {"adasum", &Config::adasum, false, true, "adds what ranks disagree on and averages what they share"},
      {"grad_accumulation", &Config::gradAccumulation, false, false, "several batches for one update"},
      {"dim_reduce", &Config::dimReduce, false, false, "quasi-Newton steps in the space of past weights"},
      {"loss_scale_group", &Config::lossScaleGroup, false, false, "one loss scale a parameter group"},
  };
  return algorithms;
}

const std::vector<BoostKnob>& boostKnobs() {
  static const std::vector<BoostKnob> knobs{
      {"boost", "mode", {}, boostMode, {}, "auto: as the level says; manual: the switches below; or all on, all off"},
      {"boost", "less_bn", {}, &Config::lessBn, {}, "switch of less_bn; read in mode manual"},
      {"boost", "grad_freeze", {}, &Config::gradFreeze, {}, "switch of grad_freeze; read in mode manual"},
      {"boost", "adasum", {}, &Config::adasum, {}, "switch of adasum; read in mode manual"},
      {"boost", "grad_accumulation", {}, &Config::gradAccumulation, {}, "switch of grad_accumulation; mode manual"},
      {"boost", "dim_reduce", {}, &Config::dimReduce, {}, "switch of dim_reduce; read in mode manual"},
      {"boost", "loss_scale_group", {}, &Config::lossScaleGroup, {}, "switch of loss_scale_group; mode manual"},

      {"common",
       "gradient_split_groups",
       {},
       &Config::gradientSplitGroups,
       atLeast(1),
       "first tensor of each further group of gradients that are sent together"},
      {"common",
       "device_number",
       {"device_num"},
       &Config::deviceNumber,
       atLeast(1),
       "ranks a server; default: the rank table's, else all ranks are one server"},

      {"less_bn", "fn_flag", {}, &Config::fnFlag, {}, "replace the last dense layer by a normalised one"},
      {"less_bn", "gc_flag", {}, &Config::gcFlag, {}, "centralise gradients"},

      {"grad_freeze", "param_groups", {}, &Config::paramGroups, atLeast(1), "nested groups of layers"},
      {"grad_freeze", "freeze_type", {}, &Config::freezeType, between(0, 1), "0: continuous, 1: interval schedule"},
      {"grad_freeze", "freeze_p", {}, &Config::freezeP, strictlyBetween(0, 1), "share of steps that train everything"},
      {"grad_freeze", "total_steps", {}, &Config::totalSteps, between(1, 1e9), "length of the schedule in steps"},

      {"grad_accumulation",
       "grad_accumulation_step",
       {},
       &Config::gradAccumulationStep,
       atLeast(1),
       "batches an update"},

      {"dim_reduce", "rho", {}, &Config::rho, strictlyBetween(0, 1), "factor of the line search"},
      {"dim_reduce",
       "gamma",
       {},
       &Config::gamma,
       {.least = 0, .most = 1, .openAbove = true},
       "momentum of the residual"},
      {"dim_reduce", "alpha", {}, &Config::alpha, atLeast(0), "weight of the residual step"},
      {"dim_reduce", "sigma", {}, &Config::sigma, strictlyBetween(0, 1), "share of the promised decrease to accept"},
      {"dim_reduce", "n_components", {"n_component"}, &Config::nComponents, atLeast(1), "dimensions that are kept"},
      {"dim_reduce", "pca_mat_path", {}, &Config::pcaMatPath, {}, "a ready projection (.npy); else it is computed"},
      {"dim_reduce", "weight_load_dir", {}, &Config::weightLoadDir, {}, "folder of the past weights"},
      {"dim_reduce", "timeout", {}, &Config::timeout, above(0), "seconds that making the projection may take"},
      {"dim_reduce", "max_search", {}, &Config::maxSearch, between(1, 100), "tries of a line search"},
      {"dim_reduce",
       "method",
       {},
       dimReduceMethod,
       {},
       "bfgs: quasi-Newton steps with a line search; sgd: momentum in the space, rate by the optimizer's schedule"},
      {"dim_reduce",
       "weight_decay",
       {},
       &Config::dimReduceWeightDecay,
       {.least = 0, .most = 1, .openAbove = true},
       "share of every weight that a step takes away, times the learning rate"},

      {"adasum", "mode", {}, adasumMode, {}, "deltas: after a local optimizer step; gradients: before a common one"},
      {"adasum", "scope", {}, adasumScope, {}, "flat: over all ranks; servers: mean inside a server, Adasum between"},
      {"adasum", "exchange", {}, adasumExchange, {}, "how tensors travel; the result is the same"},
  };
  return knobs;
}

namespace {

/// How a knob's home is visited, by the type of its value.
class KnobVisit {
 public:
  KnobVisit(Fields& fields, const BoostKnob& knob, BoostConfig& config)
      : fields_(fields), knob_(knob), key_(knob.key.c_str()), config_(config) {}

  void operator()(bool Config::*home) const { fields_.flag(key_, config_.*home); }
  void operator()(std::string Config::*home) const { fields_.text(key_, config_.*home, {}); }
  void operator()(std::vector<int> Config::*home) const { fields_.integers(key_, config_.*home, knob_.limits); }
  void operator()(int Config::*home) const {
    if (written(config_.*home)) fields_.integer(key_, config_.*home, knob_.limits);
  }
  void operator()(std::int64_t Config::*home) const { fields_.integer(key_, config_.*home, knob_.limits); }
  void operator()(double Config::*home) const { fields_.number(key_, config_.*home, knob_.limits); }
  void operator()(const KnobChoice& choice) const { choice.describe(fields_, key_, config_); }

 private:
  /// A default outside the limits means "not given": device_number 0.
  bool written(int value) const { return fields_.wants(key_, knob_.limits.allow(value)); }

  Fields& fields_;
  const BoostKnob& knob_;
  const char* key_;
  BoostConfig& config_;
};

}  // namespace

Decision noEffect(std::string subject, std::string state, const std::string& why) {
  return {std::move(subject), std::move(state), "no effect: " + why, "remove it where that is meant"};
}

void describeDecision(Fields& fields, Decision& decision) {
  fields.text("subject", decision.subject, {});
  fields.text("state", decision.state, {});
  fields.text("why", decision.why, {});
  if (fields.wants("remedy", !decision.remedy.empty())) fields.text("remedy", decision.remedy, {});
}

void describeBoostSection(Fields& fields, const std::string& section, BoostConfig& config) {
  for (const BoostKnob& knob : boostKnobs()) {
    if (knob.section == section) std::visit(KnobVisit(fields, knob, config), knob.home);
  }
}

std::vector<std::string> boostSections() {
  std::vector<std::string> sections;
  for (const BoostKnob& knob : boostKnobs()) {
    if (std::find(sections.begin(), sections.end(), knob.section) == sections.end()) sections.push_back(knob.section);
  }
  return sections;
}

}  // namespace slipstream
