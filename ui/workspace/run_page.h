#pragma once

#include <QTimer>

#include "ui/parts/parts.h"
#include "ui/parts/run_title.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

/// A page about the current run: its title, what is drawn of it, and words where there is nothing to draw. A living run
/// is read again once a second, and only while the page is seen.
class RunPage : public Page {
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
  /// What `read` finds in the store goes to `show`, unless a later question overtook it. A store that cannot be read
  /// says so in place of an empty page, and is asked again.
  template <class Read, class Show>
  void askStore(Read read, Show show) {
    const int ticket = newest_.take();
    workspace().store().longReader().read(
        this, std::move(read),
        [this, ticket, show = std::move(show)](auto reading) {
          if (newest_.isNewest(ticket)) show(std::move(reading));
        },
        [this, ticket](const QString& words) {
          if (newest_.isNewest(ticket)) showUnread(words);
        });
  }
  /// Draws the content, or says that no step was recorded.
  void showContent(bool hasSteps);

  const std::string& run() const { return run_; }
  RunTitle& runTitle() { return *title_; }

 private:
  void showUnread(const QString& words);
  void runChanged();
  void storeChanged();

  QStackedLayout* layers_;
  EmptyState* empty_;
  RunTitle* title_;
  QString withoutRun_;
  std::string run_;
  bool stale_ = true;
  QTimer timer_;
  Newest newest_;
};

}  // namespace slipstream::ui
