#pragma once

#include <QDockWidget>
#include <QStringList>
#include <functional>

#include "ui/runs/run_facts.h"
#include "ui/runs/typed_text.h"
#include "ui/workspace/workspace.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace slipstream::ui {

class ElidedLabel;
class StateChip;

/// What there is to know of the current run: how it ended and why, what it did otherwise than the baseline, where it
/// ran, and how to repeat it. Tags and the note are edited here: what is typed is kept when its field is left, when
/// another run is chosen and when the window closes, as one undo step.
class RunInspector : public QDockWidget {
  Q_OBJECT

 public:
  RunInspector(Workspace& workspace, QWidget* parent);
  ~RunInspector() override;

  /// Comes to sight, ready for tags to be typed.
  void editTags();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  QWidget* buildLabels();
  void refresh();
  void refreshHead();
  void read();
  void showFacts(const RunFacts& facts);
  void addFact(const QString& name, const QString& value);
  void showLabels(const RunLabel& label);
  void saveLabels();
  void saveTags();
  void saveNote();
  std::function<void()> ifUnwritten(TypedText RunInspector::*field);

  Workspace& workspace_;
  ElidedLabel* title_;
  StateChip* state_;
  QLabel* why_;
  QPlainTextEdit* lines_;
  QLineEdit* tags_;
  QPlainTextEdit* note_;
  QLabel* differencesHead_;
  QLabel* noDifference_;
  QFormLayout* differences_;
  QFormLayout* facts_;
  QPlainTextEdit* command_;
  Newest newest_;
  std::string run_;  ///< that is shown
  TypedText typedTags_, typedNote_;
  QString readStamp_;  ///< of what was read of it
};

}  // namespace slipstream::ui
