#pragma once

#include <QFrame>

#include "ui/workspace/document.h"

class QLabel;

namespace slipstream::ui {

/// A line that tells that a document was taken up from a draft, with a button that drops it.
class DraftNotice : public QFrame {
  Q_OBJECT

 public:
  explicit DraftNotice(QWidget* parent = nullptr);
  /// Null: there is nothing to tell.
  void follow(Document* document);

 private:
  void refresh();

  Document* document_ = nullptr;
  QLabel* words_;
};

}  // namespace slipstream::ui
