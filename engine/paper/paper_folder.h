// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/latex/figure_files.h"

namespace slipstream {

/// The file of a paper's folder that lists the others with their SHA-256, so that a later call knows what it wrote.
inline constexpr const char* contentsFile = "contents.json";

/// Whether an output is the name of a folder: it ends in "/", or is one.
bool namesFolder(const std::filesystem::path& output);

/// Whether a paper may be put there: nothing is there, or an empty folder, or one that an earlier call wrote and in
/// which nothing was changed or added since, but for what LaTeX made of it. Failures name the files at fault.
Status checkPaperFolder(const std::filesystem::path& folder);

/// Puts the files, whose names may hold folders, and their contents.json in the place of the folder. They are written
/// beside it and then change places with it: whenever the program ends, the folder is the old or the new one.
Status replacePaperFolder(const std::filesystem::path& folder, std::vector<NamedFile> files);

}  // namespace slipstream
