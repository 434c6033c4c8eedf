// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_filter.h"

#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QVBoxLayout>
#include <chrono>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int filterTypingMilliseconds = 150;
/// What others ask of the store comes between one piece of the runs and the next.
constexpr std::size_t pieceRuns = 200;
constexpr std::chrono::milliseconds pieceTime{100};

}  // namespace

RunFilter::RunFilter(Workspace& workspace, QWidget* parent)
    : QWidget(parent), workspace_(workspace), line_(new QLineEdit), mistake_(label({}, TextSize::secondary)) {
  QVBoxLayout* layout = column(this, gapSmall);
  line_->setPlaceholderText(tr("Filter, e.g. algo:adasum"));
  line_->setAccessibleName(tr("Filter runs"));
  line_->setToolTip(
      tr("Words, state:failed, algo:adasum, tag:paper, seed:1, ranks>4, accuracy>97%, loss<0.1, is:pinned; "
         "a minus before what must not hold; quotes around several words"));
  line_->setClearButtonEnabled(true);
  line_->addAction(icon(Symbol::filter, IconInk::second), QLineEdit::LeadingPosition);
  mistake_->setWordWrap(true);
  mistake_->setProperty("wrong", true);
  mistake_->hide();
  layout->addWidget(line_);
  layout->addWidget(mistake_);
  typing_.setSingleShot(true);
  typing_.setInterval(filterTypingMilliseconds);
  connect(line_, &QLineEdit::textChanged, &typing_, qOverload<>(&QTimer::start));
  connect(&typing_, &QTimer::timeout, this, &RunFilter::read);
  connect(&workspace.store(), &StoreWatcher::changed, this, &RunFilter::ask);
  connect(&workspace.store(), &StoreWatcher::opened, this, [this] {
    asking_ = false;
    answers_.clear();
  });
}

void RunFilter::read() {
  const auto query = RunQuery::parse(line_->text().toStdString());
  const int ticket = typed_.take();
  if (!query) return showMistake(text(toText(query.error())));
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  if (query->isEmpty() || snapshot->runs.empty()) return use(*query);
  workspace_.store().reader().read(
      this,
      [snapshot, query = *query](RunStore& store) {
        std::vector<std::string> runs;
        for (const RunRow& row : snapshot->runs) runs.push_back(row.run.id);
        return query.checkMetrics(store, runs);
      },
      [this, ticket, query = *query](const Status& known) {
        if (!typed_.isLatest(ticket)) return;
        if (!known) return showMistake(text(toText(known.error())));
        use(query);
      });
}

void RunFilter::use(const RunQuery& query) {
  showMistake({});
  query_ = query;
  ++queryNumber_;
  answers_.clear();
  if (query_.isEmpty()) return Q_EMIT changed();
  ask();
}

/// The list stays as it was.
void RunFilter::showMistake(const QString& message) {
  mistake_->setText(message);
  mistake_->setVisible(!message.isEmpty());
  line_->setProperty("wrong", !message.isEmpty());
  repolish(line_);
}

/// What a run that has ended matches changes only with its label.
std::string RunFilter::stampOf(const RunRow& row, std::int64_t version) {
  std::string stamp = std::string(nameOf(row.run.state)) + ' ' + std::to_string(row.run.attempt) + ' ' +
                      row.label.title + '\n' + row.label.note + (row.label.pinned ? " p" : "") +
                      (row.label.archived ? " a" : "");
  for (const std::string& tag : row.label.tags) stamp += '\n' + tag;
  if (!isTerminal(row.run.state)) stamp += std::to_string(version);
  return stamp;
}

void RunFilter::ask() {
  if (query_.isEmpty() || asking_) return;
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  std::vector<std::pair<const RunRow*, std::string>> unknown;
  for (const RunRow& row : snapshot->runs) {
    std::string stamp = stampOf(row, snapshot->version);
    const auto known = answers_.find(row.run.id);
    if (known == answers_.end() || known->second.stamp != stamp) unknown.emplace_back(&row, std::move(stamp));
  }
  if (unknown.empty()) return;
  asking_ = true;
  using Answers = std::vector<std::pair<std::string, Answer>>;
  workspace_.store().reader().read(
      this,
      [snapshot, unknown = std::move(unknown), query = query_](RunStore& store) {
        Answers answers;
        const auto end = std::chrono::steady_clock::now() + pieceTime;
        for (const auto& [row, stamp] : unknown) {
          answers.push_back({row->run.id, {stamp, query.matches(store, row->run, row->label)}});
          if (answers.size() >= pieceRuns || std::chrono::steady_clock::now() >= end) break;
        }
        return answers;
      },
      [this, number = queryNumber_](Answers answers) { receive(number, std::move(answers)); },
      [this](const QString&) { asking_ = false; });
}

void RunFilter::receive(int queryNumber, std::vector<std::pair<std::string, Answer>> answers) {
  asking_ = false;
  if (queryNumber == queryNumber_) {
    for (auto& [run, answer] : answers) answers_[run] = std::move(answer);
    Q_EMIT changed();
  }
  ask();  // the next piece, and what has changed meanwhile
}

bool RunFilter::shows(const RunRow& row) const {
  if (query_.isEmpty()) return true;
  const auto known = answers_.find(row.run.id);
  return known != answers_.end() && known->second.matches;
}

}  // namespace slipstream::ui
