// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/failure.h"
#include "engine/plan/fields.h"

namespace slipstream {

enum class BoostLevel { O0, O1, O2 };
inline const Words<BoostLevel> boostLevels{{"O0", BoostLevel::O0}, {"O1", BoostLevel::O1}, {"O2", BoostLevel::O2}};
enum class AdasumMode { deltas, gradients };
enum class AdasumScope { automatic, flat, servers };
/// How ranks exchange what Adasum combines; the result is the same.
enum class AdasumExchange { automatic, window, halving, gram };

/// How dim_reduce steps in its space: quasi-Newton with a line search, or with momentum along a schedule.
enum class DimReduceMethod { bfgs, sgd };

/// What a run does with the file of dim_reduce.pca_mat_path: nothing; it is there and read; it is made and written.
enum class MatrixUse { none, read, written };

struct AdasumOptions {
  AdasumMode mode = AdasumMode::deltas;
  AdasumScope scope = AdasumScope::automatic;
  AdasumExchange exchange = AdasumExchange::automatic;
};

/// One line of the plan: what an algorithm or setting does in this run, and why.
struct Decision {
  std::string subject;  ///< algorithm or key path
  std::string state;    ///< "on", "off" or a value
  std::string why;
  std::string remedy = {};  ///< what to do where that is not meant; empty where nobody need be told
  bool operator==(const Decision&) const = default;
};

/// The line about a key or an algorithm that was asked for and does not act. `why` is put behind "no effect: ".
Decision noEffect(std::string subject, std::string state, const std::string& why);

/// The boost configuration after level, mode and dictionary are resolved.
/// Names, types and defaults are those of MindSpore's boost library; one page: boost_options.cpp.
struct BoostConfig {
  BoostLevel level = BoostLevel::O0;
  std::string mode = "auto";
  bool lessBn = false;
  bool gradFreeze = false;
  bool adasum = false;
  bool gradAccumulation = false;
  bool dimReduce = false;
  bool lossScaleGroup = false;
  int removedBatchNorms = 0;  ///< by less_bn; known once the network is

  std::vector<int> gradientSplitGroups;
  int deviceNumber = 0;  ///< devices a server; 0: the rank table's, else the whole world
  bool fnFlag = true;
  bool gcFlag = true;
  int paramGroups = 10;
  int freezeType = 1;
  double freezeP = 0.7;
  std::int64_t totalSteps = 65536;
  int gradAccumulationStep = 1;
  double rho = 0.55;
  double gamma = 0.9;
  double alpha = 0.001;
  double sigma = 0.4;
  int nComponents = 32;
  std::string pcaMatPath;
  MatrixUse pcaMatrix = MatrixUse::none;  ///< decided once, while the run is planned
  std::string weightLoadDir;
  double timeout = 1800;
  int maxSearch = 20;
  DimReduceMethod dimReduceMethod = DimReduceMethod::bfgs;
  double dimReduceWeightDecay = 0;
  AdasumOptions adasumOptions;

  std::string dictionaryText = "{}";  ///< the dictionary verbatim, for the record
  std::set<std::string> written;      ///< "section.key" of what the dictionary says; known while a run is planned only
  std::vector<Decision> decisions;    ///< one a known algorithm, and one a key that had no effect

  /// True where the dictionary itself switches the algorithm on, rather than a level or enable_all: then an algorithm
  /// that cannot act is a mistake to be told, not a decision to be noted.
  bool isDemanded(const std::string& algorithm) const;
  /// True where dim_reduce needs the snapshots of an earlier stage: no folder of weights is named and no matrix is
  /// read.
  bool readsStageSnapshots() const;
};

inline const Words<MatrixUse> matrixUses{
    {"none", MatrixUse::none}, {"read", MatrixUse::read}, {"written", MatrixUse::written}};

/// One acceleration algorithm: where its switch is and what the levels make of it.
struct BoostAlgorithm {
  std::string key;  ///< in the dictionary, the store and the report
  bool BoostConfig::*flag;
  bool atO1;
  bool atO2;
  std::string what;
};
const std::vector<BoostAlgorithm>& boostAlgorithms();

/// A knob whose value is one of a few words.
struct KnobChoice {
  void (*describe)(Fields& fields, const char* key, BoostConfig& config);
};

/// One key of the dictionary. Its default is the member's initial value in BoostConfig.
struct BoostKnob {
  std::string section;
  std::string key;
  std::vector<std::string> aliases;  ///< spellings of the published tutorials
  std::variant<bool BoostConfig::*, int BoostConfig::*, std::int64_t BoostConfig::*, double BoostConfig::*,
               std::string BoostConfig::*, std::vector<int> BoostConfig::*, KnobChoice>
      home;
  Limits limits;
  std::string help;
};
/// Every knob there is. Reading, writing, the JSON schema's test and the help all follow this table.
const std::vector<BoostKnob>& boostKnobs();

/// Walks over the keys of a decision.
void describeDecision(Fields& fields, Decision& decision);

/// Walks over the knobs of one section of the dictionary.
void describeBoostSection(Fields& fields, const std::string& section, BoostConfig& config);
/// The sections in the order of the table.
std::vector<std::string> boostSections();

/// Resolves level, mode and dictionary. `path` stands before the keys in failures. Says in `decisions` what each
/// algorithm does and which written keys have no effect.
/// `afterStage`: an earlier stage may have kept weights for dim_reduce; where none has and the dictionary names none
/// either, enable_all leaves dim_reduce off.
Result<BoostConfig> resolveBoost(const std::string& level, const Json& dictionary, const std::string& path,
                                 bool afterStage = true);

}  // namespace slipstream
