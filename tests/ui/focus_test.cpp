// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever works with the keyboard sees where they are: the focus changes what is drawn around every stop of Tab.
#include <QMenu>
#include <QSet>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace slipstream::ui {
namespace {

int differing(const QImage& before, const QImage& after, const QRect& place) {
  int count = 0;
  for (int y = place.top(); y <= place.bottom(); ++y) {
    for (int x = place.left(); x <= place.right(); ++x) count += before.pixel(x, y) != after.pixel(x, y) ? 1 : 0;
  }
  return count;
}

QString nameOf(const QWidget* widget) {
  return QStringLiteral("%1 \"%2\"").arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName());
}

TEST(Focus, IsSeenAtEveryStop) {
  constexpr int visible = 16;
  test::SmallWorkspace small;
  std::vector<std::string> runs;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    runs.push_back(test::recordRun(*small.store, {.variant = "mean", .seed = seed}));
    runs.push_back(test::recordRun(*small.store, {.variant = "adasum", .seed = seed, .adasum = true}));
  }
  small.open();
  MainWindow window(small.workspace);
  window.resize(1280, 800);
  window.show();
  window.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  small.workspace.selection().setShown(runs, runs.front());
  QTest::keyClick(&window, Qt::Key_Shift);  // whole lists have a ring for those who use keys
  QStringList unseen;
  int stops = 0;
  for (const PageId page : {PageId::runs, PageId::charts, PageId::compare, PageId::checkpoints, PageId::report}) {
    window.showPage(page);
    ASSERT_TRUE(test::answered(small.workspace));
    window.setFocus();
    const QImage without = window.grab().toImage();
    for (QWidget* widget = window.nextInFocusChain(); widget != &window; widget = widget->nextInFocusChain()) {
      const bool stop = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible() && widget->isEnabled() &&
                        widget->window() == &window && !widget->visibleRegion().isEmpty() &&
                        widget->focusProxy() == nullptr;
      if (!stop) continue;
      widget->setFocus(Qt::TabFocusReason);
      if (!widget->hasFocus()) continue;
      ++stops;
      const QRect place =
          QRect(widget->mapTo(&window, QPoint()), widget->size()).adjusted(-4, -4, 4, 4) & window.rect();
      if (differing(without, window.grab().toImage(), place) < visible) {
        unseen << QStringLiteral("%1: %2").arg(window.page(page)->title(), nameOf(widget));
      }
      window.setFocus();
    }
  }
  EXPECT_GT(stops, 40);
  EXPECT_TRUE(unseen.isEmpty()) << unseen.join(QLatin1Char('\n')).toStdString();
}

TEST(Menus, ShowWhatIsTickedInBothThemes) {
  test::SmallWorkspace small;
  for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
    applyTheme(*qApp, theme);
    QMenu menu;
    QAction* ticked = menu.addAction(QStringLiteral("Run details"));
    ticked->setCheckable(true);
    menu.ensurePolished();
    menu.adjustSize();
    const QImage off = menu.grab().toImage();
    ticked->setChecked(true);
    const QImage on = menu.grab().toImage();
    int strong = 0;
    for (int y = 0; y < on.height(); ++y) {
      for (int x = 0; x < on.width(); ++x) {
        const bool changed = on.pixel(x, y) != off.pixel(x, y);
        const int contrast = std::abs(qGray(on.pixel(x, y)) - tokens().base.lightness());
        strong += changed && contrast > 90 ? 1 : 0;
      }
    }
    EXPECT_GT(strong, 8) << "the tick cannot be told from the menu";
    EXPECT_NE(on.pixelColor(on.width() / 2, 0), tokens().base) << "the menu has an edge";
  }
  applyTheme(*qApp, ThemeChoice::light);
}

TEST(Keys, OfFilesAreThereOnEveryDesktop) {
  test::SmallWorkspace small;
  const MainWindow window(small.workspace);
  const Actions& actions = window.actions();
  for (const QAction* action : {actions.saveAs, actions.openExperiment, actions.openRankTable, actions.openStore}) {
    EXPECT_FALSE(action->shortcut().isEmpty()) << action->text().toStdString();
  }
  QSet<QString> keys;
  int all = 0;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (action->shortcutContext() != Qt::WindowShortcut) continue;
    for (const QKeySequence& one : action->shortcuts()) {
      keys.insert(one.toString());
      ++all;
    }
  }
  EXPECT_EQ(keys.size(), all) << "two actions share a key";
}

}  // namespace
}  // namespace slipstream::ui
