// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include <nlohmann/json.hpp>

#include "engine/boost/algorithms.h"
#include "engine/experiment/experiment_form.h"
#include "engine/plan/run_plan.h"
#include "ui/documents/document.h"

namespace slipstream::ui {

class ExperimentDocument;

/// What level, mode and dictionary ask of an algorithm, whether or not it can act.
struct AskedSwitch {
  bool on = false;
  bool byLevel = false;  ///< else by the dictionary
};
AskedSwitch askedSwitch(const BoostConfig& config, const AlgorithmSpec& algorithm);

/// The keys of the open experiment as forms see them, for everybody or for one variant or stage. Every change is an
/// edit of the document's text.
class ExperimentEditing : public QObject {
  Q_OBJECT

 public:
  explicit ExperimentEditing(ExperimentDocument& document);

  ExperimentDocument& document() { return document_; }
  /// There is an experiment, and its text is JSON: forms can show it.
  bool isReadable() const { return root_.is_object(); }
  bool isEmpty() const;
  /// Why it is not readable, as the engine reports it.
  QString whyUnreadable() const { return whyUnreadable_; }

  const Json& root() const { return root_; }
  /// What the experiment calls itself, else its file's name.
  QString name() const;
  /// What holds in the scope.
  const Json& keys() const { return keys_; }
  const std::vector<FormKey>& form() const { return form_; }
  /// Null where there is no such key.
  const FormKey* key(const std::string& path) const;

  const ExperimentScope& scope() const { return scope_; }
  void setScope(const ExperimentScope& scope);

  /// Edits with one `mergeKey` in a row are one undo step.
  void set(const std::string& path, const Json& value, int mergeKey = -1);
  void reset(const std::string& path);
  /// Any other change: the text that `change` makes of the text.
  void apply(const Result<std::string>& changed, const QString& label, int mergeKey = -1);

  /// The problem at the key's place; null where there is none.
  const Problem* problemAt(const std::string& path) const;
  /// The scope's key of a place in the file; empty for a place outside the scope.
  std::string keyOf(const QString& place) const;

  /// Of the newest text without mistakes: the scope's run, or the first. Null before the first plan.
  const RunPlan* plan() const;
  /// The scope's stage of that run, or the first.
  std::optional<StagePlan> stage() const;

 Q_SIGNALS:
  void changed();  ///< keys or scope

 private:
  void reread();
  void chooseScope();

  ExperimentDocument& document_;
  Json root_;
  Json keys_;
  QString whyUnreadable_;
  ExperimentScope scope_;
  std::string opened_;  ///< the text for which the scope was chosen
  std::vector<FormKey> form_;
};

}  // namespace slipstream::ui
