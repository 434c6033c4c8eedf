// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCommandLineParser>
#include <QtGlobal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/probe/version.h"
#include "ui/documents/document_files.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
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
    "  --store FOLDER  Folder of the run store (else SLIPSTREAM_STORE, else the one in the\n"
    "                  preferences, else the user's data folder)\n"
    "  --version       Print the version and exit\n"
    "  --help          Print this and exit\n";

int refuse(const std::string& message) {
  std::fprintf(stderr, "slipstream-desktop: %s\n", trim(message).c_str());
  return invalidInput;
}

/// The same once there is a display.
int refuse(const Failures& failures) {
  const int code = refuse(toText(failures));
  ui::Windows::reportRefusal(nullptr, trim(toText(failures)));
  return code;
}

/// The messages of Qt while it opens the display; it would end the program with a core dump where there is none.
QStringList& displayMessages() {
  static QStringList messages;
  return messages;
}

void collectDisplayMessage(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type != QtFatalMsg) {
    displayMessages() << message;
    return;
  }
  const QString why = displayMessages().isEmpty() ? message : displayMessages().first();
  std::_Exit(
      refuse("no window can be opened on this display: " + why.simplified().toStdString() + "; " + withoutDisplay));
}

/// The application object of a program that has not drawn anything yet.
std::unique_ptr<QApplication> openDisplay(int& count, char** values) {
  const QtMessageHandler usual = qInstallMessageHandler(collectDisplayMessage);
  auto application = std::make_unique<QApplication>(count, values);
  qInstallMessageHandler(usual);
  for (const QString& message : std::as_const(displayMessages())) std::fprintf(stderr, "%s\n", qPrintable(message));
  return application;
}

struct Arguments {
  std::filesystem::path store;  ///< empty: neither flag nor variable names one
  QStringList files;
  int exitCode = -1;  ///< not negative: everything is printed, and the program ends with it
};

/// Needs no application object, so that help and version work without a display.
Arguments argumentsOf(int count, char** values) {
  QStringList given;
  for (int i = 0; i < count; ++i) given << QString::fromLocal8Bit(values[i]);
  QCommandLineParser parser;
  const QCommandLineOption help(QStringList{QStringLiteral("h"), QStringLiteral("help")});
  const QCommandLineOption version(QStringLiteral("version"));
  const QCommandLineOption store(QStringLiteral("store"), {}, QStringLiteral("FOLDER"));
  parser.addOptions({help, version, store});
  Arguments arguments;
  if (!parser.parse(given)) {
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
  arguments.store =
      parser.isSet(store) ? parser.value(store).toStdString() : environment("SLIPSTREAM_STORE").value_or("");
  arguments.files = parser.positionalArguments();
  return arguments;
}

std::vector<std::filesystem::path> pathsOf(const QStringList& names) {
  std::vector<std::filesystem::path> paths;
  for (const QString& name : names) paths.emplace_back(name.toStdString());
  return paths;
}

/// A folder that the preferences name and that is gone keeps nobody from working: the user's own is opened.
Status openStore(ui::Workspace& workspace, const std::filesystem::path& asked) {
  if (!asked.empty()) return workspace.store().open(asked);
  const std::string preferred = ui::Settings::storeFolder().toStdString();
  if (!preferred.empty()) {
    const auto opened = workspace.store().open(preferred);
    if (opened) return {};
    workspace.report(QString::fromStdString(trim(toText(opened.error()))));
  }
  return workspace.store().open(userDataFolder());
}

int show(const Arguments& arguments) {
  ui::useLanguage(ui::Settings::language());
  ui::setFontScale(ui::Settings::fontPercent());
  ui::applyTheme(*qApp, ui::Settings::theme());
  const auto documents = ui::readDocuments(pathsOf(arguments.files));
  if (!documents) return refuse(documents.error());
  ui::Workspace workspace;
  if (const auto opened = openStore(workspace, arguments.store); !opened) return refuse(opened.error());
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
