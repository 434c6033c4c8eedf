// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/user_input.h"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <gtest/gtest.h>

namespace slipstream::test {

QAbstractButton* buttonWith(const QWidget* where, const QString& words) {
  for (auto* button : where->findChildren<QAbstractButton*>()) {
    if (button->text() == words && button->isVisible()) return button;
  }
  ADD_FAILURE() << "no button says " << words.toStdString();
  return nullptr;
}

void click(QWidget* widget) {
  ASSERT_NE(widget, nullptr);
  ASSERT_TRUE(widget->isVisible() && widget->isEnabled()) << widget->accessibleName().toStdString();
  QTest::mouseClick(widget, Qt::LeftButton);
}

void clickTool(const QWidget* window, QAction* action) {
  for (auto* button : window->findChildren<QToolButton*>()) {
    if (button->defaultAction() == action && button->isVisible()) return click(button);
  }
  ADD_FAILURE() << "the tool bar does not show " << action->text().toStdString();
}

void pressKey(QWidget* window, Qt::Key key, Qt::KeyboardModifiers modifiers) {
  window->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(window));
  QTest::keyClick(window, key, modifiers);
}

void typeInto(QWidget* field, const QString& text) {
  ASSERT_NE(field, nullptr);
  auto* line = qobject_cast<QLineEdit*>(field);
  if (line == nullptr) line = field->findChild<QLineEdit*>();
  ASSERT_NE(line, nullptr);
  line->setFocus();
  line->selectAll();
  if (text.isEmpty()) QTest::keyClick(line, Qt::Key_Delete);
  QTest::keyClicks(line, text);
}

void chooseInNextDialog(const std::filesystem::path& file) {
  auto* waiting = new QTimer(qApp);
  QObject::connect(waiting, &QTimer::timeout, qApp, [waiting, file] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    waiting->deleteLater();
    waiting->stop();
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    ASSERT_NE(name, nullptr);
    name->setText(QString::fromStdString(file.string()));
    QTest::keyClick(name, Qt::Key_Return);
  });
  waiting->start(10);
}

}  // namespace slipstream::test
