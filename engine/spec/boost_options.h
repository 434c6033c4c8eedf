// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include "engine/config/fields.h"
#include "engine/spec/decision.h"

namespace slipstream {

enum class BoostLevel { O0, O1, O2 };
inline const EnumNames<BoostLevel> boostLevels{{"O0", BoostLevel::O0}, {"O1", BoostLevel::O1}, {"O2", BoostLevel::O2}};

/// The boost configuration after level, mode and dictionary are resolved. Every algorithm keeps its options here as a
/// struct of its own (engine/boost/NAME/spec.h), whose member `algorithm` is the key of the algorithm.
class BoostConfig {
 public:
  BoostLevel level = BoostLevel::O0;
  std::string mode = "auto";
  std::vector<int> gradientSplitGroups;
  int deviceNumber = 0;  ///< devices a server; 0: the rank table's, else the whole world

  std::string dictionaryText = "{}";  ///< the dictionary verbatim, for the record
  std::set<std::string> written;      ///< "section.key" of what the dictionary says; known while a run is planned only
  std::vector<Decision> decisions;    ///< one a known algorithm, and one a key that had no effect

  bool isOn(std::string_view algorithm) const { return on_.contains(algorithm); }
  void setOn(const std::string& algorithm, bool on);

  template <class Options>
  bool isOn() const {
    return isOn(Options::algorithm);
  }
  template <class Options>
  void setOn(bool on = true) {
    setOn(Options::algorithm, on);
  }

  /// The options of an algorithm, on or off; their defaults where nobody edited them.
  template <class Options>
  const Options& of() const {
    static const Options defaults{};
    const auto found = options_.find(typeid(Options));
    return found == options_.end() ? defaults : *std::any_cast<Options>(&found->second);
  }
  template <class Options>
  Options& edit() {
    std::any& options = options_[typeid(Options)];
    if (!options.has_value()) options.emplace<Options>();
    return *std::any_cast<Options>(&options);
  }

  /// True where the dictionary itself switches the algorithm on, rather than a level or enable_all: then an algorithm
  /// that cannot act is a mistake to be told, not a decision to be noted.
  bool isRequested(const std::string& algorithm) const;

 private:
  std::set<std::string, std::less<>> on_;
  std::map<std::type_index, std::any> options_;
};

}  // namespace slipstream
