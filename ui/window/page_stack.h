// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QMainWindow;
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

  /// Who is to be the parent of pages from the beginning: whoever gets a parent is styled anew with all that is in it.
  QWidget* holder() const;
  /// Takes the page; the first one is the welcome page.
  void add(Page* page);
  const std::vector<Page*>& pages() const { return pages_; }
  /// Null where there is no such page.
  Page* page(PageId id) const;
  Page& front() const;
  /// Below the tabs: the page in front, and docks beside it.
  QMainWindow& sides() { return *sides_; }
  /// Brings the page to the front.
  void showPage(PageId id);

  /// Pages about runs are dimmed where there is none, and the welcome page goes where there are some.
  void setHasRuns(bool hasRuns);

 Q_SIGNALS:
  void frontChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showFront(int index);
  /// Takes the widest padding with which all tabs are to be seen.
  void fitTabs();

  Workspace& workspace_;
  std::vector<Page*> pages_;
  QTabBar* tabs_;
  DraftNotice* draftNotice_;
  QStackedWidget* stack_;
  QMainWindow* sides_ = nullptr;
};

}  // namespace slipstream::ui
