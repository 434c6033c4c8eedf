// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/output/output.h"
#include "engine/paper/paper.h"

namespace slipstream::cli {

/// The form of a report; fails where the output has no name that one can have, or the language is none.
Result<PaperForm> reportForm(const std::string& output, const std::string& language, const std::string& paperSize);

/// Writes it and says where. Returns the exit code.
int writeReported(const PaperSubject& subject, const std::string& output, const PaperForm& form, bool json);

}  // namespace slipstream::cli
