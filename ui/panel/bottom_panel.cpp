// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/bottom_panel.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

#include "ui/panel/events_view.h"
#include "ui/panel/log_view.h"
#include "ui/panel/problems_model.h"
#include "ui/panel/problems_view.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

constexpr int headHeight = 32;
constexpr int usualHeight = 150;  ///< and the least, when it is open
/// What has just happened is no news any more.
constexpr int messageMilliseconds = 120'000;
const QString layoutName = QStringLiteral("panel");

}  // namespace

BottomPanel::BottomPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      model_(new ProblemsModel(workspace, this)),
      problems_(new ProblemsView(*model_, this)),
      log_(new LogView(workspace, this)),
      events_(new EventsView(workspace, this)),
      problemCount_(label({}, TextSize::section)),
      message_(new ElidedLabel),
      counts_(label({}, TextSize::secondary, true)),
      chevron_(new QToolButton),
      views_(new QStackedWidget),
      openedHeight_(usualHeight) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(this, 0);
  buildHeader();
  layout->addLayout(head_);
  line_ = hairline();
  layout->addWidget(line_);
  for (QWidget* view : {static_cast<QWidget*>(problems_), static_cast<QWidget*>(log_), static_cast<QWidget*>(events_)})
    views_->addWidget(view);
  layout->addWidget(views_, 1);
  forget_.setInterval(messageMilliseconds);
  forget_.setSingleShot(true);
  connect(&forget_, &QTimer::timeout, this, [this] { message_->setWhole({}); });
  connect(model_, &ProblemsModel::countsChanged, this, &BottomPanel::showCounts);
  connect(&workspace, &Workspace::reported, this, &BottomPanel::showMessage);
  connect(events_, &EventsView::happened, this, &BottomPanel::showNews);
  connect(&workspace, &Workspace::logWanted, this, &BottomPanel::showLog);
  connect(&workspace.selection(), &RunSelection::changed, this, &BottomPanel::selectionChanged);
  showCounts();
  selectionChanged();
  apply();
}

void BottomPanel::buildHeader() {
  head_ = new QHBoxLayout;
  head_->setContentsMargins(gapText, 0, gapText, 0);
  head_->setSpacing(0);
  QToolButton* problems = addTab(Tab::problems, tr("Problems"));
  problems->setProperty("counted", true);  // the number beside it belongs to it
  head_->addWidget(problems);
  problemCount_->setProperty("tabCount", true);
  head_->addWidget(problemCount_);
  head_->addWidget(addTab(Tab::log, tr("Log")));
  head_->addWidget(addTab(Tab::events, tr("Events")));
  message_->setFont(textFont(TextSize::secondary));
  message_->setProperty("second", true);
  message_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  message_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  head_->addWidget(message_, 1);
  counts_->setContentsMargins(gapWide, 0, gapSmall, 0);
  head_->addWidget(counts_);
  head_->addWidget(chevron_);
  connect(chevron_, &QToolButton::clicked, this, [this] {
    forProblems_ = false;
    opened_ ? close() : open(tab_);
  });
}

QToolButton* BottomPanel::addTab(Tab tab, const QString& text) {
  auto* made = new QToolButton;
  made->setText(text);
  made->setCheckable(true);
  made->setProperty("panelTab", true);
  made->setMinimumHeight(headHeight - 1);
  connect(made, &QToolButton::clicked, this, [this, tab] { toggle(tab); });
  tabs_.push_back(made);
  return made;
}

void BottomPanel::toggle(Tab tab) {
  forProblems_ = false;
  if (opened_ && tab == tab_) return close();
  open(tab);
}

void BottomPanel::openForProblems() {
  if (!opened_) forProblems_ = true;
  open(Tab::problems);
}

void BottomPanel::open(Tab tab) {
  tab_ = tab;
  if (opened_) return apply();
  opened_ = true;
  apply();
  takeHeight();
}

void BottomPanel::close() {
  if (opened_ && height() != takenHeight_) openedHeight_ = std::max(usualHeight, height());
  opened_ = false;
  apply();
  takeHeight();
}

int BottomPanel::lineHeight() const {
  return std::max(headHeight, fontMetrics().height() + 8);
}

