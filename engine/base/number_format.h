// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace slipstream {

// How numbers read in tables, charts and reports. A minus is U+2212; NaN and infinities are written by name.

/// What a value measures, and so how it is written.
/// `meanCount`: of a few counts, which has a fraction that small ones are told apart by.
enum class Quantity { loss, percent, count, meanCount, milliseconds, seconds };

/// 0.0612, 98.94, 1,234, 38.6, 18.4
std::string quantityText(double value, Quantity quantity);
/// The same with its sign: +1.32, −265
std::string differenceText(double value, Quantity quantity);
/// Six significant digits, whole numbers with all of theirs: 0.0612345, 16,777,216
std::string metricText(double value);
/// Three significant digits: 0.061, 2.30, 1,230
std::string threeDigits(double value);

}  // namespace slipstream
