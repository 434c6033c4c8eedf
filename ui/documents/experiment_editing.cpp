// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/documents/experiment_editing.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/config/json_edit.h"
#include "engine/config/python_literals.h"
#include "ui/documents/experiment_document.h"

namespace slipstream::ui {

AskedSwitch askedSwitch(const BoostConfig& config, const AlgorithmSpec& algorithm) {
  const bool atLevel = algorithm.isAtLevel(config.level);
  if (config.level == BoostLevel::O0 || config.mode == "auto") return {atLevel, true};
  if (config.mode != "manual") return {config.mode == "enable_all", false};
  const Json dictionary = Json::parse(config.dictionaryText, nullptr, false);
  const Json* written = dictionary.is_object() ? findValue(dictionary, "boost." + algorithm.key) : nullptr;
  if (written == nullptr || !written->is_boolean()) return {atLevel, true};
  return {written->get<bool>(), false};
}

ExperimentEditing::ExperimentEditing(ExperimentDocument& document)
    : QObject(&document), document_(document), form_(formOf(Json::object(), {})) {
  connect(&document, &Document::changed, this, &ExperimentEditing::reread);
  connect(&document, &Document::fileChanged, this, &ExperimentEditing::chooseScope);
}

bool ExperimentEditing::isEmpty() const {
  return trim(document_.text()).empty();
}

void ExperimentEditing::reread() {
  const auto root = parseJson(experimentAsJson(document_.text()), document_.title().toStdString());
  const bool sound = root.has_value() && root->is_object();
  root_ = sound ? *root : Json();
  whyUnreadable_ = root ? tr("An experiment is one object in curly brackets.")
                        : QString::fromStdString(toText(root.error().front()));
  // Text that cannot be read for a moment changes nothing about whose settings are shown.
  if (!sound) return Q_EMIT changed();
  const ExperimentScope shown = scope_;
  setScope(shown);
}

/// A file that was just opened shows its boost settings: those of the last variant that has some of its own.
void ExperimentEditing::chooseScope() {
  if (document_.undoStack().count() > 0 || document_.text() == opened_) return;
  opened_ = document_.text();
  ExperimentScope chosen;
  for (const ExperimentScope& scope : scopesOf(root_)) {
    const bool own = scope.kind == ExperimentScope::Kind::variant && findValue(root_, scope.path("boost")) != nullptr;
    if (own) chosen = scope;
  }
  setScope(chosen);
}

void ExperimentEditing::setScope(const ExperimentScope& scope) {
  scope_ = {};
  for (const ExperimentScope& there : scopesOf(root_)) {
    if (there.kind == scope.kind && there.index == scope.index) scope_ = there;
  }
  keys_ = keysIn(root_, scope_);
  if (isReadable()) form_ = formOf(root_, scope_);
  Q_EMIT changed();
}

QString ExperimentEditing::name() const {
  const bool named = root_.is_object() && root_.contains("name") && root_["name"].is_string();
  return named ? QString::fromStdString(root_["name"].get<std::string>()) : document_.title();
}

const FormKey* ExperimentEditing::key(const std::string& path) const {
  const auto found = std::ranges::find(form_, path, &FormKey::path);
  return found == form_.end() ? nullptr : &*found;
}

void ExperimentEditing::set(const std::string& path, const Json& value, int mergeKey) {
  if (!isReadable()) return;
  std::string place = placeOf(root_, scope_, path);
  if (!scope_.path().empty()) place = place.substr(scope_.path().size() + 1);
  apply(setKey(document_.text(), scope_, place, value), tr("Set %1").arg(QString::fromStdString(path)), mergeKey);
}

void ExperimentEditing::reset(const std::string& path) {
  if (!isReadable()) return;
  std::string place = placeOf(root_, scope_, path);
  if (!scope_.path().empty()) place = place.substr(scope_.path().size() + 1);
  apply(removeKey(document_.text(), scope_, place), tr("Reset %1").arg(QString::fromStdString(path)));
}

void ExperimentEditing::apply(const Result<std::string>& changed, const QString& label, int mergeKey) {
  if (changed) document_.edit(*changed, label, mergeKey);
}

const Problem* ExperimentEditing::problemAt(const std::string& path) const {
  const QString place = QString::fromStdString(placeOf(root_, scope_, path));
  const QString shared = QString::fromStdString(path);
  for (const Problem& problem : document_.problems()) {
    if (problem.where == place || problem.where == shared) return &problem;
  }
  return nullptr;
}

std::string ExperimentEditing::keyOf(const QString& place) const {
  std::string path = place.toStdString();
  const std::string own = scope_.path();
  if (!own.empty() && path.starts_with(own + ".")) return path.substr(own.size() + 1);
  const bool elsewhere = path.starts_with("variants[") || path.starts_with("stages[");
  return elsewhere ? std::string() : path;
}

const RunPlan* ExperimentEditing::plan() const {
  const auto planned = document_.planned();
  if (planned == nullptr || planned->plans.empty()) return nullptr;
  const std::size_t index = scope_.kind == ExperimentScope::Kind::variant ? scope_.index : 0;
  return &planned->plans[std::min(index, planned->plans.size() - 1)];
}

std::optional<StagePlan> ExperimentEditing::stage() const {
  const RunPlan* run = plan();
  if (run == nullptr) return std::nullopt;
  const std::vector<StagePlan> stages = stagesOf(*run);
  const std::size_t index = scope_.kind == ExperimentScope::Kind::stage ? scope_.index : 0;
  return stages[std::min(index, stages.size() - 1)];
}

}  // namespace slipstream::ui
