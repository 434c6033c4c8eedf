// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/fields.h"
#include "engine/study/study.h"

namespace slipstream {

/// What of a study's file is read by hand, as it is written.
struct StudySections {
  std::string schema;  ///< "$schema", for editors only
  std::string base;
  Json variants, factors, space;
};

/// The keys of a study's file.
void describeStudy(Fields& fields, Study& study, StudySections& sections);

/// What a variant of a study has besides sections of an experiment.
struct StudyVariantKeys {
  std::string name;
  Json settings, space;
  RateScale scaleRate = RateScale::none;
};
void describeStudyVariant(Fields& fields, StudyVariantKeys& keys);

/// A range that is tuned over, in place of a list of values.
void describeRange(Fields& fields, TuningAxis& axis);

}  // namespace slipstream
