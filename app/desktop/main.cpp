#include <QApplication>
#include <cstdio>
#include <functional>
#include <memory>

#include "engine/base/files.h"
#include "engine/record/version.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/workspace/settings.h"

namespace {

using namespace slipstream;

/// Qt ends a program that has no display with a core dump; the command line needs none.
bool hasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    if (environment(name)) return true;
  }
  return false;
}

std::filesystem::path firstStore(const QStringList& arguments) {
  const auto flag = arguments.indexOf(QStringLiteral("--store"));
  if (flag >= 0 && flag + 1 < arguments.size()) return arguments[flag + 1].toStdString();
  if (const auto named = environment("SLIPSTREAM_STORE")) return *named;
  return userDataFolder() / "store";
}

}  // namespace

int main(int count, char** values) {
  for (int i = 1; i < count; ++i) {
    if (std::string_view(values[i]) == "--version") {
      std::printf("slipstream-desktop %s\n", programVersion().c_str());
      return 0;
    }
  }
  if (!hasDisplay()) {
    std::fputs(
        "slipstream-desktop: there is no display here (DISPLAY and WAYLAND_DISPLAY are not set); the command "
        "line does everything without one: slipstream --help\n",
        stderr);
    return 2;
  }
  const QApplication application(count, values);
  QCoreApplication::setApplicationName(QStringLiteral("slipstream"));
  QCoreApplication::setOrganizationName(QStringLiteral("slipstream"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(programVersion()));
  QGuiApplication::setDesktopFileName(QStringLiteral("slipstream"));
  ui::useLanguage(ui::Settings::language());
  ui::applyTheme(*qApp, ui::Settings::theme());
  ui::Workspace workspace;
  if (const auto opened = workspace.store().open(firstStore(QCoreApplication::arguments())); !opened) {
    std::fprintf(stderr, "%s\n", toText(opened.error()).c_str());
    return 2;
  }
  // Another language is another window; what it shows lives in the workspace.
  std::unique_ptr<ui::MainWindow> window;
  std::function<void()> open = [&] {
    const QByteArray place = window ? window->saveGeometry() : QByteArray();
    const QString page = window ? window->frontPage() : QString();
    window = std::make_unique<ui::MainWindow>(workspace);
    window->restoreGeometry(place);
    if (!page.isEmpty()) window->showPage(page);
    QObject::connect(
        window.get(), &ui::MainWindow::languageChosen, &workspace,
        [&] {
          ui::useLanguage(ui::Settings::language());
          open();
        },
        Qt::QueuedConnection);
    window->show();
  };
  open();
  return QCoreApplication::exec();
}
