// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/paper/paper.h"

namespace CLI {
class App;
}

namespace slipstream::cli {

/// The options that say where and how a report is written.
void addReportForm(CLI::App* sub, std::string& output, std::string& language, std::string& paperSize);

/// The form of a report; fails where the output has no name that one can have, or the language is none.
Result<PaperForm> reportForm(const std::string& output, const std::string& language, const std::string& paperSize);

/// Writes it and says where. Returns the exit code.
int writeReported(const PaperSubject& subject, const std::string& output, const PaperForm& form, bool json);

}  // namespace slipstream::cli
