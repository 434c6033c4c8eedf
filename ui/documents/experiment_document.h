// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>

#include "engine/experiment/experiment_fix.h"
#include "engine/plan/plan_file.h"
#include "ui/documents/document.h"
#include "ui/store/latest_request.h"

namespace slipstream::ui {

class ExperimentEditing;

/// An experiment that is edited, and what planning makes of it: plans with their forecasts, or failures.
class ExperimentDocument : public Document {
  Q_OBJECT

 public:
  explicit ExperimentDocument(QObject* parent);

  /// The experiment's own name, where it has one that can be a file's.
  QString proposedName() const override;
  void recheck() override;

  /// Of the newest text that was planned without a failure; null before the first.
  std::shared_ptr<const PlannedFile> planned() const { return planned_; }
  /// planned() belongs to text().
  bool isCurrent() const { return current_; }
  /// text() is being planned: planChanged() follows.
  bool isPlanning() const { return planning_; }
  /// Its keys, one by one: what forms show and change.
  ExperimentEditing& editing() { return *editing_; }

 Q_SIGNALS:
  void planChanged();
  /// A problem's place is to be shown: a path of the file.
  void placeWanted(const QString& path);

 private:
  struct Planning;
  void receive(const Planning& planning);
  void addStandIn(const PlannedFile& planned, Problems& problems);
  std::optional<std::string> askedDataset() const;
  void addUse(Problem& problem, const std::string& dataset);
  void receiveNothing();
  void addFix(Problem& problem, const Failure& failure);
  FixedText fixedText(std::optional<int> kind) const override;

  QTimer timer_;
  LatestRequest latest_;
  std::shared_ptr<RememberedInspection> inspection_ = std::make_shared<RememberedInspection>();
  std::shared_ptr<const PlannedFile> planned_;
  bool current_ = false;
  bool planning_ = false;
  std::vector<ExperimentFix> fixes_;  ///< of the problems
  ExperimentEditing* editing_;
};

}  // namespace slipstream::ui
