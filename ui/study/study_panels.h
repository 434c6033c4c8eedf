// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "engine/study_results/study_reading.h"

class QBoxLayout;

namespace slipstream::ui {

class StudyDetails;
class StudyHeader;
class StudyResults;

/// A study that is shown: its header and results, which scroll, and the details in a panel at their right, or below
/// them where the page is narrow.
class StudyPanels : public QWidget {
  Q_OBJECT

 public:
  explicit StudyPanels(QWidget* parent = nullptr);

  StudyHeader& header() { return *header_; }
  StudyResults& results() { return *results_; }
  void setStanding(const StudyStanding& standing);
  void setReading(StudyReading reading);
  void showDetails(bool shows);
  bool showsDetails() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  StudyHeader* header_ = nullptr;
  StudyResults* results_ = nullptr;
  StudyDetails* details_;
  QBoxLayout* halves_ = nullptr;
  std::optional<bool> wantsDetails_;  ///< what a person chose; nothing: where there is room beside the results
};

}  // namespace slipstream::ui
