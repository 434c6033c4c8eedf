// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a study before anything of it is trained.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/analysis/plan_differences.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/probe/this_host.h"
#include "engine/statistics/paired.h"
#include "engine/study/cell_plan.h"
#include "engine/study/study_measure.h"

namespace slipstream {
namespace {

/// A variant with a combination of the factors, planned.
struct PlannedCell {
  const StudyVariant* variant;
  StudySettings factors;
  RunPlan plan;
  AskedRun asked;
};

/// No core multiplies and adds faster than this, and no run starts within less than a second.
double leastSeconds(const RunPlan& plan, int cores) {
  constexpr double operationsOfCore = 2e12;
  double operations = 0;
  for (const StagePlan& stage : stagesOf(plan)) {
    const Experiment& experiment = stage.experiment;
    const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
    const auto samples = static_cast<double>(stage.updates() * experiment.dataset.batchSize * plan.ranks());
    operations += shape ? 6 * static_cast<double>(shape->weights()) * samples : 0;
  }
  return 1 + operations / (operationsOfCore * cores);
}

constexpr double mostCells = 100'000;
/// Each is planned before anything is trained, and compared with every other.
constexpr double mostSettings = 5'000;

/// Variants with combinations of the factors. Not of whole numbers, whose product could wrap.
double settingsCount(const Study& study) {
  auto count = static_cast<double>(study.variants.size());
  for (const StudyFactor& factor : study.factors) count *= static_cast<double>(factor.values.size());
  return count;
}

/// All cells that the study may come to with seeds that are added to it.
double cellsCount(const Study& study) {
  std::int64_t trials = 0;
  for (const StudyVariant& variant : study.variants) trials = std::max(trials, study.trialsOf(variant.name));
  return settingsCount(study) * static_cast<double>(std::max(study.seeds.least, study.seeds.most) + trials);
}

class Checking {
 public:
  Checking(const Study& study, const DataInspection& inspect)
      : study_(study), inspect_(inspect ? inspect : DataInspection(std::ref(remembered_))) {}

  StudyCheck run() {
    checkQuestion();
    checkControl();
    checkSeeds();
    checkTuning();
    checkCores();
    if (!checkSize()) return std::move(check_);
    planAll();
    if (check_.failures.empty()) {
      checkFactors();
      checkVariants();
      checkAxes();
      checkBudget();
      noteEvaluations();
      noteUnequal();
    }
    check_.cells = cellsOf(study_).size();
    for (PlannedCell& cell : cells_) {
      check_.settings.push_back({cell.variant->name, std::move(cell.factors), std::move(cell.plan)});
    }
    return std::move(check_);
  }

 private:
  void wrong(std::string where, std::string value, std::string problem, std::string remedy) {
    addOnce(check_.failures, {{std::move(where), std::move(value), std::move(problem), std::move(remedy)}});
  }

  void checkMeasure(const std::string& key, const std::string& place) {
    const StudyMeasure* measure = findStudyMeasure(key);
    if (measure == nullptr) {
      return wrong(place, key, "is no measure", suggestion(key, studyMeasureKeys()));
    }
    if (measure->bestOfMany) {
      wrong(place, key, "is the best of many values, chosen on the test set after they were seen: it gets no verdict",
            "ask about accuracy or test_loss, which are those of the end");
    }
    if (measure->countsToTarget && !study_.question.target) {
      wrong("question.target", "", key + " counts up to a target, and none is named",
            "write an accuracy, such as 0.97");
    }
  }

  void checkQuestion() {
    const StudyQuestion& question = study_.question;
    checkMeasure(question.measure, "question.measure");
    for (const std::string& key : question.primary) checkMeasure(key, "question.primary");
    if (!question.primary.empty() && std::ranges::find(question.primary, question.measure) == question.primary.end()) {
      wrong("question.primary", "", "leaves out the measure that is asked about",
            "name " + question.measure + " in it");
    }
    if (question.target && *question.target > 1) {
      wrong("question.target", numberText(*question.target), "is an accuracy that no network reaches",
            *question.target <= 100 ? "write " + numberText(*question.target / 100) + " for as many percent"
                                    : "write one between 0 and 1");
    }
    if (question.target && *question.target <= 0) {
      wrong("question.target", numberText(*question.target), "is reached before anything is trained",
            "write one between 0 and 1");
    }
    if (question.stages.size() == 1)
      wrong("question.stages", "", "names one stage alone", "name the reference and others");
  }

