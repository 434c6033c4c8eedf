// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/undo_keys.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace slipstream::ui {
namespace {

/// The field that would take the key: the widget itself, or the one inside a box with arrows or a list.
const QLineEdit* fieldOf(const QWidget* widget) {
  const auto* field = qobject_cast<const QLineEdit*>(widget);
  return field != nullptr ? field : widget->findChild<const QLineEdit*>({}, Qt::FindDirectChildrenOnly);
}

/// It has typing of its own to undo or redo, which is not in the document yet.
bool hasOwn(const QWidget* widget, bool undo) {
  if (const auto* editor = qobject_cast<const QPlainTextEdit*>(widget)) {
    return undo ? editor->document()->isUndoAvailable() : editor->document()->isRedoAvailable();
  }
  const QLineEdit* field = fieldOf(widget);
  return field != nullptr && (undo ? field->isUndoAvailable() : field->isRedoAvailable());
}

}  // namespace

UndoKeys::UndoKeys(QWidget* window) : QObject(window), window_(window) {
  qApp->installEventFilter(this);
}

bool UndoKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool undo = key->matches(QKeySequence::Undo);
  if (!undo && !key->matches(QKeySequence::Redo)) return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget->window() != window_ || hasOwn(widget, undo)) return false;
  event->ignore();
  return true;
}

}  // namespace slipstream::ui
