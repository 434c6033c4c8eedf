// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/base/failure.h"
#include "engine/config/json.h"

namespace slipstream {

/// Values of an experiment by key path: "parallel.ranks" -> 8.
using StudySettings = std::map<std::string, Json>;

/// How a variant's learning rate follows the number of ranks: times it, or times its square root (Goyal et al. 2017).
enum class RateScale { none, linear, squareRoot };

struct StudyVariant {
  std::string name;
  Json overrides = Json::object();  ///< sections of an experiment, merged as the variants of a file are
  StudySettings settings = {};      ///< single keys, above them
  RateScale scaleRate = RateScale::none;
};

struct StudyFactor {
  std::string key;
  std::vector<Json> values;
};

struct StudySeeds {
  std::int64_t least = 3;        ///< are done at once
  std::int64_t most = 0;         ///< that may be added to; 0: no more than the least
  std::vector<int> listed = {};  ///< in place of first, first + 1, ...
  std::int64_t first = 1;

  std::uint64_t at(std::int64_t index) const;
};

struct StudyQuestion {
  std::string measure = "accuracy";
  std::optional<double> target;           ///< an accuracy, of 1
  std::optional<double> margin;           ///< within which two are the same
  double alpha = 0.05;                    ///< of all claims together
  std::vector<std::string> primary = {};  ///< measures that are judged; empty: the measure
  std::vector<std::string> stages =
      {};  ///< compared with each other instead of variants, the first being the reference

  std::vector<std::string> judged() const { return primary.empty() ? std::vector{measure} : primary; }
};

enum class TuningRule { none, external, self };

/// A key that is tuned, and what is tried for it.
struct TuningAxis {
  std::string key;
  std::vector<Json> values = {};  ///< else from low to high
  double low = 0, high = 0;
  bool logarithmic = false;
};
using TuningSpace = std::vector<TuningAxis>;

struct StudyTuning {
  TuningRule rule = TuningRule::none;  ///< external: one space for all; self: each variant has its own
  std::int64_t trials = 0;
  std::vector<std::string> variants = {};       ///< that are tuned; empty: all
  TuningSpace space = {};                       ///< of the rule external
  std::map<std::string, TuningSpace> own = {};  ///< of the rule self, by variant
};

struct StudyBudget {
  std::optional<double> hours;
  std::int64_t cores = 0;  ///< 0: all of the machine
};

/// A study as its file says.
struct Study {
  std::string name;
  std::string follows;  ///< the study whose question this one changes
  std::filesystem::path base;
  std::string baseText;  ///< as it was when the study was read
  std::string reference;
  std::vector<StudyVariant> variants;  ///< the reference first
  std::vector<StudyFactor> factors;
  StudySeeds seeds;
  StudyQuestion question;
  StudyTuning tuning;
  StudyBudget budget;
  std::int64_t control = 0;  ///< so many copies of the reference are compared with it, and nothing else
  Json document;             ///< all of this but the base's text, as it is frozen

  const StudyVariant* variant(const std::string& called) const;
  /// Trials of tuning that the variant gets.
  std::int64_t trialsOf(const std::string& called) const;
  const TuningSpace& spaceOf(const std::string& called) const;
};

/// Reads the file of a study, or an experiment with `variants` and `seeds`, which is a small study. All failures at
/// once. `control`: the study of its reference against so many copies of itself.
Result<Study> readStudy(const std::filesystem::path& file, std::int64_t control = 0);

/// The JSON schema (draft 2020-12) of the files of studies: editors complete keys and mark mistakes by it.
Json studySchema();

/// The same of a text that may not be saved yet; `file` is where it will be, to which its base is relative.
Result<Study> readStudyText(const std::string& text, const std::filesystem::path& file, std::int64_t control = 0);

/// What is frozen: the study and its base experiment, in one text.
std::string frozenTextOf(const Study& study);
Result<Study> studyOfFrozen(const std::string& text);

/// What differs now from what was frozen: "the base experiment FILE", "the study's file FILE"; nothing where neither
/// does or they cannot be read any more.
std::vector<std::string> changedSince(const Study& frozen, const std::filesystem::path& file);

}  // namespace slipstream
