// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <nlohmann/json.hpp>

#include "engine/config/json.h"

namespace slipstream::ui {

// What people type into the form of a study, as the file has it. What cannot be read is kept as the text that it is, so
// that checking says what is wrong with it.

/// A number, true, false or null where it reads as one; else text. Nothing typed is null.
Json typedValue(const QString& typed);
/// Text whatever it reads as; nothing typed is null.
Json typedText(const QString& typed);
QString fieldOf(const Json& value);

/// "4, 8, 16" as a list.
Json typedList(const QString& typed);
QString fieldOfList(const Json& values);

/// "98.5" as 0.985.
Json typedShare(const QString& typed);
QString fieldOfShare(const Json& share);

/// "optimizer.learning_rate = 0.04, train.epochs = 2" as an object of key paths.
Json typedSettings(const QString& typed);
QString fieldOfSettings(const Json& settings);

/// What is tried for a key of tuning: a list, or "0.005 … 0.16" as a range.
Json typedAxis(const QString& typed, bool logarithmic);
QString fieldOfAxis(const Json& axis);
bool isLogarithmic(const Json& axis);

}  // namespace slipstream::ui
