// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_page.h"

#include <QAction>
#include <QFileDialog>
#include <QStackedLayout>

#include "engine/config/json_edit.h"
#include "engine/config/python_literals.h"
#include "engine/study/new_study.h"
#include "engine/study_results/study_document.h"
#include "ui/documents/document_files.h"
#include "ui/store/job_thread.h"
#include "ui/store/store_snapshot.h"
#include "ui/study/matrix_view.h"
#include "ui/study/next_tab.h"
#include "ui/study/study_form.h"
#include "ui/study/study_header.h"
#include "ui/study/study_panels.h"
#include "ui/study/study_results.h"
#include "ui/study/study_saver.h"
#include "ui/workspace/document_dialogs.h"

namespace slipstream::ui {
namespace {

/// While a study goes on it writes more often than its statistics are worth.
constexpr int goingOnMilliseconds = 2000;

Json experimentOf(const std::string& text) {
  const Json read = Json::parse(experimentAsJson(text), nullptr, false);
  return read.is_object() ? read : Json();
}

/// The document with its base named as it is seen from the file's folder, where both move together.
std::string withRelativeBase(const StudyDocument& document, const std::filesystem::path& file) {
  Json root = document.root();
  const std::filesystem::path base = root["base"].get<std::string>();
  const std::filesystem::path home = file.parent_path();
  if (base.is_absolute() && base.parent_path() == home.parent_path())
    root["base"] = base.lexically_relative(home).string();
  return prettyJson(root) + "\n";
}

bool isThere(const std::filesystem::path& file) {
  return diskThread().wait([file] {
    std::error_code none;
    return std::filesystem::exists(file, none);
  });
}

}  // namespace

StudyPage::StudyPage(Workspace& workspace, QWidget* parent)
    : Page(workspace, parent), layers_(new QStackedLayout(this)), saver_(new StudySaver(workspace, this)) {
  QPushButton* begin = primaryButton(Symbol::add, tr("New study"));
  connect(begin, &QPushButton::clicked, this, &StudyPage::begin);
  empty_ = new EmptyState({}, {}, begin);
  layers_->addWidget(empty_);
  pause_.setSingleShot(true);
  pause_.setInterval(goingOnMilliseconds);
  connect(&pause_, &QTimer::timeout, this, &StudyPage::refresh);
  addActions();
  connectWorkspace();
  refresh();
}

void StudyPage::addActions() {
  const auto add = [this](Symbol symbol, const QString& title, void (StudyPage::*done)()) {
    auto* action = new QAction(icon(symbol), title, this);
    connect(action, &QAction::triggered, this, done);
    addAction(action);
  };
  add(Symbol::add, tr("New study"), &StudyPage::begin);
  add(Symbol::folder, tr("Open study…"), &StudyPage::open);
  add(Symbol::vary, tr("New study from this"), &StudyPage::follow);
  auto* save = new QAction(icon(Symbol::report), tr("Save report of the study…"), this);
  connect(save, &QAction::triggered, saver_, &StudySaver::ask);
  addAction(save);
}

void StudyPage::connectWorkspace() {
  StudyLauncher& launcher = workspace().studyLauncher();
  connect(&workspace().studies(), &StudySelection::changed, this, &StudyPage::refresh);
  connect(&workspace().store(), &StoreWatcher::opened, this, &StudyPage::refresh);
  connect(&workspace().store(), &StoreWatcher::changed, this, [this] {
    refreshHeader();
    if (workspace().currentStudy() == nullptr || asked_ == 0) return refresh();
    if (!pause_.isActive()) pause_.start();
  });
  connect(&launcher, &StudyLauncher::busyChanged, this, &StudyPage::refreshHeader);
  connect(&launcher, &StudyLauncher::refused, this, &StudyPage::refused);
}

StudyPanels& StudyPage::panels() {
  if (panels_ != nullptr) return *panels_;
  panels_ = new StudyPanels(this);
  layers_->addWidget(panels_);
  StudyLauncher& launcher = workspace().studyLauncher();
  StudyHeader* header = &panels_->header();
  StudyResults* results = &panels_->results();
  const auto name = [this] { return workspace().studies().name(); };
  connect(header, &StudyHeader::goOnWanted, this, [&launcher, name] { launcher.goOn(name()); });
  connect(header, &StudyHeader::pauseWanted, this, [&launcher, name] { launcher.pause(name()); });
  connect(header, &StudyHeader::saveWanted, saver_, &StudySaver::ask);
  connect(header, &StudyHeader::newWanted, this, &StudyPage::begin);
  connect(header, &StudyHeader::seedsWanted, this, [results] { results->showTab(4); });
  connect(results, &StudyResults::runsWanted, this, &StudyPage::compare);
  connect(results, &StudyResults::followingWanted, this, &StudyPage::follow);
  connect(results, &StudyResults::runWanted, this, [this](const QString& run) {
    workspace().selection().setCurrent(run.toStdString());
    workspace().showPage(PageId::charts);
  });
  connect(&results->next(), &NextTab::seedsWanted, this,
          [&launcher, name](int count) { launcher.addSeeds(name(), count); });
  return *panels_;
}

StudyForm& StudyPage::form() {
  if (form_ != nullptr) return *form_;
  form_ = new StudyForm(workspace(), this);
  layers_->addWidget(form_);
  connect(form_, &StudyForm::freezeWanted, this, &StudyPage::freeze);
  connect(form_, &StudyForm::discardWanted, this, &StudyPage::discard);
  connect(form_, &StudyForm::baseWanted, this, &StudyPage::chooseBase);
  return *form_;
}

Document* StudyPage::document() {
  return workspace().studies().isDraft() ? &workspace().studyDraft() : nullptr;
}

const std::optional<StudyReading>& StudyPage::shown() const {
  static const std::optional<StudyReading> none;
  return panels_ == nullptr ? none : panels_->results().reading();
}

void StudyPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  refresh();
}

