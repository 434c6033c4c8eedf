// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream::cli {

class ArgumentParser;

/// `completion`: what bash, zsh or fish reads to complete the program's commands and options, made from their own
/// description.
void addCompletionCommand(ArgumentParser& parser);

}  // namespace slipstream::cli
