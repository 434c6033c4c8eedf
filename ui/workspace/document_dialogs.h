// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "ui/documents/document.h"

class QWidget;
class QLabel;
class QPushButton;

namespace slipstream::ui {

/// Writes a document to its file, or to one that the user names; false where that was given up or failed. A file that
/// somebody else has changed meanwhile is asked about first: overwrite, reload or cancel.
bool saveDocument(QWidget* parent, Document& document);
/// The same to a file that the user names.
bool saveDocumentAs(QWidget* parent, Document& document);

/// Whether what is not saved in these may go. Asks once for all of them: save, discard or cancel. What is discarded
/// leaves no draft.
bool confirmClose(QWidget* parent, const std::vector<Document*>& documents);

/// A line that tells where a document comes from another place than people may think: it was taken up from a draft,
/// with a button that drops it; or its file was changed by another program, with a button that reads it again.
class DraftNotice : public QFrame {
  Q_OBJECT

 public:
  explicit DraftNotice(QWidget* parent = nullptr);
  /// Null: there is nothing to tell.
  void follow(Document* document);

 private:
  void refresh();
  void act();

  Document* document_ = nullptr;
  QLabel* text_;
  QPushButton* act_;
};

}  // namespace slipstream::ui
