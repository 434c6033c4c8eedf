#include "ui/workspace/workspace.h"

namespace slipstream::ui {

Workspace::Workspace(QObject* parent)
    : QObject(parent), store_(this), selection_(this), experiment_(this), rankTable_(this), launcher_(store_, this) {
  undo_.addStack(&labelUndo_);
  undo_.addStack(&experiment_.undoStack());
  undo_.addStack(&rankTable_.undoStack());
  undo_.setActiveStack(&labelUndo_);
  connect(&store_, &StoreWatcher::opened, this, [this] {
    selection_.setCurrent({});
    labelUndo_.clear();  // its steps are about runs of another store
  });
  connect(&store_, &StoreWatcher::troubled, this, &Workspace::said);
  connect(&store_, &StoreWatcher::noticed, this, &Workspace::said);
  connect(&launcher_, &Launcher::refused, this, &Workspace::said);
  connect(&launcher_, &Launcher::told, this, &Workspace::said);
  connect(&launcher_, &Launcher::started, this, [this](const QString& run) {
    store_.poll();
    selection_.setCurrent(run.toStdString());
    goTo(QStringLiteral("charts"));
  });
}

void Workspace::recoverDrafts() {
  experiment_.recoverDraft();
  rankTable_.recoverDraft();
}

std::shared_ptr<void> Workspace::beginExport() {
  ++*exports_;
  return {nullptr, [exports = exports_](void*) { --*exports; }};
}

const RunRow* Workspace::currentRun() const {
  return store_.snapshot()->find(selection_.current());
}

}  // namespace slipstream::ui