void StudyPage::showNothing(const QString& what, const QString& why) {
  asked_ = 0;
  latest_.take();
  latestStanding_.take();
  empty_->setText(what, why);
  layers_->setCurrentWidget(empty_);
}

/// The newest study is shown where none was chosen.
void StudyPage::refresh() {
  StudySelection& selection = workspace().studies();
  const bool isDraft = selection.isDraft();
  const bool showsForm = form_ != nullptr && layers_->currentWidget() == form_;
  if (showsForm != isDraft) {
    layers_->setCurrentWidget(isDraft ? static_cast<QWidget*>(&form()) : empty_);
    Q_EMIT documentChanged();
  }
  if (isDraft) return;
  const StoreSnapshotPointer snapshot = workspace().store().snapshot();
  if (selection.name().empty() && !snapshot->studies.empty())
    return selection.choose(snapshot->studies.back().record.name);
  if (const StudySummary* study = workspace().currentStudy()) return showStudy(*study);
  if (selection.name().empty()) {
    return showNothing(tr("No study yet"), tr("A study asks one question of many runs: which variant is better, on how "
                                              "many ranks, and with how many seeds that is shown."));
  }
  showNothing(tr("Study %1").arg(text(selection.name())), tr("It is not in the store, or not any more."));
}

void StudyPage::showStudy(const StudySummary& study) {
  refreshHeader();
  if (!isVisible()) return;
  const std::int64_t version = workspace().store().snapshot()->version;
  if (shown() && shown()->standing.record.number == study.record.number) layers_->setCurrentWidget(&panels());
  if (asked_ == study.record.number && version_ == version) return;
  if (asked_ != study.record.number) {
    known_ = std::make_shared<KnownRuns>();
    askStanding(study.record.number);
  }
  asked_ = study.record.number;
  version_ = version;
  ask(study);
}

void StudyPage::refreshHeader() {
  const StudySummary* study = workspace().currentStudy();
  if (study == nullptr) return;
  QString other;
  for (const StudySummary& one : workspace().store().snapshot()->studies) {
    if (one.carriedOn && one.record.number != study->record.number) other = text(one.record.name);
  }
  const bool goesOn = study->state == StudyState::running;
  if (goesOn) announced_ = study->record.name;
  if (panels_ == nullptr && !isVisible()) return;
  const bool busy = workspace().studyLauncher().isBusy();
  panels().header().setStudy(*study, other, busy, workspace().store().whyReadOnly());
  const QString whyNot = !workspace().store().whyReadOnly().isEmpty() ? workspace().store().whyReadOnly()
                         : study->carriedOn ? tr("Seeds are added once the runs of this round have ended.")
                         : !other.isEmpty() ? tr("%1 is being carried on.").arg(other)
                         : busy             ? tr("It is being started.")
                                            : QString();
  panels().results().next().setWhyNot(whyNot);
}

/// States of runs are there in a moment, whatever it takes to read what came of them.
void StudyPage::askStanding(std::int64_t number) {
  const int ticket = latestStanding_.take();
  workspace().store().reader().read(
      this, [number](RunStore& store) { return standingOf(store, number); },
      [this, ticket, number](const Result<StudyStanding>& standing) {
        const bool isRead = shown() && shown()->standing.record.number == number;
        if (!latestStanding_.isLatest(ticket) || isRead || !standing) return;
        panels().setStanding(*standing);
        layers_->setCurrentWidget(&panels());
      });
}

