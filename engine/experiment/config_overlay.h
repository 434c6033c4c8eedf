// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/config/json.h"

namespace slipstream {

/// One experiment's JSON, put together from layers: the file, a variant, flags, the environment. Remembers which layer
/// wrote a key, so that failures name the place where it can be put right.
class ConfigOverlay {
 public:
  /// `folder`: what relative paths in the file are relative to.
  ConfigOverlay(Json file, std::filesystem::path folder);

  /// Sections of `variant` are merged key by key; what is deeper (a dictionary, a schedule, layers) is replaced.
  /// `label` precedes its keys in failures: "variants[1]".
  void merge(Json variant, const std::string& label);

  /// Writes one key given by path. `label` replaces the path in failures: "--ranks". Relative paths become relative to
  /// the caller's folder. Keys of which only one can count replace each other across layers. All flags are one layer:
  /// fails where another flag has written the key or the one that excludes it, except that ranks beside a rank table
  /// are so many ranks of that table.
  Status set(const std::string& path, Json value, const std::string& label);
  /// "key.path=value" of --set.
  Status set(const std::string& setting);

  /// Writes a key beside the one that excludes it, where both are meant: so many ranks of that rank table.
  void keepBoth(const std::string& path, Json value);

  bool has(const std::string& path) const;
  void erase(const std::string& path);
  /// The label of the layer that wrote the key; empty for the file itself.
  std::string labelOf(const std::string& path) const;
  void relabel(Failures& failures) const;

  /// A key of an earlier layer that a flag made void by writing one that excludes it.
  struct Replaced {
    std::string path;
    std::string value;
    std::string by;  ///< the label of that other one
  };
  const std::vector<Replaced>& replaced() const { return replaced_; }

  const Json& value() const { return value_; }

  /// Keys that a layer writes in two spellings at once.
  const Failures& contradictions() const { return contradictions_; }

 private:
  void spellOut(Json& object, const std::string& label);
  bool byFlag(const std::string& path) const;
  Status replaceExclusive(const std::string& path, const std::string& other, const std::string& label);

  Json value_;
  std::filesystem::path folder_;
  std::map<std::string, std::string> labels_;  ///< path -> label
  std::vector<Replaced> replaced_;
  Failures contradictions_;
};

}  // namespace slipstream
