// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/base/failure.h"

namespace slipstream::cli {

enum ExitCode { done = 0, runFailed = 1, invalidInput = 2, stopped = 130 };

/// What `--json` chooses for the whole command. Results go to stdout in either form. What goes to stderr is text, or
/// JSON objects, one a line: {"errors": [...]}, {"warning": "..."} and {"note": "..."}.
enum class OutputForm { text, json };
/// Set once, before the command runs.
void setOutputForm(OutputForm form);
OutputForm outputForm();

/// Prints the failures on stderr; returns the exit code of invalid input.
int report(const Failures& failures);
/// Prints a remark on stderr: "KIND: TEXT". Never throws: a run must outlive whoever reads its lines.
void remark(const char* kind, const std::string& text);

/// All that comes through standard input.
std::string standardInput();

/// The number, or the strings nan, inf, -inf, which JSON has no numbers for.
nlohmann::ordered_json jsonNumber(double value);
/// Prints a document and a line end. Bytes that are not UTF-8 become replacement characters.
void print(const nlohmann::ordered_json& document);

}  // namespace slipstream::cli
