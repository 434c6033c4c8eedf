#include "ui/window/command_box.h"

#include "ui/theme/icons.h"

namespace slipstream::ui {

CommandBox::CommandBox(std::function<std::vector<QAction*>()> actions, QWidget* parent)
    : QLineEdit(parent), actions_(std::move(actions)) {
  setPlaceholderText(tr("Type a command, a run or a metric"));
  setAccessibleName(tr("Command box"));
  addAction(icon(Symbol::search, IconInk::second), QLineEdit::LeadingPosition);
}

}  // namespace slipstream::ui
