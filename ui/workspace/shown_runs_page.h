#pragma once

#include <QTimer>

#include "ui/parts/parts.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

/// A page about the runs that are shown: what was made of them, or words where that cannot be. While a run lives it
/// writes more often than a statistic is worth: such a page is made anew every other second, and only while it is seen.
class ShownRunsPage : public Page {
  Q_OBJECT

 public:
  ShownRunsPage(Workspace& workspace, QWidget* parent);

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page.
  void begin(QWidget* body);
  /// Asks the store where mustAsk(), and says so where there is nothing to ask.
  virtual void refresh() = 0;

  void showBody();
  void showNothing(const QString& what, const QString& why);
  /// What is shown is of no run any more, and no answer under way counts.
  void forget();
  /// A store that cannot be read says so in place of an empty page, and is asked again.
  template <class Read, class Show>
  void askStore(Read read, Show show) {
    const int ticket = newest_.take();
    workspace().store().longReader().read(
        this, std::move(read),
        [this, ticket, show = std::move(show)](auto answer) {
          if (newest_.isNewest(ticket)) show(std::move(answer));
        },
        [this, ticket](const QString& words) {
          if (newest_.isNewest(ticket)) showUnread(words);
        });
  }
  /// Another question, or a store that was written to since the last one.
  bool mustAsk(bool sameQuestion);

 private:
  void showUnread(const QString& words);

  QStackedLayout* stack_;
  EmptyState* empty_;
  QTimer later_;
  std::int64_t version_ = -1;  ///< of the store when it was asked
  Newest newest_;
};

}  // namespace slipstream::ui
