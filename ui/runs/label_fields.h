// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <string>

#include "ui/runs/typed_text.h"
#include "ui/workspace/workspace.h"

class QLineEdit;
class QPlainTextEdit;

namespace slipstream::ui {

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