  /// A control in the file is easily taken for one beside the variants.
  void checkControl() {
    if (study_.control == 0) return;
    check_.notes.push_back("a control compares the reference with copies of itself alone: other variants are left out");
  }

  void checkSeeds() {
    if (study_.seeds.most < study_.seeds.least) {
      wrong("seeds.most", std::to_string(study_.seeds.most), "is less than seeds.least", "leave it out, or raise it");
    }
    if (study_.seeds.most < fewestReplicas) {
      check_.notes.push_back("with fewer than three seeds nothing is claimed, whatever comes out");
    }
  }

  void checkTuning() {
    const StudyTuning& tuning = study_.tuning;
    const bool hasSpace = !tuning.space.empty() || !tuning.own.empty();
    if (tuning.rule == TuningRule::none && (hasSpace || tuning.trials > 0)) {
      wrong("tuning.rule", "none", "does not fit trials or a space", "write external or self, or remove them");
    }
    if (tuning.rule == TuningRule::none) return;
    if (tuning.trials == 0)
      wrong("tuning.trials", "", "is missing: the space would never be tried", "write how many, such as 5");
    if (tuning.rule == TuningRule::external && tuning.space.empty()) {
      wrong("tuning.space", "", "is missing: there is nothing to try", "write key paths with values or ranges");
    }
    if (tuning.rule == TuningRule::self && tuning.own.empty()) {
      wrong("variants[].space", "", "is missing: no variant has a space of its own",
            "write one into each variant that is tuned");
    }
  }

  void checkCores() {
    const int present = coresOnHost();
    if (coresOf(study_) <= present) return;
    wrong("budget.cores", std::to_string(coresOf(study_)), fmt::format("this machine has {}", present),
          "write at most as many");
  }

  /// Whether the cells are few enough to be listed at all.
  bool checkSize() {
    const double settings = settingsCount(study_), cells = cellsCount(study_);
    if (settings > mostSettings) {
      wrong("factors", fmt::format("{:.6g}", settings),
            fmt::format("come to more than {:.0f} variants with combinations of values", mostSettings),
            "name fewer values, or ask in several studies");
    } else if (cells > mostCells) {
      wrong("seeds", fmt::format("{:.6g}", cells), fmt::format("come to more than {:.0f} cells", mostCells),
            "ask for fewer seeds, trials, values or variants");
    }
    return settings <= mostSettings && cells <= mostCells;
  }

  void planOne(const StudyVariant& variant, const StudySettings& factors) {
    const std::string label = joinedLabel(variant, factors);
    const auto settings = cellSettings(study_, variant, factors, study_.trialsOf(variant.name) > 0 ? 1 : 0);
    Failures found;
    if (collect(settings, found)) {
      const auto planned = planCell(
          study_, variant, *settings, study_.seeds.at(0),
          [](const char* name) { return slipstream::environment(name); }, inspect_);
      if (collect(planned, found)) {
        const RunPlan& plan = planned->plans.front();
        cells_.push_back({&variant, factors, plan, askedOf(toJsonText(plan))});
      }
    }
    for (Failure& failure : found) {
      if (unlabelled_.insert(toText(failure)).second)
        failure.where = label + failure.where;
      else
        continue;
      addOnce(check_.failures, {failure});
    }
  }

  static std::string joinedLabel(const StudyVariant& variant, const StudySettings& factors) {
    return factors.empty() ? variant.name + ": " : fmt::format("{}, {}: ", variant.name, textOf(factors));
  }

  void planAll() {
    for (const StudySettings& factors : combinationsOf(study_)) {
      for (const StudyVariant& variant : study_.variants) {
        planOne(variant, factors);
        if (study_.control > 0) break;  // the others are the same
      }
    }
  }

  /// Cells that are alike but for this factor are asked to do the same, whatever its value is.
  void checkFactors() {
    for (const StudyFactor& factor : study_.factors) {
      bool changes = factor.values.size() < 2;
      for (const PlannedCell& one : cells_) {
        for (const PlannedCell& other : cells_) {
          StudySettings swapped = other.factors;
          swapped[factor.key] = one.factors.at(factor.key);
          if (one.variant == other.variant && swapped == one.factors && one.asked != other.asked) changes = true;
        }
      }
      if (!changes) {
        wrong("factors." + factor.key, "",
              "changes nothing: every cell is asked to do the same with each of its values",
              "remove it, or vary a key that counts here");
      }
    }
  }

