// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

#include "engine/record/report_summary.h"

namespace slipstream::ui {

// The head of a report in the language of the window; the saved page says the same in English (engine/record/report.h).

/// "Adasum against averaged on 8 ranks"
QString reportTitle(const ReportSummary& summary);
/// The result in sentences, as rich text.
QString reportLead(const ReportSummary& summary);
/// What it is about: names and values.
std::vector<std::pair<QString, QString>> reportFacts(const ReportSummary& summary);

}  // namespace slipstream::ui
