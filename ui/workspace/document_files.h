// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/workspace/document.h"

class QWidget;

namespace slipstream::ui {

/// Writes a document to its file, or to one that the user names; false where that was given up or failed. A file that
/// somebody else has changed meanwhile is asked about first: overwrite, reload or cancel.
bool saveDocument(QWidget* parent, Document& document, bool underNewName = false);

/// Whether what is not saved in these may go. Asks once for all of them: save, discard or cancel. What is discarded
/// leaves no draft.
bool mayLeave(QWidget* parent, const std::vector<Document*>& documents);

}  // namespace slipstream::ui
