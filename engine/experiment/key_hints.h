// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// What somebody meant by a key that is not known at its place.
struct MeantKey {
  std::vector<std::string> paths = {};  ///< of known keys; none: nobody can tell
  bool sameName = false;                ///< they have the key's name, in other sections
  bool otherKind = false;               ///< it is known there, beside another kind of its section only
};
/// `path` is a key's place in an experiment or a variant: "train.epoch".
MeantKey meantKey(const std::string& path);

/// Gives failures about keys and values of an experiment file a remedy that names what was meant: a key that is known
/// in another section has its whole path there, and so has one that is nearly known in another and in its own is not;
/// a precision of MindSpore that this program lacks has the nearest one.
void hintAtMeaning(Failures& failures);

}  // namespace slipstream
