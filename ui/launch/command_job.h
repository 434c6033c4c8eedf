// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <string>

namespace slipstream::ui {

/// The command line's program: beside the running one.
std::filesystem::path commandLineProgram();

struct CommandResult {
  int exitCode = 0;  ///< negative: it could not be started, or was killed
  QByteArray output;
  QString words;  ///< what it said on its error stream; never empty where it failed
};

/// Runs the command line program once; nothing passes through a shell. `input` is what it reads. `done` is called in
/// the window's thread unless `owner` is gone by then, which ends the program.
void runCommand(QObject* owner, const QStringList& arguments, const std::function<void(const CommandResult&)>& done,
                const std::string& input = {});
/// Waits for the programs that `owner` runs, and for none of their answers.
void finishCommands(QObject* owner);

/// The same for what people want to have, as a file: the program runs to its end also where `owner` is gone by then,
/// and the window's program waits for it before it ends.
void runToTheEnd(QObject* owner, const QStringList& arguments, const std::function<void(const CommandResult&)>& done);

}  // namespace slipstream::ui
