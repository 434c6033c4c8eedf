// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/parser/argument_parser.h"

namespace slipstream::cli {

/// Where and how a report is written.
void addReportForm(CLI::App* sub, std::string& output, std::string& language, std::string& paperSize);

}  // namespace slipstream::cli
