// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "ui/parts/parts.h"
#include "ui/workspace/page.h"

class QStackedLayout;

namespace slipstream::ui {

/// A page that draws what it has read in the store, or says in words why there is nothing to draw.
class StorePage : public Page {
  Q_OBJECT

 public:
  /// `pause`: after so long a page is made anew that the store has changed under.
  StorePage(Workspace& workspace, QWidget* parent, int pauseMilliseconds);

 protected:
  /// Called once, by the constructor of the page: `body` scrolls.
  void setBody(QWidget* body);
  void showBody();
  void showNothing(const QString& what, const QString& why);

  /// What `read` finds in the store goes to `show`, unless a later question overtook it. What cannot be read is said in
  /// place of an empty page, and asked for again.
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
  /// No answer under way counts.
  void dropAnswers() { newest_.take(); }

  /// Calls makeAnew() after the pause, once.
  void wait();
  virtual void makeAnew() = 0;
  /// What was asked for could not be read.
  virtual void missed() = 0;

 private:
  void showUnread(const QString& words);

  QStackedLayout* layers_;
  EmptyState* empty_;
  QTimer pause_;
  Newest newest_;
};

}  // namespace slipstream::ui
