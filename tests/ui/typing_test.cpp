// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever types an experiment as text: keys do what the window's buttons do, and nothing moves under the caret.
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/user_input.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/experiment_page.h"
#include "ui/experiment/json_editor.h"
#include "ui/experiment/json_fields.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"

namespace slipstream::ui {
namespace {

constexpr const char* example = R"({
  "name": "typed",
  "network": "lenet5",
  "dataset": {"name": "digits", "train_samples": 640},
  "variants": [{"name": "averaged"}, {"name": "adasum", "boost": {"level": "O2", "dictionary": {"adasum": {"mode": "gradients"}}}}]
}
)";

class Typing : public testing::Test {
 protected:
  Typing() {
    small_.open();
    document().start(example);
    window_.resize(1280, 800);
    window_.show();
  }
  ExperimentDocument& document() { return small_.workspace.experiment(); }
  JsonEditor* editorOn(PageId page) {
    window_.showPage(page);
    EXPECT_TRUE(test::eventually([&] { return !document().isPlanning(); }));
    auto* editor = window_.page(page)->findChild<JsonEditor*>();
    editor->setFocus();
    return editor;
  }
  void undo(QWidget* at) { press(at, QKeySequence::Undo); }
  void redo(QWidget* at) { press(at, QKeySequence::Redo); }

  /// The first keys of a standard shortcut, at the widget that has the focus, in a window that is in front.
  void press(QWidget* at, QKeySequence::StandardKey key) {
    window_.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    at->setFocus();
    const QKeyCombination keys = QKeySequence(key)[0];
    QTest::keyClick(at, keys.key(), keys.keyboardModifiers());
  }

  test::SmallWorkspace small_;
  MainWindow window_{small_.workspace};
};

TEST_F(Typing, UndoAndRedoWorkWhereTheCaretIs) {
  for (const PageId page : {PageId::plan, PageId::boost}) {
    JsonEditor* editor = editorOn(page);
    const std::string before = document().text();
    QTextCursor cursor = editor->textCursor();
    cursor.setPosition(1);
    editor->setTextCursor(cursor);
    QTest::keyClick(editor, Qt::Key_Space);
    const std::string typed = document().text();
    ASSERT_NE(typed, before) << window_.page(page)->title().toStdString();
    undo(editor);
    EXPECT_EQ(document().text(), before) << window_.page(page)->title().toStdString();
    redo(editor);
    EXPECT_EQ(document().text(), typed) << window_.page(page)->title().toStdString();
    undo(editor);
    EXPECT_EQ(document().text(), before) << window_.page(page)->title().toStdString();
  }
}

TEST_F(Typing, UndoWorksInAFieldThatHasNothingOfItsOwnToUndo) {
  editorOn(PageId::plan);
  const std::string before = document().text();
  document().edit(before + " ", QStringLiteral("Edit"));
  QLineEdit* field = nullptr;
  for (QLineEdit* one : window_.page(PageId::plan)->findChildren<QLineEdit*>()) {
    if (field == nullptr && one->isVisible() && one->isEnabled() && !one->isUndoAvailable()) field = one;
  }
  ASSERT_NE(field, nullptr);
  undo(field);
  EXPECT_EQ(document().text(), before);
}

/// Where everything on the page stands, and what its head says.
struct Layout {
  QRect editor;
  QString title;
  QStringList variants;
  bool hasVariants = false;
  bool operator==(const Layout&) const = default;
};

Layout layoutOf(const MainWindow& mainWindow, const Page* page, const JsonEditor* editor) {
  const auto* header = page->findChild<ExperimentHeader*>();
  const auto* scopes = header->findChild<QComboBox*>();
  Layout layout{QRect(editor->mapTo(&mainWindow, QPoint()), editor->size()),
                header->findChild<ElidedLabel*>()->whole(),
                {},
                scopes->isVisibleTo(header)};
  for (int i = 0; i < scopes->count(); ++i) layout.variants << scopes->itemText(i);
  return layout;
}

TEST_F(Typing, ASyntaxErrorMovesNothing) {
  for (const PageId id : {PageId::plan, PageId::boost}) {
    JsonEditor* editor = editorOn(id);
    const Page* page = window_.page(id);
    ASSERT_TRUE(test::answered(small_.workspace));
    const Layout before = layoutOf(window_, page, editor);
    EXPECT_TRUE(before.hasVariants);
    QTextCursor cursor = editor->textCursor();
    cursor.setPosition(1);
    editor->setTextCursor(cursor);
    QTest::keyClick(editor, Qt::Key_Comma);
    ASSERT_FALSE(document().editing().isReadable()) << page->title().toStdString();
    ASSERT_TRUE(test::answered(small_.workspace));
    EXPECT_EQ(layoutOf(window_, page, editor), before) << page->title().toStdString();
    const auto labels = page->findChildren<ElidedLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const ElidedLabel* label) {
      return label->isVisible() && label->whole() == document().editing().whyUnreadable();
    })) << "what is wrong is said";
    undo(editor);
    ASSERT_TRUE(document().editing().isReadable());
    EXPECT_EQ(layoutOf(window_, page, editor), before) << page->title().toStdString();
  }
}

}  // namespace
}  // namespace slipstream::ui
