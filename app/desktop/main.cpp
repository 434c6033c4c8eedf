#include <QApplication>
#include <QCommandLineParser>
#include <QtGlobal>
#include <cstdio>

#include "engine/base/files.h"
#include "engine/record/version.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/settings.h"

namespace {

using namespace slipstream;

constexpr int invalidInput = 2;

/// Qt ends a program that has no display with a core dump; the command line needs none.
bool hasDisplay() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    if (environment(name)) return true;
  }
  return false;
}

constexpr const char* helpText =
    "The window of Slipstream: edit, launch, watch and compare training runs.\n"
    "Usage: slipstream-desktop [--store FOLDER] [FILE...]\n\n"
    "  FILE            Experiments or rank tables to open\n"
    "  --store FOLDER  Folder of the run store (else SLIPSTREAM_STORE, else the user's data folder)\n"
    "  --version       Print the version and exit\n"
    "  --help          Print this and exit\n";

int refuse(const std::string& words) {
  std::fprintf(stderr, "slipstream-desktop: %s\n", words.c_str());
  return invalidInput;
}

/// The same once there is a display.
int refuse(QWidget* parent, const Failures& failures) {
  const int code = refuse(toText(failures));
  ui::Windows::tellRefusal(parent, toText(failures));
  return code;
}

struct Arguments {
  std::filesystem::path store;
  QStringList files;
  int exitCode = -1;  ///< not negative: everything is said, and the program ends with it
};

/// Needs no application object, so that help and version work without a display.
Arguments argumentsOf(int count, char** values) {
  QStringList words;
  for (int i = 0; i < count; ++i) words << QString::fromLocal8Bit(values[i]);
  QCommandLineParser parser;
  const QCommandLineOption help(QStringList{QStringLiteral("h"), QStringLiteral("help")});
  const QCommandLineOption version(QStringLiteral("version"));
  const QCommandLineOption store(QStringLiteral("store"), {}, QStringLiteral("FOLDER"));
  parser.addOptions({help, version, store});
  Arguments arguments;
  if (!parser.parse(words)) {
    arguments.exitCode = refuse(parser.errorText().toStdString() + "; slipstream-desktop --help lists what there is");
  } else if (parser.isSet(help)) {
    std::fputs(helpText, stdout);
    arguments.exitCode = 0;
  } else if (parser.isSet(version)) {
    std::printf("slipstream-desktop %s\n", programVersion().c_str());
    arguments.exitCode = 0;
  }
  arguments.store = parser.isSet(store) ? parser.value(store).toStdString()
                                        : environment("SLIPSTREAM_STORE").value_or(userDataFolder().string());
  arguments.files = parser.positionalArguments();
  return arguments;
}

int show(const Arguments& arguments) {
  ui::useLanguage(ui::Settings::language());
  ui::applyTheme(*qApp, ui::Settings::theme());
  ui::Workspace workspace;
  if (const auto opened = workspace.store().open(arguments.store); !opened) return refuse(nullptr, opened.error());
  workspace.recoverDrafts();
  ui::Windows windows(workspace);
  ui::MainWindow& window = windows.open();
  for (const QString& file : arguments.files) {
    if (const auto opened = window.openFile(file.toStdString()); !opened) return refuse(&window, opened.error());
  }
  return QCoreApplication::exec();
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = argumentsOf(count, values);
  if (arguments.exitCode >= 0) return arguments.exitCode;
  if (!hasDisplay()) {
    return refuse(
        "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); the command line does "
        "everything without one: slipstream --help");
  }
  const QApplication application(count, values);
  QCoreApplication::setApplicationName(QStringLiteral("slipstream"));
  QCoreApplication::setOrganizationName(QStringLiteral("slipstream"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(programVersion()));
  QGuiApplication::setDesktopFileName(QStringLiteral("org.slipstream.Slipstream"));
  return show(arguments);
}