void StudyPage::ask(const StudySummary& study) {
  const int ticket = latest_.take();
  workspace().store().longReader().read(
      this,
      [number = study.record.number, known = known_](RunStore& store) { return readingOf(store, number, *known); },
      [this, ticket](Result<StudyReading> reading) {
        if (latest_.isLatest(ticket)) receive(std::move(reading));
      },
      [this, ticket](const QString& message) {
        if (latest_.isLatest(ticket)) showNothing(tr("This study cannot be read"), message);
      });
}

void StudyPage::receive(Result<StudyReading> reading) {
  if (!reading) {
    showNothing(tr("This study cannot be read"), text(toText(reading.error())));
    return Q_EMIT answered();
  }
  const bool hasEnded = reading->standing.state == StudyState::done;
  const QString name = text(reading->standing.record.name);
  const QString sentence = text(sentenceOf(reading->verdict));
  panels().setReading(std::move(*reading));
  layers_->setCurrentWidget(&panels());
  if (hasEnded && announced_ == name.toStdString()) {
    announced_.clear();
    workspace().report(tr("Study %1 is done. %2").arg(name, sentence));
  }
  Q_EMIT answered();
}

void StudyPage::begin() {
  workspace().showPage(PageId::study);
  StudyDocument& draft = workspace().studyDraft();
  if (!draft.isBlank()) return workspace().studies().chooseDraft();  // it is what was begun before
  const std::filesystem::path& file = workspace().experiment().file();
  const Json experiment = file.empty() ? Json() : experimentOf(workspace().experiment().text());
  beginFrom(newStudyText(file.empty() ? file : std::filesystem::absolute(file), experiment));
}

void StudyPage::beginFrom(const std::string& written) {
  StudyDocument& draft = workspace().studyDraft();
  if (!confirmClose(this, {&draft})) return;
  form().cost().setRefusal({});
  draft.start(written);
  workspace().studies().chooseDraft();
  workspace().showPage(PageId::study);
}

/// Of a study whose files have changed, or whose question has: it names the one before.
void StudyPage::follow() {
  if (shown()) beginFrom(followingStudyText(shown()->standing.study));
}

void StudyPage::open() {
  const QString name = QFileDialog::getOpenFileName(this, tr("Open study"), {}, tr("JSON files (*.json)"));
  if (name.isEmpty()) return;
  StudyDocument& draft = workspace().studyDraft();
  const auto read = readDocument(name.toStdString());
  if (!read) return workspace().report(text(toText(read.error())));
  if (!confirmClose(this, {&draft})) return;
  draft.load(read->file, read->text);
  workspace().studies().chooseDraft();
  workspace().showPage(PageId::study);
}

void StudyPage::discard() {
  StudyDocument& draft = workspace().studyDraft();
  if (!confirmClose(this, {&draft})) return;
  draft.dropDraft();
  draft.start({});
  workspace().studies().choose({});
}

void StudyPage::chooseBase() {
  auto* dialog = new QFileDialog(this, tr("Base experiment"), {}, tr("JSON files (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &StudyPage::readBase);
  dialog->open();
}

/// The variants are those of the new base.
void StudyPage::readBase(const QString& file) {
  const auto read = readDocument(file.toStdString());
  if (!read) return form().cost().setRefusal(text(toText(read.error())));
  const std::filesystem::path base = std::filesystem::absolute(read->file);
  const Json fresh = Json::parse(newStudyText(base, experimentOf(read->text)));
  workspace().studyDraft().change(tr("Base experiment"), [&](Json& root) {
    for (const char* key : {"variants", "reference"}) root.erase(key);
    for (const auto& [key, value] : fresh.items()) {
      if (!root.contains(key) || key == "base") root[key] = value;
    }
  });
}

void StudyPage::freeze() {
  StudyDocument& draft = workspace().studyDraft();
  if (!draft.isCurrent() || !draft.problems().empty()) return;
  const std::filesystem::path file = draft.place();
  if (file.empty()) return form().cost().setRefusal(tr("The base experiment has no file yet."));
  if (draft.file().empty() && isThere(file)) {
    return form().cost().setRefusal(
        tr("%1 is there already: give the study another name, or open that one.").arg(text(file.string())));
  }
  const Status saved = draft.saveAs(file, withRelativeBase(draft, file), tr("Freeze"));
  if (!saved) return form().cost().setRefusal(text(toText(saved.error())));
  form().cost().setRefusal({});
  workspace().studyLauncher().freeze(file);
}

/// Elsewhere it is told in the line of messages alone.
void StudyPage::refused(const QString& message) {
  if (workspace().studies().isDraft()) form().cost().setRefusal(message);
}

void StudyPage::compare(const std::vector<std::string>& runs) {
  workspace().selection().setShown(runs, runs.front());
  workspace().showPage(PageId::compare);
}

}  // namespace slipstream::ui
