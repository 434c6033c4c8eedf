// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QStackedWidget;
class QTabBar;

namespace slipstream::ui {

class DraftNotice;
class Page;
class Workspace;
enum class PageId;

/// The pages of the window, one in front, under a row of tabs.
class PageStack : public QWidget {
  Q_OBJECT

 public:
  explicit PageStack(Workspace& workspace, QWidget* parent = nullptr);

  /// Takes the page; the first one is the welcome page.
  void add(Page* page);
  const std::vector<Page*>& pages() const { return pages_; }
  /// Null where there is no such page.
  Page* page(PageId id) const;
  Page& front() const;
  /// Brings the page to the front.
  void showPage(PageId id);

  /// Pages about runs are dimmed where there is none, and the welcome page goes where there are some.
  void setHasRuns(bool hasRuns);
  /// Tabs with less room around their titles; false where they have it already.
  bool setCompact(bool compact);

 Q_SIGNALS:
  void frontChanged();

 private:
  void showFront(int index);

  Workspace& workspace_;
  std::vector<Page*> pages_;
  QTabBar* tabs_;
  DraftNotice* draftNotice_;
  QStackedWidget* stack_;
};

}  // namespace slipstream::ui
