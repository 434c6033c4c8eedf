#pragma once

#include <QTimer>
#include <memory>

#include "engine/plan/planning.h"
#include "ui/store/store_reader.h"
#include "ui/workspace/document.h"

namespace slipstream::ui {

/// An experiment that is edited, and what planning makes of it: plans with their forecasts, or failures.
class ExperimentDocument : public Document {
  Q_OBJECT

 public:
  explicit ExperimentDocument(QObject* parent);

  /// Of the newest text that was planned without a failure; null before the first.
  std::shared_ptr<const PlannedFile> planned() const { return planned_; }
  /// planned() belongs to text().
  bool isCurrent() const { return current_; }

 Q_SIGNALS:
  void planChanged();

 private:
  void recheck();
  struct Planning;
  void receive(const Planning& planning);

  QTimer timer_;
  Newest newest_;
  std::shared_ptr<const PlannedFile> planned_;
  bool current_ = false;
};

}  // namespace slipstream::ui
