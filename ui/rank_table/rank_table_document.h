#pragma once

#include "engine/plan/rank_table.h"
#include "ui/workspace/document.h"

namespace slipstream::ui {

/// A rank table that is edited: version 1.0 as text, and what a reader makes of it.
class RankTableDocument : public Document {
  Q_OBJECT

 public:
  explicit RankTableDocument(QObject* parent);

  /// Of the text as it is now.
  const RankTableReading& reading() const { return reading_; }

 private:
  void recheck();

  RankTableReading reading_;
};

}  // namespace slipstream::ui
