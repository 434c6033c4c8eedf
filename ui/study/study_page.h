// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>
#include <optional>

#include "engine/study_results/study_reading.h"
#include "ui/store/latest_request.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

class EmptyState;
class StudyForm;
class StudyPanels;
class StudySaver;

/// One study of the store, as it goes on and when it is done; or the one that is being written. What shows the one and
/// the other is made when it is first asked for: most windows show neither.
class StudyPage : public Page {
  Q_OBJECT

 public:
  StudyPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::study; }
  QString title() const override { return tr("Study"); }
  bool needsRuns() const override { return false; }
  Document* document() override;

  /// What is shown; nothing before the store has answered.
  const std::optional<StudyReading>& shown() const;
  StudyPanels& panels();
  StudyForm& form();
  StudySaver& saver() { return *saver_; }

  /// Begins a study of the open experiment, where that is in a file.
  void begin();
  /// Freezes the study that is written, in the file where it belongs, and starts it.
  void freeze();

 Q_SIGNALS:
  void answered();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void addActions();
  void connectWorkspace();
  void refresh();
  void showStudy(const StudySummary& study);
  void refreshHeader();
  void ask(const StudySummary& study);
  void askStanding(std::int64_t number);
  void receive(Result<StudyReading> reading);
  void showNothing(const QString& what, const QString& why);

  void beginFrom(const std::string& text);
  void follow();
  void open();
  void discard();
  void chooseBase();
  void readBase(const QString& file);
  void refused(const QString& message);
  void compare(const std::vector<std::string>& runs);

  QStackedLayout* layers_;
  EmptyState* empty_;
  StudyPanels* panels_ = nullptr;
  StudyForm* form_ = nullptr;
  StudySaver* saver_;
  QTimer pause_;
  LatestRequest latest_, latestStanding_;
  std::shared_ptr<KnownRuns> known_ = std::make_shared<KnownRuns>();
  std::int64_t asked_ = 0;     ///< number of the study that was asked about last; 0: none
  std::int64_t version_ = -1;  ///< of the store then
  std::string announced_;      ///< a study that was seen going on: its end is told
};

}  // namespace slipstream::ui
