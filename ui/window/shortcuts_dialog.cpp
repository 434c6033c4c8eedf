// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcuts_dialog.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <map>

#include "ui/widgets/widgets.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {
namespace {

constexpr int shortcutsWidth = 560, shortcutsHeight = 560, actionWidth = 340;

using Rows = QList<std::pair<QString, QString>>;

QString plain(const QAction& action) {
  return action.text().remove(QLatin1Char('&'));
}

/// Of the actions that are the widget's own, each once.
Rows rowsOf(const QList<QAction*>& actions) {
  std::map<QString, QStringList> keys;
  for (const QAction* action : actions) {
    for (const QKeySequence& shortcut : action->shortcuts()) {
      const QString text = shortcut.toString(QKeySequence::NativeText);
      if (!text.isEmpty() && !plain(*action).isEmpty() && !keys[plain(*action)].contains(text)) {
        keys[plain(*action)] << text;
      }
    }
  }
  Rows rows;
  for (const auto& [title, shortcuts] : keys) {
    if (!shortcuts.isEmpty()) rows.append({title, shortcuts.join(QStringLiteral(", "))});
  }
  return rows;
}

QString native(int key) {
  return QKeySequence(key).toString(QKeySequence::NativeText);
}

/// What charts handle themselves: LineChart::keyPressEvent.
Rows chartKeys() {
  const QString arrows = QStringLiteral("← →");
  return {{ShortcutsDialog::tr("Move the cursor"), arrows},
          {ShortcutsDialog::tr("Cursor to the first or the last step"),
           native(Qt::Key_Home) + QStringLiteral(", ") + native(Qt::Key_End)},
          {ShortcutsDialog::tr("Zoom in and out"), QStringLiteral("+, −")},
          {ShortcutsDialog::tr("Enlarge the chart, and back"),
           native(Qt::Key_Return) + QStringLiteral(", ") + native(Qt::Key_Escape)}};
}

/// What tables and lists handle themselves.
Rows tableKeys() {
  return {{ShortcutsDialog::tr("Move in the table"), QStringLiteral("↑ ↓")},
          {ShortcutsDialog::tr("Tick a run, hide a curve"), native(Qt::Key_Space)},
          {ShortcutsDialog::tr("Open a group, show a curve alone"), native(Qt::Key_Return)},
          {ShortcutsDialog::tr("Copy the chosen rows"),
           QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText)}};
}

}  // namespace

ShortcutsDialog::ShortcutsDialog(const QWidget& window, QWidget* parent)
    : QDialog(parent), search_(new QLineEdit), list_(new QTreeWidget) {
  setWindowTitle(tr("Keyboard shortcuts"));
  resize(shortcutsWidth, shortcutsHeight);
  QVBoxLayout* layout = column(this, gapWide);
  layout->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
  search_->setPlaceholderText(tr("Find a shortcut"));
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  list_->setHeaderLabels({tr("Action"), tr("Keys")});
  list_->setAccessibleName(windowTitle());
  list_->setRootIsDecorated(false);
  list_->setColumnWidth(0, widthForFont(actionWidth));
  layout->addWidget(search_);
  layout->addWidget(list_, 1);
  addGroup(tr("Window"), rowsOf(window.findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly)));
  for (const Page* page : window.findChildren<Page*>()) addGroup(page->title(), rowsOf(page->actions()));
  addGroup(tr("In a chart"), chartKeys());
  addGroup(tr("In a table"), tableKeys());
  connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
}

void ShortcutsDialog::addGroup(const QString& title, const QList<std::pair<QString, QString>>& rows) {
  if (rows.isEmpty()) return;
  auto* group = new QTreeWidgetItem(list_, {title});
  group->setFont(0, textFont(TextSize::section));
  group->setFlags(Qt::ItemIsEnabled);
  for (const auto& [action, keys] : rows) new QTreeWidgetItem(group, {action, keys});
  group->setExpanded(true);
}

void ShortcutsDialog::filter(const QString& words) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* group = list_->topLevelItem(i);
    bool any = false;
    for (int row = 0; row < group->childCount(); ++row) {
      QTreeWidgetItem* item = group->child(row);
      const bool found =
          item->text(0).contains(words, Qt::CaseInsensitive) || item->text(1).contains(words, Qt::CaseInsensitive);
      item->setHidden(!found);
      any = any || found;
    }
    group->setHidden(!any);
  }
}

}  // namespace slipstream::ui
