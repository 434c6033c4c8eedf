// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/experiment_document.h"

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_fix.h"
#include "engine/plan/check_file.h"
#include "ui/documents/experiment_editing.h"
#include "ui/store/pool_job.h"

namespace slipstream::ui {
namespace {

constexpr int checkMilliseconds = 150;

}  // namespace

ExperimentDocument::ExperimentDocument(QObject* parent)
    : Document(QStringLiteral("experiment.json"), parent), editing_(new ExperimentEditing(*this)) {
  timer_.setSingleShot(true);
  timer_.setInterval(checkMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &ExperimentDocument::recheck);
  connect(this, &Document::changed, this, [this] {
    current_ = false;
    planning_ = true;
    timer_.start();
  });
}

struct ExperimentDocument::Planning {
  PlannedFile planned;
  PlanProblems problems;
};

namespace {

QString labelOf(const ExperimentFix& fix) {
  switch (fix.kind) {
    case ExperimentFix::Kind::renameKey:
      return ExperimentDocument::tr("Rename to %1").arg(QString::fromStdString(fix.name));
    case ExperimentFix::Kind::moveKey:
      return ExperimentDocument::tr("Move to %1").arg(QString::fromStdString(fix.name));
    case ExperimentFix::Kind::removeKey:
      return ExperimentDocument::tr("Remove the key");
    case ExperimentFix::Kind::useValue:
      break;
  }
  const bool word = fix.value.is_string();
  return ExperimentDocument::tr("Use %1").arg(
      QString::fromStdString(word ? fix.value.get<std::string>() : fix.value.dump()));
}

QString kindLabelOf(ExperimentFix::Kind kind) {
  switch (kind) {
    case ExperimentFix::Kind::renameKey:
      return ExperimentDocument::tr("Rename keys that are nearly known");
    case ExperimentFix::Kind::moveKey:
      return ExperimentDocument::tr("Move keys to their sections");
    case ExperimentFix::Kind::removeKey:
      return ExperimentDocument::tr("Remove unknown keys");
    case ExperimentFix::Kind::useValue:
      break;
  }
  return ExperimentDocument::tr("Use the nearest allowed values");
}

/// A text that is being written starts no program.
Result<std::vector<LayerSpec>> refuseToAsk(const Experiment& experiment) {
  return fail("network.program", experiment.network.program.front(),
              "computes the network, and the window does not start it to ask for its tensors",
              "use `slipstream plan FILE` and `slipstream run FILE`; runs of it are shown here as all others");
}

}  // namespace

void ExperimentDocument::recheck() {
  if (file().empty() && text().empty()) {
    latest_.take();
    return receiveNothing();
  }
  planning_ = true;
  const std::filesystem::path place = file().empty() ? std::filesystem::path(title().toStdString()) : file();
  const auto plan = [text = text(), place, inspection = inspection_] {
    Planning planning;
    planning.planned = planExperimentText(
        text, place, {}, [](const char* name) { return environment(name); }, planning.problems,
        [&](const DatasetSpec& dataset) { return (*inspection)(dataset); }, refuseToAsk);
    return planning;
  };
  runLatestInPool(this, latest_, plan, [this](const Planning& planning) { receive(planning); });
}

void ExperimentDocument::addFix(Problem& problem, const Failure& failure) {
  const auto fix = experimentFix(editing_->root(), failure);
  if (!fix) return;
  problem.fixLabel = labelOf(*fix);
  problem.fixKind = static_cast<int>(fix->kind);
  problem.kindLabel = kindLabelOf(fix->kind);
  fixes_.push_back(*fix);
  problem.fix = [this, fix = *fix, label = problem.fixLabel] {
    if (const auto fixed = fixedExperiment(text(), fix)) edit(*fixed, label);
  };
}

/// Removed keys go last: what is behind them in a list moves.
FixedText ExperimentDocument::fixedText(std::optional<int> kind) const {
  std::string fixed = text();
  std::map<ExperimentFix::Kind, int> made;
  for (const bool removals : {false, true}) {
    for (const ExperimentFix& fix : fixes_) {
      const bool wanted = !kind || *kind == static_cast<int>(fix.kind);
      if (!wanted || (fix.kind == ExperimentFix::Kind::removeKey) != removals) continue;
      auto next = fixedExperiment(fixed, fix);
      if (!next) continue;
      fixed = std::move(*next);
      ++made[fix.kind];
    }
  }
  FixedText result{fixed, {}};
  for (const auto& [kindMade, count] : made) {
    result.made.problems += count;
    result.made.kinds.emplace_back(kindLabelOf(kindMade), count);
  }
  return result;
}

/// Nothing is open, and that is no mistake.
void ExperimentDocument::receiveNothing() {
  planning_ = false;
  setProblems({});
  Q_EMIT planChanged();
}

void ExperimentDocument::receive(const Planning& planning) {
  Problems problems;
  fixes_.clear();
  for (const Finding& finding : findingsOf(planning.planned, planning.problems)) {
    const QString where = QString::fromStdString(finding.path);
    problems.push_back({finding.severity, where, QString::fromStdString(finding.value),
                        QString::fromStdString(finding.problem.in()), QString::fromStdString(finding.remedy.in()),
                        title()});
    problems.back().show = [this, where] { Q_EMIT placeWanted(where); };
    addFix(problems.back(), failureOf(finding, finding.path));
  }
  addStandIn(planning.planned, problems);
  planning_ = false;
  current_ = planning.problems.wrong.empty();
  if (current_) planned_ = std::make_shared<PlannedFile>(planning.planned);
  setProblems(std::move(problems));
  Q_EMIT planChanged();
}

/// The one that all variants ask for; nothing where one of them has its own.
std::optional<std::string> ExperimentDocument::askedDataset() const {
  const Json& root = editing_->root();
  const auto hasOwn = [](const Json& variant) { return findValue(variant, "dataset.name") != nullptr; };
  if (root.is_object() && root.contains("variants") && std::ranges::any_of(root["variants"], hasOwn)) return {};
  const Json* name = findValue(root, "dataset.name");
  return name != nullptr && name->is_string() ? std::optional(name->get<std::string>()) : std::nullopt;
}

/// A data set in whose place another is trained on, as the file allows: *Plan* marks it, and so do its text and the
/// list.
void ExperimentDocument::addStandIn(const PlannedFile& planned, Problems& problems) {
  const QString where = QStringLiteral("dataset.name");
  for (const RunPlan& plan : planned.plans) {
    const auto standsIn = std::ranges::find_if(plan.decisions, [](const Decision& decision) {
      return decision.subject == "dataset" && decision.reason == Reason::data;
    });
    if (standsIn == plan.decisions.end()) continue;
    const auto asked = askedDataset();
    const QString used = QString::fromStdString(standsIn->state);
    problems.push_back({Verdict::warn, where, QString(),
                        asked ? tr("%1 not found: %2 is used").arg(QString::fromStdString(*asked), used)
                              : tr("not found by a variant: %1 is used").arg(used),
                        QString(), title()});
    problems.back().show = [this, where] { Q_EMIT placeWanted(where); };
    if (asked) addUse(problems.back(), standsIn->state);
    return;
  }
}

/// Asks for the data set that is used anyway. It is not among the fixes that are made together: nothing is wrong with
/// the text.
void ExperimentDocument::addUse(Problem& problem, const std::string& dataset) {
  const ExperimentFix use{ExperimentFix::Kind::useValue, problem.where.toStdString(), "", dataset};
  problem.fixLabel = tr("Set to %1").arg(QString::fromStdString(dataset));
  problem.fix = [this, use, label = problem.fixLabel] {
    if (const auto fixed = fixedExperiment(text(), use)) edit(*fixed, label);
  };
}

QString ExperimentDocument::proposedName() const {
  const Json& root = editing_->root();
  const bool named = root.is_object() && root.contains("name") && root["name"].is_string();
  QString name = named ? QString::fromStdString(root["name"].get<std::string>()) : QString();
  name.replace(QLatin1Char('/'), QLatin1Char('-'));
  return name.trimmed().isEmpty() ? title() : name.trimmed();
}

}  // namespace slipstream::ui
