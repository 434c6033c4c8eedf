// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/study_results/study_reading.h"

namespace slipstream::ui {

// Figures of a study as its page shows them: short, units in the head of the column.

/// "32 ranks", "parallel.ranks = 32, train.epochs = 2"; without factors: "all runs".
QString whereText(const StudySettings& factors);
/// What the measure is called: "Test accuracy, %".
QString measureText(const StudyMeasure& measure);
/// A value with its unit: "14.2 s", "98.61 %".
QString valueText(const StudyMeasure& measure, double value);
/// What the variant is beside the reference: "−31 %" of ratios, "+0.25" in points of percent.
QString changeText(const StudyComparison& comparison);
/// Its interval: "[−39, −22]"; empty without one.
QString intervalText(const StudyComparison& comparison);
/// The smallest effect that counts: "10 %", "0.2 points"; empty where the study names none.
QString marginText(const Study& study, const StudyMeasure& measure);
/// An effect as changeText has it: a difference, or of ratios the ratio.
QString effectText(const StudyMeasure& measure, double effect);

/// "1 h 06 min", "00:26"
QString durationOf(double seconds);
QString bytesOf(std::int64_t bytes);

/// "better": the word of a verdict, for keys, tool tips and screen readers.
QString verdictWord(StudyVerdictKind verdict);
QString seedWord(SeedState state, bool toTarget);
/// "running", "paused", … as a chip has it.
QString studyStateWord(StudyState state, bool carriedOn, bool isOpen);
/// The state of runs whose shape stands for it.
RunState studyShape(StudyState state, bool carriedOn);

}  // namespace slipstream::ui
