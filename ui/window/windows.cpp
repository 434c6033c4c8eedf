// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/windows.h"

#include <QApplication>
#include <QScreen>

#include "ui/charts/charts_page.h"
#include "ui/parts/message_box.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {

Windows::Windows(Workspace& workspace) : workspace_(workspace) {}

Windows::~Windows() = default;

MainWindow& Windows::open() {
  window_ = std::make_unique<MainWindow>(workspace_);
  // Later: the window that asks is deleted then.
  connect(window_.get(), &MainWindow::languageChosen, this, &Windows::replace, Qt::QueuedConnection);
  window_->resize(window_->size().boundedTo(window_->screen()->availableSize()));
  window_->show();
  return *window_;
}

/// What a page is writing to a file would end with it.
void Windows::replace() {
  if (workspace_.isExporting()) {
    return workspace_.say(tr("Something is being written to a file: the language changes with the next start"));
  }
  const std::unique_ptr<MainWindow> old = std::move(window_);
  old->saveLayout();
  useLanguage(Settings::language());
  applyTheme(*qApp, Settings::theme());  // fonts are the language's
  MainWindow& next = open();
  next.restoreGeometry(old->saveGeometry());
  chartsOf(next).setOptions(chartsOf(*old).options());
  next.showPage(old->frontPage());
}

ChartsPage& Windows::chartsOf(const MainWindow& window) {
  return *static_cast<ChartsPage*>(window.page(QStringLiteral("charts")));
}

void Windows::tellRefusal(QWidget* parent, const std::string& words) {
  if (QGuiApplication::platformName() == QStringLiteral("offscreen")) return;
  showMessage(parent, icon(Symbol::error, IconInk::error), tr("Slipstream cannot start"),
              QString::fromStdString(words));
}

}  // namespace slipstream::ui
