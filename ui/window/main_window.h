// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/base/failure.h"
#include "ui/workspace/actions.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {

class BottomPanel;
class CommandBox;
class LayoutMemory;
class PageStack;
class RunInspector;
class RunsDock;
class OpenExperimentRow;
class StudyList;
struct DocumentText;

/// The frame: runs on the left, pages in the middle, problems below, a status line. What it shows lives in the
/// workspace, so a window can be replaced by one in another language at any time.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Workspace& workspace);
  ~MainWindow() override;

  /// Brings the page to the front.
  void showPage(PageId id);
  Page* page(PageId id) const;
  PageId frontPage() const;
  const Actions& actions() const { return actions_; }
  /// An experiment or a rank table, told apart by content, comes to the front; fails where the file cannot be read.
  Status openFile(const std::filesystem::path& file);
  /// The same with what was read of it.
  void open(const DocumentText& read);
  /// Saves the positions of docks and splitters for the next window.
  void saveLayout();

 Q_SIGNALS:
  void languageChosen();  ///< a window in Settings::language() is wanted instead

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void focusFirst();
  void makeUndo();
  void buildDocks();
  void buildPages();
  void showWhatIsSelected();
  void addPage(Page* page);
  void buildBars();
  void connectFiles();
  void connectLaunch();
  void connectRuns();
  void connectAppearance();

  void refresh();
  void showTicked();
  void showGlance();
  void hideOurGlance();
  void showRunsAtFirst();
  void open(Document& document, PageId page);
  void open(Document& document, const DocumentText& read, PageId page);
  void askForNewExperiment();
  void newExperiment(const QString& resource);
  void launchExperiment();
  std::optional<QStringList> askWhereToLaunch();
  bool saveToStore();
  void launchOncePlanned();
  void launchOrReport();
  void closeOnceWritten();
  void explainThatRunsContinue();

  class HelpWindow* help_ = nullptr;
  Workspace& workspace_;
  Actions actions_;
  PageStack* pages_ = nullptr;
  BottomPanel* panel_ = nullptr;
  RunsDock* runs_ = nullptr;
  OpenExperimentRow* openExperiment_ = nullptr;
  StudyList* studies_ = nullptr;
  RunInspector* inspector_ = nullptr;
  CommandBox* commandBox_ = nullptr;
  std::unique_ptr<LayoutMemory> layout_;
  bool isNarrow_ = false;
  bool launchAwaited_ = false;   ///< of what is being planned
  bool hasPolled_ = false;       ///< into the open store
  bool isGlanceClosed_ = false;  ///< by a person: it stays so
  bool isGlanceOurs_ = false;    ///< the run at a glance was opened by the window itself
  int runsWidth_ = 0;            ///< of the dock, before the glance was shown
};

}  // namespace slipstream::ui
