// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences, the list of shortcuts and the help.
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTextBrowser>
#include <QTextTable>
#include <QTreeWidget>

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "ui/theme/theme.h"
#include "ui/window/help_window.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/shortcuts_dialog.h"
#include "ui/window/windows.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

template <class Widget>
Widget* controlNamed(QWidget& parent, const char* name) {
  for (auto* found : parent.findChildren<Widget*>()) {
    if (found->accessibleName() == QLatin1String(name)) return found;
  }
  return nullptr;
}

class PreferencesTest : public testing::Test {
 protected:
  /// The window goes first: another style sheet of all its widgets takes seconds.
  ~PreferencesTest() override {
    open.reset();
    setFontScale(usualFontPercent);
    Settings::setFontPercent(usualFontPercent);
    Settings::setTheme(ThemeChoice::light);
    Settings::setStoreFolder({});
    Settings::setGroupsDigits(true);
    useLanguage({});
    applyTheme(*qApp, ThemeChoice::light);
  }

  Workspace workspace;
  std::unique_ptr<MainWindow> open = std::make_unique<MainWindow>(workspace);
  MainWindow& window = *open;
};

TEST_F(PreferencesTest, TheFontGrowsAtOnceAndIsRemembered) {
  const double usual = QFontInfo(QApplication::font()).pixelSize();
  PreferencesDialog dialog(window.actions());
  controlNamed<QSpinBox>(dialog, "Font size")->setValue(150);
  EXPECT_NEAR(QFontInfo(QApplication::font()).pixelSize(), 1.5 * usual, 1);
  EXPECT_EQ(Settings::fontPercent(), 150);
}

TEST_F(PreferencesTest, ThemeIsTheMenusTheme) {
  PreferencesDialog dialog(window.actions());
  auto* theme = controlNamed<QComboBox>(dialog, "Theme");
  theme->setCurrentIndex(2);
  Q_EMIT theme->activated(2);
  EXPECT_TRUE(window.actions().themeDark->isChecked());
  EXPECT_EQ(Settings::theme(), ThemeChoice::dark);
  EXPECT_TRUE(tokens().dark);
  window.actions().themeLight->trigger();
  EXPECT_EQ(theme->currentIndex(), 1);
}

TEST_F(PreferencesTest, NumbersAreGroupedOrNotInAllThatIsMadeAfterwards) {
  PreferencesDialog dialog(window.actions());
  auto* numbers = controlNamed<QComboBox>(dialog, "Numbers");
  const QSignalSpy made(&window, &MainWindow::languageChosen);
  const auto textsAfter = [&](int choice) {
    numbers->setCurrentIndex(choice);
    Q_EMIT numbers->activated(choice);
    useLanguage(Settings::language());  // as the window that is made anew does
    return QLocale().toString(1234567) + QLatin1Char(' ') + QString::fromStdString(countText(1234567));
  };
  EXPECT_EQ(textsAfter(1), QStringLiteral("1234567 1234567"));
  EXPECT_FALSE(Settings::groupsDigits());
  EXPECT_EQ(made.count(), 1);
  EXPECT_EQ(textsAfter(0), QStringLiteral("1,234,567 1,234,567"));
  EXPECT_EQ(made.count(), 2);
}

TEST_F(PreferencesTest, TheStoreIsRememberedAndDefaultsComeBack) {
  PreferencesDialog dialog(window.actions());
  auto* store = controlNamed<QLineEdit>(dialog, "Store at the start");
  store->setText(QStringLiteral("/somewhere"));
  Q_EMIT store->editingFinished();
  EXPECT_EQ(Settings::storeFolder(), QStringLiteral("/somewhere"));
  controlNamed<QSpinBox>(dialog, "Font size")->setValue(120);
  for (auto* found : dialog.findChildren<QPushButton*>()) {
    if (found->text() == QStringLiteral("Reset to defaults")) found->click();
  }
  EXPECT_TRUE(Settings::storeFolder().isEmpty());
  EXPECT_EQ(Settings::fontPercent(), usualFontPercent);
  EXPECT_EQ(Settings::theme(), ThemeChoice::system);
}

TEST_F(PreferencesTest, ShortcutsAreThoseOfTheActions) {
  ShortcutsDialog dialog(window);
  auto* list = dialog.findChild<QTreeWidget*>();
  const auto rowOf = [&](const QString& title) {
    const auto found = list->findItems(title, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.front();
  };
  for (const QAction* action : {window.actions().launch, window.actions().preferences, window.actions().nextProblem}) {
    QTreeWidgetItem* row = rowOf(action->text());
    ASSERT_NE(row, nullptr) << action->text().toStdString();
    EXPECT_TRUE(row->text(1).contains(action->shortcut().toString(QKeySequence::NativeText)));
  }
  dialog.findChild<QLineEdit*>()->setText(QStringLiteral("preferences"));
  EXPECT_FALSE(rowOf(window.actions().preferences->text())->isHidden());
  EXPECT_TRUE(rowOf(window.actions().launch->text())->isHidden());
}

TEST_F(PreferencesTest, AQuestionMarkShowsTheShortcuts) {
  EXPECT_EQ(window.actions().shortcuts->shortcut(), QKeySequence(Qt::Key_Question));
}

TEST_F(PreferencesTest, EveryAlgorithmHasAPageWhoseTablesFit) {
  HelpWindow help;
  help.show();
  auto* pages = help.findChild<QListWidget*>();
  auto* text = help.findChild<QTextBrowser*>();
  EXPECT_GE(pages->count(), static_cast<int>(switchedAlgorithms().size()));
  for (int row = 0; row < pages->count(); ++row) {
    pages->setCurrentRow(row);
    EXPECT_GT(text->toPlainText().size(), 200) << pages->item(row)->text().toStdString();
    EXPECT_LE(text->document()->size().width(), text->viewport()->width() + 1)
        << pages->item(row)->text().toStdString();
  }
}

}  // namespace
}  // namespace slipstream::ui
