// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <string>

#include "engine/config/json.h"
#include "engine/study_results/verdict.h"

namespace slipstream::ui {

// What the parts of a study's form share (study_form_*.cpp).

/// Widths of fields in the design's font (widthForFont).
inline constexpr int narrowField = 76, wideField = 220, rangeField = 104;

/// The value at a key path; null where there is none.
const Json& valueAt(const Json& root, const std::string& key);
/// Makes what lies on the way; null removes the key.
void writeValue(Json& root, const std::string& key, const Json& value);
/// The measure that the study asks about; null where there is none of its name.
const StudyMeasure* measureAsked(const Json& root);

QLabel* secondLabel(const QString& words);
/// Makes the field as wide as there is room, up to so much.
void growTo(QWidget& field, int width);

/// Shows `words`, which mean `value`; what is being typed is left alone where it means the same.
template <class Meaning>
void showValue(QLineEdit& field, const Json& value, const Meaning& meaning, const QString& words) {
  if (meaning(field.text()) != value) field.setText(words);
}

}  // namespace slipstream::ui