  void checkVariants() {
    if (study_.control > 0) return;
    for (std::size_t i = 0; i < study_.variants.size(); ++i) {
      for (std::size_t j = i + 1; j < study_.variants.size(); ++j) {
        if (!alike(study_.variants[i], study_.variants[j])) continue;
        wrong("variants", study_.variants[j].name, "is asked to do the same as " + study_.variants[i].name,
              "remove one; the reference against itself is --control");
      }
    }
  }

  /// Whether two variants are asked for the same in every cell and their tuning.
  bool alike(const StudyVariant& a, const StudyVariant& b) const {
    if (study_.trialsOf(a.name) != study_.trialsOf(b.name)) return false;
    for (const PlannedCell& one : cells_) {
      for (const PlannedCell& other : cells_) {
        if (one.variant == &a && other.variant == &b && one.factors == other.factors && one.asked != other.asked)
          return false;
      }
    }
    return true;
  }

  /// Two trials that differ in nothing try nothing.
  void checkAxes() {
    for (const StudyVariant& variant : study_.variants) {
      if (study_.trialsOf(variant.name) < 2) continue;
      const PlannedCell& first = *std::ranges::find(cells_, &variant, &PlannedCell::variant);
      const auto settings = cellSettings(study_, variant, first.factors, 2);
      if (!settings) continue;
      const auto planned = planCell(
          study_, variant, *settings, study_.seeds.at(0),
          [](const char* name) { return slipstream::environment(name); }, inspect_);
      if (planned && askedOf(toJsonText(planned->plans.front())) == first.asked) {
        wrong("tuning.space", "", "changes nothing of " + variant.name, "tune a key that counts there");
      }
    }
  }

  void checkBudget() {
    if (!study_.budget.hours) return;
    for (const PlannedCell& cell : cells_) {
      const double least = leastSeconds(cell.plan, coresOf(study_));
      if (least <= *study_.budget.hours * 3600) continue;
      return wrong("budget.hours", numberText(*study_.budget.hours),
                   fmt::format("is too little for one cell: {} takes at least {}",
                               trim(joinedLabel(*cell.variant, cell.factors)), durationText(least)),
                   "allow more, or train less");
    }
  }

  /// What counts up to a target knows it only where it is evaluated.
  void noteEvaluations() {
    constexpr std::int64_t enough = 10;
    const std::vector<std::string> judged = study_.question.judged();
    const bool counts =
        std::ranges::any_of(judged, [](const std::string& key) { return findStudyMeasure(key)->countsToTarget; });
    if (!counts || cells_.empty()) return;
    const StagePlan stage = stagesOf(cells_.front().plan).back();
    const std::int64_t written = stage.experiment.train.evaluateEverySteps;
    const std::int64_t every = std::max<std::int64_t>(1, written > 0 ? written : stage.stepsPerEpoch);
    const std::int64_t evaluations = (stage.updates() + every - 1) / every;
    if (evaluations >= enough) return;
    check_.notes.push_back(
        fmt::format("a run is evaluated {}, so that what it took to the target has as few values; "
                    "train.evaluate_every_steps makes them finer",
                    evaluations == 1 ? "once" : counted(evaluations, "time")));
  }

  /// What two variants are not given alike is named.
  void noteUnequal() {
    for (const PlannedCell& cell : cells_) {
      const auto reference = std::ranges::find_if(cells_, [&](const PlannedCell& other) {
        return other.variant == &study_.variants.front() && other.factors == cell.factors;
      });
      if (reference == cells_.end() || &*reference == &cell) continue;
      for (const auto& [what, values] : unequalBetween(reference->plan, cell.plan)) {
        const std::string note = fmt::format("{} and {} are not given alike: {}", cell.variant->name, study_.reference,
                                             phrase("{} ({})", {phrase(what), values}).in());
        if (std::ranges::find(check_.notes, note) == check_.notes.end()) check_.notes.push_back(note);
      }
    }
  }

  const Study& study_;
  RememberedInspection remembered_;
  DataInspection inspect_;
  std::vector<PlannedCell> cells_;
  std::set<std::string> unlabelled_;
  StudyCheck check_;
};

}  // namespace

StudyCheck checkStudy(const Study& study, const DataInspection& inspect) {
  return Checking(study, inspect).run();
}

}  // namespace slipstream
