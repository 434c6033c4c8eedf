#pragma once

#include <QMainWindow>
#include <QStackedWidget>
#include <QTabBar>
#include <vector>

#include "ui/window/actions.h"
#include "ui/workspace/page.h"

class QMenu;
class QSplitter;

namespace slipstream::ui {

class BottomPanel;
class CommandBox;
class DraftNotice;
class RunInspector;
class RunsDock;

/// The frame: runs on the left, pages in the middle, problems below, a status line. What it shows lives in the
/// workspace, so a window can be replaced by one in another language at any time.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Workspace& workspace);
  ~MainWindow() override;

  /// The page of this name comes to the front.
  void showPage(const QString& name);
  Page* page(const QString& name) const;
  QString frontPage() const { return pages_[static_cast<std::size_t>(tabs_->currentIndex())]->name(); }
  const Actions& actions() const { return actions_; }
  /// An experiment or a rank table, told apart by content, comes to the front; fails where the file cannot be read.
  Status openFile(const std::filesystem::path& file);
  /// Remembers where docks and splitters stand, for the next window.
  void saveLayout();

 Q_SIGNALS:
  void languageChosen();  ///< a window in Settings::language() is wanted instead

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildToolBar();
  void buildMenus();
  void buildBody();
  void addPage(Page* page);
  void connectFiles();
  void connectRuns();
  void connectLooks();
  std::vector<QAction*> commands() const;

  void refresh();
  void frontChanged(int index);
  void open(Document& document, const QString& page);
  void addTemplates(QMenu& menu);
  void newExperiment(const QString& resource);
  void launchExperiment();
  void stop(StopKind kind);
  void tellThatRunsGoOn();
  void restoreLayout();

  Workspace& workspace_;
  Actions actions_;
  std::vector<Page*> pages_;
  QTabBar* tabs_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QSplitter* body_ = nullptr;
  BottomPanel* panel_ = nullptr;
  RunsDock* runs_ = nullptr;
  RunInspector* inspector_ = nullptr;
  CommandBox* commandBox_ = nullptr;
  DraftNotice* draftNotice_ = nullptr;
};

}  // namespace slipstream::ui
