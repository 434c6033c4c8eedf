#include "ui/runs/label_edit.h"

#include <QCoreApplication>
#include <QPointer>
#include <QUndoCommand>
#include <algorithm>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {
namespace {

struct Change {
  std::string run;
  RunLabel before, after;
};

class LabelEdit : public QUndoCommand {
 public:
  LabelEdit(Workspace& workspace, std::vector<Change> changes, const QString& words)
      : QUndoCommand(words), workspace_(workspace), changes_(std::move(changes)) {}

  void undo() override { write(&Change::before); }
  void redo() override { write(&Change::after); }

 private:
  /// A run that was removed for good meanwhile has no label to set.
  void write(RunLabel Change::*label) {
    const Status written = workspace_.store().write([&](RunStore& store) {
      for (const Change& change : changes_) {
        if (store.find(change.run)) store.setLabel(change.run, change.*label);
      }
    });
    if (written) return;
    workspace_.say(QString::fromStdString(toText(written.error())));
    setObsolete(true);
  }

  Workspace& workspace_;
  std::vector<Change> changes_;
};

void push(Workspace& workspace, std::vector<Change> changes, const QString& words) {
  std::erase_if(changes, [](const Change& change) { return change.before == change.after; });
  if (changes.empty()) return;
  workspace.labelUndo().push(new LabelEdit(workspace, std::move(changes), words));
}

}  // namespace

void editLabels(Workspace& workspace, const std::vector<std::string>& runs, const QString& words,
                const std::function<void(RunLabel&)>& change) {
  const StoreSnapshotPointer snapshot = workspace.store().snapshot();
  std::vector<Change> changes;
  for (const std::string& run : runs) {
    const RunRow* row = snapshot->find(run);
    if (row == nullptr) continue;
    changes.push_back({run, row->label, row->label});
    change(changes.back().after);
  }
  push(workspace, std::move(changes), words);
}

void pinBaseline(Workspace& workspace, const std::string& run) {
  std::vector<Change> changes;
  for (const RunRow& row : workspace.store().snapshot()->runs) {
    if (!row.label.pinned && row.run.id != run) continue;
    changes.push_back({row.run.id, row.label, row.label});
    changes.back().after.pinned = row.run.id == run;
  }
  push(workspace, std::move(changes), QCoreApplication::translate("RunActions", "Pin as baseline"));
}

std::vector<std::string> tagsOf(const QString& text) {
  std::vector<std::string> tags;
  for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    std::string tag = part.simplified().toStdString();
    if (!tag.empty() && std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(std::move(tag));
  }
  return tags;
}

}  // namespace slipstream::ui
