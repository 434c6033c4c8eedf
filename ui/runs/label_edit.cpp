// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QUndoCommand>
#include <algorithm>
#include <map>
#include <optional>

#include "engine/runs/run_selection.h"
#include "ui/runs/label_fields.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {
namespace {

struct Change {
  std::string run;
  RunLabel before, after;
};
using Changes = std::vector<Change>;
/// What a step does to the labels as they are.
using Make = std::function<Changes(RunStore&)>;

/// Each field that differs between `from` and `to` becomes what it is in `to`.
void carryOver(const RunLabel& from, const RunLabel& to, RunLabel& label) {
  const auto carry = [&](auto RunLabel::*field) {
    if (from.*field != to.*field) label.*field = to.*field;
  };
  carry(&RunLabel::title);
  carry(&RunLabel::note);
  carry(&RunLabel::tags);
  carry(&RunLabel::pinned);
  carry(&RunLabel::archived);
}

RunLabel labelOf(const std::map<std::string, RunLabel>& labels, const std::string& run) {
  const auto found = labels.find(run);
  return found == labels.end() ? RunLabel{} : found->second;
}

/// All or nothing, and nobody writes in between.
void inOneTransaction(RunStore& store, const std::function<void()>& action) {
  store.begin();
  try {
    action();
    store.commit();
  } catch (...) {
    store.rollback();
    throw;
  }
}

/// One step of the undo history. What it has changed is known once the writer was there: only its thread touches that.
class LabelEdit : public QUndoCommand {
 public:
  LabelEdit(Workspace& workspace, Make make, std::function<void()> failed, const QString& step)
      : QUndoCommand(step), workspace_(workspace), state_(std::make_shared<State>()) {
    state_->make = std::move(make);
    state_->failed = std::move(failed);
  }

  void undo() override { write(false); }
  void redo() override { write(true); }

 private:
  struct State {
    Make make;
    std::function<void()> failed;
    std::optional<Changes> changes;  ///< the writer's thread
    bool isDropped = false;          ///< the window's thread
  };

  static void apply(State& state, bool forth, RunStore& store) {
    if (!state.changes) {
      Changes made = state.make(store);
      std::erase_if(made, [](const Change& change) { return change.before == change.after; });
      for (const Change& change : made) store.setLabel(change.run, change.after);
      state.changes = std::move(made);
      return;
    }
    const std::map<std::string, RunLabel> labels = store.labels();
    for (const Change& change : *state.changes) {
      if (!store.find(change.run)) continue;  // removed for good meanwhile
      RunLabel label = labelOf(labels, change.run);
      carryOver(forth ? change.before : change.after, forth ? change.after : change.before, label);
      store.setLabel(change.run, label);
    }
  }

  void write(bool forth) {
    if (state_->isDropped) return setObsolete(true);
    workspace_.store().write(
        &workspace_,
        [state = state_, forth](RunStore& store) { inOneTransaction(store, [&] { apply(*state, forth, store); }); },
        [workspace = &workspace_, state = state_, forth](const Status& written) {
          if (written) return;
          workspace->report(QString::fromStdString(toText(written.error())));
          state->isDropped = true;
          drop(workspace->labelUndo(), *state, forth);
          if (state->failed) state->failed();
        });
  }

  /// A step that was not written leaves the history: at once where it is the newest, else when it is come to.
  static void drop(QUndoStack& stack, const State& state, bool forth) {
    const int place = forth ? stack.index() - 1 : stack.index();
    if (place < 0 || place >= stack.count()) return;
    const auto* command = dynamic_cast<const LabelEdit*>(stack.command(place));
    if (command == nullptr || command->state_.get() != &state) return;
    forth ? stack.undo() : stack.redo();
  }

  Workspace& workspace_;
  std::shared_ptr<State> state_;
};

}  // namespace

void editLabels(Workspace& workspace, const std::vector<std::string>& chosen, const QString& step,
                const std::function<void(RunLabel&)>& change, const std::function<void()>& failed) {
  const StoreSnapshotPointer snapshot = workspace.store().snapshot();
  std::vector<std::string> runs = chosen;
  // What is said of a copy is said where it is from.
  std::erase_if(runs, [&](const std::string& run) {
    const RunRow* row = snapshot->find(run);
    return row != nullptr && !row->run.remote.empty();
  });
  const bool changes = std::any_of(runs.begin(), runs.end(), [&](const std::string& run) {
    const RunRow* row = snapshot->find(run);
    if (row == nullptr) return false;
    RunLabel label = row->label;
    change(label);
    return label != row->label;
  });
  // While something is being written the snapshot may be behind.
  if (!changes && !workspace.store().isWriting()) return;
  const auto make = [runs, change](RunStore& store) {
    const std::map<std::string, RunLabel> labels = store.labels();
    Changes made;
    for (const std::string& run : runs) {
      if (!store.find(run)) continue;
      const RunLabel label = labelOf(labels, run);
      made.push_back({run, label, label});
      change(made.back().after);
    }
    return made;
  };
  workspace.labelUndo().push(new LabelEdit(workspace, make, failed, step));
}

void pinBaseline(Workspace& workspace, const std::string& run) {
  const auto make = [run](RunStore& store) {
    Changes made;
    for (const auto& [other, label] : store.labels()) {
      const auto record = store.find(other);
      if (!label.pinned || other == run || !record || !record->remote.empty()) continue;
      made.push_back({other, label, label});
      made.back().after.pinned = false;
    }
    if (!store.find(run)) return made;
    const RunLabel label = labelOf(store.labels(), run);
    made.push_back({run, label, label});
    made.back().after.pinned = true;
    return made;
  };
  workspace.labelUndo().push(
      new LabelEdit(workspace, make, {}, QCoreApplication::translate("RunActions", "Pin as baseline")));
}

Status checkNewTags(const std::vector<std::string>& tags, const std::vector<std::string>& known) {
  for (const std::string& tag : tags) {
    if (std::ranges::find(known, tag) == known.end()) SLIPSTREAM_CHECK(checkNewTag(tag, "tag"));
  }
  return {};
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
