#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

enum class BoostLevel { O0, O1, O2 };
enum class AdasumMode { deltas, gradients };
enum class AdasumScope { automatic, flat, servers };
/// How ranks exchange what Adasum combines; the result is the same.
enum class AdasumExchange { automatic, window, halving, gram };

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
  bool operator==(const Decision&) const = default;
};

/// The boost configuration after level, mode and dictionary are resolved.
/// Names, types and defaults: algorithms.md section 0 (MindSpore's boost library), one page: boost_options.cpp.
struct BoostConfig {
  BoostLevel level = BoostLevel::O0;
  std::string mode = "auto";
  bool lessBn = false;
  bool gradFreeze = false;
  bool adasum = false;
  bool gradAccumulation = false;
  bool dimReduce = false;
  bool lossScaleGroup = false;

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
  std::string weightLoadDir;
  double timeout = 1800;
  AdasumOptions adasumOptions;

  std::string dictionaryText = "{}";  ///< the dictionary verbatim, for the record
  std::vector<Decision> decisions;    ///< one a known algorithm, and one a key that had no effect
};

}  // namespace slipstream
