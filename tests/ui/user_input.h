// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QLineEdit>
#include <QString>
#include <QTest>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

namespace slipstream::test {

/// The widget inside `where` that screen readers know by this name; fails the test where there is none.
template <class Widget>
Widget* called(const QWidget* where, const QString& name) {
  for (Widget* widget : where->findChildren<Widget*>()) {
    if (widget->accessibleName() == name) return widget;
  }
  ADD_FAILURE() << "nothing is called " << name.toStdString();
  return nullptr;
}

/// The visible button with these words; fails the test where there is none.
QAbstractButton* buttonWith(const QWidget* where, const QString& words);

/// Clicks in the middle of it with the left button.
void click(QWidget* widget);
/// Presses what the tool bar of a window shows for an action.
void clickTool(const QWidget* window, QAction* action);

/// A key of the window as a whole, which has to be in front for it.
void pressKey(QWidget* window, Qt::Key key, Qt::KeyboardModifiers modifiers);

/// Replaces all that a line holds, key by key.
void typeInto(QWidget* field, const QString& text);

/// Answers the next dialog for files: this file, and the button that accepts it.
void chooseInNextDialog(const std::filesystem::path& file);

}  // namespace slipstream::test
