// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/failure.h"

namespace slipstream {

/// How far rows of a ready projection may be from orthonormal: their dot products from 0, with themselves from 1.
inline constexpr double orthonormalTolerance = 1e-3;

/// What is wrong with the first `components` rows of the matrix in a .npy file that has them: values that are no
/// numbers, rows of zeros or of another length than 1, rows that are not orthogonal. Each row is named (from 0, as in
/// numpy) with the failure's place `where`. The whole of the rows is read, once for each state of the file.
Failures checkProjection(const std::string& where, const std::string& path, int components);

}  // namespace slipstream
