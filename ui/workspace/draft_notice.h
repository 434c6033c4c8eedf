// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/workspace/document.h"

class QLabel;
class QPushButton;

namespace slipstream::ui {

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
  QLabel* words_;
  QPushButton* act_;
};

}  // namespace slipstream::ui
