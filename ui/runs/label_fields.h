// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "ui/workspace/workspace.h"

class QLineEdit;
class QPlainTextEdit;

namespace slipstream::ui {

class Workspace;

/// Changes labels of runs as one step of the workspace's undo history; `step` names it. `change` gets each label as it
/// is in the store at that moment, so that what other windows write meanwhile stays; undoing gives back what the step
/// changed, and nothing else. What does not change is left alone. Where the store cannot be written to, that is
/// reported, the step is dropped and `failed` called.
void editLabels(Workspace& workspace, const std::vector<std::string>& runs, const QString& step,
                const std::function<void(RunLabel&)>& change, const std::function<void()>& failed = {});

/// One run is the baseline that others are held against; pinning it frees the one before.
void pinBaseline(Workspace& workspace, const std::string& run);

/// "a, b ,a" as tags: a and b.
std::vector<std::string> tagsOf(const QString& text);

/// Whether those that are not among `known` may be tags (run_selection.h).
Status checkNewTags(const std::vector<std::string>& tags, const std::vector<std::string>& known);

/// A field of what a store keeps, while people type in it: what they type stays until it is kept, whatever the store
/// says meanwhile.
class TypedText {
 public:
  /// Whether a field that holds `text` shall show what the store has now.
  bool gives(const QString& stored, const QString& text) {
    const bool isNew = seen_ != stored;
    const bool typed = isTyped(text);
    seen_ = stored;
    if (!isNew || typed) return false;
    kept_ = stored;
    return true;
  }
  /// Something is in the field that was neither shown nor kept.
  bool isTyped(const QString& text) const { return seen_ && text != kept_; }
  /// It is on its way to the store.
  void keep(const QString& text) { kept_ = text; }
  /// It did not get there.
  void unkeep() { kept_ = seen_.value_or(QString()); }

 private:
  std::optional<QString> seen_;  ///< what the store had last; nothing before the first poll
  QString kept_;                 ///< what the field was given, or gave
};

/// Tags and note of a run, to be typed. What is typed is kept when its field is left, when another run is shown and
/// when the fields are hidden, as one undo step each; until then nothing that the store says touches it.
class LabelFields : public QWidget {
  Q_OBJECT

 public:
  LabelFields(Workspace& workspace, QWidget* parent = nullptr);
  ~LabelFields() override;

  /// The run that they are about; empty: none. What is typed belongs to the one before, and is kept.
  void setRun(const std::string& run);
  /// What the store has now.
  void showLabel(const RunLabel& label);
  /// Ready for tags to be typed.
  void edit();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void keep();
  void keepTags();
  void keepNote();
  std::function<void()> ifUnwritten(TypedText LabelFields::*field);

  Workspace& workspace_;
  QLineEdit* tags_;
  QPlainTextEdit* note_;
  std::string run_;
  TypedText typedTags_, typedNote_;
};

}  // namespace slipstream::ui