/// All of them, where that leaves most of the room to the page.
int BottomPanel::heightOfProblems(int room) const {
  constexpr double mostShare = 0.4;
  const int whole = lineHeight() + 1 + problems_->wholeHeight();
  return std::min(whole, static_cast<int>(mostShare * room));
}

/// What is above takes what is left.
void BottomPanel::takeHeight() {
  auto* splitter = qobject_cast<QSplitter*>(parentWidget());
  if (splitter == nullptr) return;
  layout()->activate();  // rows are as high as their width asks for
  takenHeight_ = opened_ ? openedHeight_ : minimumHeight();
  if (opened_ && tab_ == Tab::problems) takenHeight_ = std::max(takenHeight_, heightOfProblems(splitter->height()));
  splitter->setSizes({std::max(1, splitter->height() - takenHeight_), takenHeight_});
}

/// Closed, it can be no higher than its line.
void BottomPanel::apply() {
  views_->setVisible(opened_);
  line_->setVisible(opened_);  // closed, the panel ends with the status line's own
  setMinimumHeight(opened_ ? usualHeight : lineHeight());
  setMaximumHeight(opened_ ? QWIDGETSIZE_MAX : lineHeight());
  views_->setCurrentIndex(static_cast<int>(tab_));
  for (std::size_t i = 0; i < tabs_.size(); ++i) tabs_[i]->setChecked(opened_ && i == static_cast<std::size_t>(tab_));
  problemCount_->setProperty("open", opened_ && tab_ == Tab::problems);
  repolish(problemCount_);
  chevron_->setIcon(icon(opened_ ? Symbol::down : Symbol::up));
  chevron_->setAccessibleName(opened_ ? tr("Close the panel") : tr("Open the panel"));
  chevron_->setToolTip(chevron_->accessibleName());
  log_->setWatching(opened_ && tab_ == Tab::log);
}

void BottomPanel::showCounts() {
  const int errors = model_->errors();
  const int warnings = model_->warnings();
  problemCount_->setText(QLocale().toString(errors + warnings));
  const bool any = errors + warnings > 0;
  problemCount_->setProperty("second", !any);
  showSeverity(*problemCount_, !any ? std::nullopt : std::optional(errors > 0 ? Verdict::reject : Verdict::warn));
  QStringList parts = problemCounts(errors, warnings);
  if (!parts.isEmpty()) parts << tr("F8 goes to the next");
  counts_->setText(parts.join(QStringLiteral(" · ")));
  counts_->setVisible(!parts.isEmpty());
  if (errors + warnings == 0 && std::exchange(forProblems_, false)) close();
}

void BottomPanel::showMessage(const QString& message) {
  if (message.isEmpty()) return message_->setWhole({});
  showNews(QDateTime::currentDateTime(), message);
}

void BottomPanel::showNews(const QDateTime& time, const QString& message) {
  forget_.start();
  message_->setWhole(tr("%1  %2").arg(time.toString(QStringLiteral("HH:mm:ss")), message));
}

void BottomPanel::selectionChanged() {
  const std::string& run = workspace_.selection().current();
  log_->showRun(run, std::nullopt);
  events_->showRun(run);
}

void BottomPanel::showNextProblem() {
  open(Tab::problems);
  problems_->walk(1);
}

void BottomPanel::showPreviousProblem() {
  open(Tab::problems);
  problems_->walk(-1);
}

void BottomPanel::showLog(const std::string& run, int rank) {
  forProblems_ = false;
  log_->showRun(run, rank < 0 ? std::nullopt : std::optional<int>(rank));
  open(Tab::log);
}

void BottomPanel::restoreLayout() {
  const QList<QByteArray> kept = Settings::layout(layoutName).split(' ');
  opened_ = kept.value(0) == "open";
  const int tab = kept.value(1).toInt();
  tab_ = tab >= 0 && tab < static_cast<int>(tabs_.size()) ? static_cast<Tab>(tab) : Tab::problems;
  openedHeight_ = std::max(usualHeight, kept.value(2).toInt());
  apply();
  takeHeight();
}

void BottomPanel::saveLayout() const {
  const QByteArray state = opened_ ? "open" : "closed";
  Settings::setLayout(layoutName,
                      state + ' ' + QByteArray::number(static_cast<int>(tab_)) + ' ' +
                          QByteArray::number(opened_ && height() != takenHeight_ ? height() : openedHeight_));
}

}  // namespace slipstream::ui
