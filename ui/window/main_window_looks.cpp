// SPDX-License-Identifier: GPL-3.0-or-later
// Theme, language and layout of the window.
#include <QApplication>

#include "ui/parts/message_box.h"
#include "ui/window/layout_memory.h"
#include "ui/window/main_window.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {

void MainWindow::connectLooks() {
  const std::pair<QAction*, ThemeChoice> themes[] = {{actions_.themeSystem, ThemeChoice::system},
                                                     {actions_.themeLight, ThemeChoice::light},
                                                     {actions_.themeDark, ThemeChoice::dark}};
  for (const auto& [action, choice] : themes) {
    action->setChecked(Settings::theme() == choice);
    connect(action, &QAction::triggered, this, [choice = choice] {
      Settings::setTheme(choice);
      applyTheme(*qApp, choice);
    });
  }
  const std::pair<QAction*, QString> languages[] = {{actions_.languageSystem, QString()},
                                                    {actions_.languageEnglish, QStringLiteral("en")},
                                                    {actions_.languageChinese, QStringLiteral("zh_CN")}};
  for (const auto& [action, language] : languages) {
    action->setChecked(Settings::language() == language);
    connect(action, &QAction::triggered, this, [this, language = language] {
      Settings::setLanguage(language);
      Q_EMIT languageChosen();
    });
  }
  connect(actions_.resetLayout, &QAction::triggered, this, [this] { layout_->reset(); });
  connect(actions_.about, &QAction::triggered, this, [this] {
    showMessage(this, windowIcon(), tr("About Slipstream"),
                tr("Slipstream %1\nCompare acceleration algorithms for distributed training.\n"
                   "GPL-3.0-or-later")
                    .arg(QCoreApplication::applicationVersion()));
  });
}

}  // namespace slipstream::ui
