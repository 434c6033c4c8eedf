// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/plan/document_text.h"

namespace slipstream::ui {

/// A file that is to be edited here.
struct DocumentText {
  std::filesystem::path file;
  std::string text;
  bool isRankTable = false;  ///< by its content; else it is taken for an experiment
};

/// Reads it and looks what it is; the window goes on painting meanwhile.
Result<DocumentText> readDocument(const std::filesystem::path& file);

/// The same for what somebody asked for by name, all of which have to be opened: fails also where two are of one kind,
/// since a window edits one experiment and one rank table.
Result<std::vector<DocumentText>> readDocuments(const std::vector<std::filesystem::path>& files);

}  // namespace slipstream::ui
