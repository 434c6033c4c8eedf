// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QTimer>
#include <QWidget>

#include "ui/store/latest_request.h"
#include "ui/store/store_watcher.h"
#include "ui/widgets/widgets.h"
#include "ui/workspace/run_title.h"
#include "ui/workspace/workspace.h"

class QScrollArea;
class QStackedLayout;

namespace slipstream::ui {

/// One tab of the window. What it can do are actions of the widget (QWidget::addAction): the command box lists them.
class Page : public QWidget {
  Q_OBJECT

 public:
  Page(Workspace& workspace, QWidget* parent);

  virtual PageId id() const = 0;
  virtual QString title() const = 0;  ///< of the tab
  /// A page about runs is dimmed while there is none.
  virtual bool needsRuns() const { return true; }
  /// The document that undo and save work on while the page is in front; null: the labels of runs.
  virtual Document* document() { return nullptr; }

 Q_SIGNALS:
  // What a page's own buttons ask the window for.
  void newExperimentWanted();
  void saveWanted();
  void launchWanted();
  void documentChanged();  ///< document() is another one
  void bodyBuilt();        ///< what the page makes once it is needed is there

 protected:
  Workspace& workspace() { return workspace_; }

 private:
  Workspace& workspace_;
};

/// A page that draws what it has read in the store, or explains why there is nothing to draw.
class StorePage : public Page {
  Q_OBJECT

 public:
  /// `pause`: after so long a page is made anew that the store has changed under.
  StorePage(Workspace& workspace, QWidget* parent, int pauseMilliseconds);

 protected:
  /// Called once, by the constructor of the page: `body` scrolls.
  void setBody(QWidget* body);
  void showBody();
  void showTop();  ///< of the body
  void showNothing(const QString& what, const QString& why);

  /// What `read` finds in the store goes to `show`, unless a later question overtook it. What cannot be read is
  /// reported in place of an empty page, and asked for again.
  template <class Read, class Show>
  void askStore(Read read, Show show) {
    const int ticket = latest_.take();
    workspace().store().longReader().read(
        this, std::move(read),
        [this, ticket, show = std::move(show)](auto reading) {
          if (latest_.isLatest(ticket)) show(std::move(reading));
        },
        [this, ticket](const QString& message) {
          if (latest_.isLatest(ticket)) showUnread(message);
        });
  }
  /// No answer under way counts.
  void dropAnswers() { latest_.take(); }

  /// Calls makeAnew() after the pause, once.
  void wait();
  virtual void makeAnew() = 0;
  /// What was asked for could not be read.
  virtual void missed() = 0;

 private:
  void showUnread(const QString& message);

  QStackedLayout* layers_;
  QScrollArea* area_ = nullptr;
  EmptyState* empty_;
  QTimer pause_;
  LatestRequest latest_;
};

/// A page about the runs that are shown: what was made of them. While a run lives it writes more often than a statistic
/// is worth: such a page is made anew every other second, and only while it is seen.
class ShownRunsPage : public StorePage {
  Q_OBJECT

 public:
  ShownRunsPage(Workspace& workspace, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page.
  void begin(QWidget* body);
  /// Asks the store where mustAsk(), and says so where there is nothing to ask.
  virtual void refresh() = 0;

  /// What is shown is of no run any more, and no answer under way counts.
  void forget();
  /// Another question, or a store that was written to since the last one.
  bool mustAsk(bool sameQuestion);

 private:
  void makeAnew() override { refresh(); }
  void missed() override;

  std::int64_t version_ = -1;  ///< of the store when it was asked
};

/// A page about the current run: its title, and what is drawn of it. A living run is read again once a second, and only
/// while the page is seen.
class RunPage : public StorePage {
  Q_OBJECT

 public:
  RunPage(Workspace& workspace, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page: `content` scrolls, `withoutRun` is said where no run is chosen.
  void begin(QWidget* content, const QString& withoutRun);
  /// Forgets what was read and how it was looked at: another run is chosen.
  virtual void forget() = 0;
  /// Asks the store for run(), which is not empty.
  virtual void ask() = 0;

  void askAgain();  ///< at once
  void askLater();  ///< at the next second, where the page is seen
  /// Draws the content, or says that no step was recorded.
  void showContent(bool hasSteps);

  const std::string& run() const { return run_; }
  RunTitle& runTitle() { return *title_; }

 private:
  void makeAnew() override { askAgain(); }
  void missed() override { askLater(); }
  void runChanged();
  void storeChanged();

  RunTitle* title_;
  QString withoutRun_;
  std::string run_;
  bool stale_ = true;
};

}  // namespace slipstream::ui
