// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QtGlobal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/record/version.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/document_text.h"
#include "ui/workspace/settings.h"

namespace {

using namespace slipstream;

constexpr int invalidInput = 2;
constexpr const char* withoutDisplay = "the command line does everything without one: slipstream --help";

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
    "  FILE            An experiment, a rank table, or one of each, to open\n"
    "  --store FOLDER  Folder of the run store (else SLIPSTREAM_STORE, else the user's data folder)\n"
    "  --version       Print the version and exit\n"
    "  --help          Print this and exit\n";

int refuse(const std::string& words) {
  std::fprintf(stderr, "slipstream-desktop: %s\n", trim(words).c_str());
  return invalidInput;
}

/// The same once there is a display.
int refuse(const Failures& failures) {
  const int code = refuse(toText(failures));
  ui::Windows::tellRefusal(nullptr, trim(toText(failures)));
  return code;
}

/// What Qt says while it looks for the display; it would end the program with a core dump where it finds none.
QStringList& saidOfDisplay() {
  static QStringList said;
  return said;
}

void hearOfDisplay(QtMsgType type, const QMessageLogContext&, const QString& words) {
  if (type != QtFatalMsg) {
    saidOfDisplay() << words;
    return;
  }
  const QString why = saidOfDisplay().isEmpty() ? words : saidOfDisplay().first();
  std::_Exit(
      refuse("no window can be opened on this display: " + why.simplified().toStdString() + "; " + withoutDisplay));
}

/// The application object of a program that has not drawn anything yet.
std::unique_ptr<QApplication> openDisplay(int& count, char** values) {
  const QtMessageHandler usual = qInstallMessageHandler(hearOfDisplay);
  auto application = std::make_unique<QApplication>(count, values);
  qInstallMessageHandler(usual);
  for (const QString& words : std::as_const(saidOfDisplay())) std::fprintf(stderr, "%s\n", qPrintable(words));
  return application;
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
  } else if (parser.isSet(store) && parser.value(store).isEmpty()) {
    arguments.exitCode = refuse("--store: is empty: name a folder, or leave the flag out");
  }
  arguments.store = parser.isSet(store) ? parser.value(store).toStdString()
                                        : environment("SLIPSTREAM_STORE").value_or(userDataFolder().string());
  arguments.files = parser.positionalArguments();
  return arguments;
}

std::vector<std::filesystem::path> pathsOf(const QStringList& names) {
  std::vector<std::filesystem::path> paths;
  for (const QString& name : names) paths.emplace_back(name.toStdString());
  return paths;
}

int show(const Arguments& arguments) {
  ui::useLanguage(ui::Settings::language());
  ui::applyTheme(*qApp, ui::Settings::theme());
  const auto documents = ui::readDocuments(pathsOf(arguments.files));
  if (!documents) return refuse(documents.error());
  ui::Workspace workspace;
  if (const auto opened = workspace.store().open(arguments.store); !opened) return refuse(opened.error());
  workspace.recoverDrafts();
  ui::Windows windows(workspace);
  ui::MainWindow& window = windows.open();
  for (const ui::DocumentText& document : *documents) window.open(document);
  return QCoreApplication::exec();
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = argumentsOf(count, values);
  if (arguments.exitCode >= 0) return arguments.exitCode;
  if (!hasDisplay()) {
    return refuse(std::string("there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); ") +
                  withoutDisplay);
  }
  const auto application = openDisplay(count, values);
  QCoreApplication::setApplicationName(QStringLiteral("slipstream"));
  QCoreApplication::setOrganizationName(QStringLiteral("slipstream"));
  QCoreApplication::setApplicationVersion(QString::fromStdString(programVersion()));
  QGuiApplication::setDesktopFileName(QStringLiteral("org.slipstream.Slipstream"));
  return show(arguments);
}
