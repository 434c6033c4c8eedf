// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/design.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// Digits of `number` in this base, mirrored at the point (van der Corput).
double radicalInverse(std::int64_t number, int base) {
  double value = 0, place = 1.0 / base;
  for (; number > 0; number /= base) {
    value += static_cast<double>(number % base) * place;
    place /= base;
  }
  return value;
}

Json valueAt(const TuningAxis& axis, std::int64_t number, std::size_t dimension) {
  constexpr std::array<int, 8> bases{2, 3, 5, 7, 11, 13, 17, 19};
  if (!axis.values.empty()) return axis.values[static_cast<std::size_t>(number - 1) % axis.values.size()];
  const double share = radicalInverse(number, bases.at(dimension % bases.size()));
  if (!axis.logarithmic) return axis.low + share * (axis.high - axis.low);
  return axis.low * std::pow(axis.high / axis.low, share);
}

/// Numbers cells in the order in which they are added.
class CellList {
 public:
  CellList(const Study& study, int firstCell) : study_(study), next_(firstCell) {}

  void addTrials() {
    std::int64_t most = 0;
    for (const StudyVariant& variant : study_.variants) most = std::max(most, study_.trialsOf(variant.name));
    for (const StudySettings& factors : combinationsOf(study_)) {
      for (int trial = 1; trial <= most; ++trial) {
        addBlock([&](const StudyVariant& variant) {
          if (trial > study_.trialsOf(variant.name)) return;
          add({.variant = variant.name,
               .factors = storedForm(factors),
               .pair = tuningSeed,
               .seed = tuningSeed,
               .trial = trial});
        });
      }
    }
  }

  void addSeeds(std::int64_t before, std::int64_t count, int round) {
    for (std::int64_t index = before; index < before + count; ++index) {
      const std::uint64_t seed = study_.seeds.at(index);
      for (const StudySettings& factors : combinationsOf(study_)) {
        addBlock([&](const StudyVariant& variant) {
          add({.round = round,
               .variant = variant.name,
               .factors = storedForm(factors),
               .pair = seed,
               .seed = seedOf(variant, seed)});
        });
      }
    }
  }

  std::vector<StudyCell> take() { return std::move(cells_); }

 private:
  /// Copies of the reference would be the same bits again with the same seed.
  std::uint64_t seedOf(const StudyVariant& variant, std::uint64_t seed) const {
    constexpr std::uint64_t apart = 1'000'003;
    if (study_.control == 0) return seed;
    return seed + apart * static_cast<std::uint64_t>(&variant - study_.variants.data());
  }

  template <class Add>
  void addBlock(const Add& addVariant) {
    const auto count = static_cast<std::ptrdiff_t>(study_.variants.size());
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      addVariant(study_.variants[static_cast<std::size_t>(backwards_ ? count - 1 - i : i)]);
    }
    backwards_ = !backwards_;
  }

  void add(StudyCell cell) {
    cell.cell = next_++;
    cells_.push_back(std::move(cell));
  }

  const Study& study_;
  int next_;
  bool backwards_ = false;
  std::vector<StudyCell> cells_;
};

}  // namespace

std::vector<StudySettings> combinationsOf(const Study& study) {
  std::vector<StudySettings> combinations{{}};
  for (const StudyFactor& factor : study.factors) {
    std::vector<StudySettings> longer;
    for (const StudySettings& before : combinations) {
      for (const Json& value : factor.values) {
        StudySettings one = before;
        one[factor.key] = value;
        longer.push_back(std::move(one));
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

std::string textOf(const StudySettings& factors) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : factors) {
    parts.push_back(fmt::format("{} = {}", key, value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return join(parts, ", ");
}

std::string storedForm(const StudySettings& settings) {
  Json stored = Json::object();
  for (const auto& [key, value] : settings) stored[key] = value;
  return stored.dump();
}

StudySettings settingsOf(const std::string& stored) {
  StudySettings settings;
  const Json read = Json::parse(stored, nullptr, false);
  if (!read.is_object()) return settings;
  for (const auto& [key, value] : read.items()) settings[key] = value;
  return settings;
}

std::vector<StudyCell> cellsOf(const Study& study) {
  CellList cells(study, 1);
  cells.addTrials();
  cells.addSeeds(0, study.seeds.least, 1);
  return cells.take();
}

std::vector<StudyCell> addedCells(const Study& study, std::int64_t before, std::int64_t count, int firstCell,
                                  int round) {
  CellList cells(study, firstCell);
  cells.addSeeds(before, count, round);
  return cells.take();
}

StudySettings trialSettings(const TuningSpace& space, std::int64_t number) {
  StudySettings settings;
  for (std::size_t i = 0; i < space.size(); ++i) settings[space[i].key] = valueAt(space[i], number, i);
  return settings;
}

}  // namespace slipstream
