// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/log_view.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QVBoxLayout>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int pollMilliseconds = 500;
constexpr int bringMilliseconds = 3000;
constexpr int mostLines = 20'000;
constexpr std::uintmax_t mostBytesOfAll = 1 << 20;  ///< shared by the logs that are read
constexpr std::uintmax_t leastBytesOfOne = 1 << 14;
constexpr int everyRank = -2;
constexpr int launcher = -1;

void keepNewestAttempt(std::vector<RankLog>& logs) {
  const int newest = logs.empty() ? 0 : logs.back().attempt;
  std::erase_if(logs, [newest](const RankLog& log) { return log.attempt != newest; });
}

}  // namespace

LogView::LogView(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      ranks_(new QComboBox),
      search_(new QLineEdit),
      note_(new ElidedLabel),
      text_(new QPlainTextEdit) {
  setProperty("page", true);
  setAttribute(Qt::WA_StyledBackground);
  QVBoxLayout* layout = column(this, gapSmall);
  layout->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  buildBar();
  text_->setReadOnly(true);
  text_->setFont(fixedFont());
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setMaximumBlockCount(mostLines);
  text_->setAccessibleName(tr("Log"));
  layout->addWidget(text_, 1);
  timer_.setInterval(pollMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &LogView::ask);
  ranks_->addItem(tr("All ranks"), everyRank);
}

void LogView::buildBar() {
  auto* bar = new QHBoxLayout;
  bar->setSpacing(gapText);
  ranks_->setAccessibleName(tr("Whose log"));
  ranks_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  search_->setPlaceholderText(tr("Find in the log"));
  search_->setAccessibleName(tr("Find in the log"));
  search_->setClearButtonEnabled(true);
  search_->setMaximumWidth(240);
  note_->setFont(textFont(TextSize::secondary));
  note_->setProperty("second", true);
  bar->addWidget(ranks_);
  bar->addWidget(search_);
  bar->addWidget(note_, 1);
  qobject_cast<QVBoxLayout*>(layout())->addLayout(bar);
  connect(ranks_, &QComboBox::activated, this, [this] {
    const int chosen = ranks_->currentData().toInt();
    showRun(run_, chosen == everyRank ? std::nullopt : std::optional<int>(chosen));
  });
  connect(search_, &QLineEdit::returnPressed, this, [this] { find(false); });
  auto* back = new QShortcut(Qt::SHIFT | Qt::Key_Return, search_);
  back->setContext(Qt::WidgetShortcut);
  connect(back, &QShortcut::activated, this, [this] { find(true); });
}

void LogView::showRun(const std::string& run, std::optional<int> rank) {
  run_ = run;
  rank_ = rank;
  restart();
}

void LogView::setWatching(bool watching) {
  if (watching == watching_) return;
  watching_ = watching;
  watching ? timer_.start() : timer_.stop();
  if (watching) ask();
}

void LogView::restart() {
  text_->clear();
  positions_.clear();
  waiting_ = false;
  latest_.take();  // an answer on its way is of what was shown before
  ask();
}

LogView::News LogView::newsOf(const std::filesystem::path& store, const std::string& run, std::optional<int> rank,
                              bool ended, LogPositions positions) {
  News news;
  news.logs = attemptLogs(store, run);
  keepNewestAttempt(news.logs);
  std::vector<RankLog> read = news.logs;
  if (rank) std::erase_if(read, [rank](const RankLog& log) { return log.rank != *rank; });
  news.positions = std::move(positions);
  const std::uintmax_t share = mostBytesOfAll / std::max<std::size_t>(1, read.size());
  news.pieces = newLogText(read, news.positions, ended, std::max(share, leastBytesOfOne));
  return news;
}

void LogView::ask() {
  if (!watching_ || waiting_ || run_.empty()) return;
  waiting_ = true;
  const RunRow* row = workspace_.store().snapshot()->find(run_);
  if (row != nullptr && !row->run.remote.empty()) bring(*row);
  const bool ended = row == nullptr || isTerminal(row->run.state);
  const int ticket = latest_.take();
  workspace_.store().reader().read(
      this,
      [run = run_, rank = rank_, ended, positions = positions_](RunStore& store) {
        return newsOf(store.folder(), run, rank, ended, positions);
      },
      [this, ticket](const News& news) {
        if (latest_.isLatest(ticket)) receive(news);
      },
      [this, ticket](const QString&) {
        if (latest_.isLatest(ticket)) waiting_ = false;  // the next poll asks again
      });
}

/// The logs of a copy come from its remote into the store, every few seconds as long as somebody reads them.
void LogView::bring(const RunRow& copy) {
  const bool sameAsBefore = brought_ == copy.run.id;
  if (bringing_ || (sameAsBefore && (isTerminal(copy.run.state) || broughtAt_.elapsed() < bringMilliseconds))) return;
  bringing_ = true;
  runCommand(this,
             {QStringLiteral("logs"), QString::fromStdString(copy.run.id), QStringLiteral("--json"),
              QStringLiteral("--store"), QString::fromStdString(workspace_.store().folder().string())},
             [this, run = copy.run.id](const CommandResult&) {
               bringing_ = false;
               brought_ = run;
               broughtAt_.restart();
             });
}

void LogView::receive(const News& news) {
  waiting_ = false;
  positions_ = news.positions;
  offerRanks(news);
  append(news);
  explain(news);
}

void LogView::offerRanks(const News& news) {
  std::vector<int> ranks{everyRank};
  for (const RankLog& log : news.logs) {
    if (log.rank != ranks.back()) ranks.push_back(log.rank);
  }
  const bool same =
      ranks_->count() == static_cast<int>(ranks.size()) && ranks_->itemData(ranks_->count() - 1) == ranks.back();
  if (!same) {
    ranks_->clear();
    for (const int rank : ranks) {
      ranks_->addItem(rank == everyRank  ? tr("All ranks")
                      : rank == launcher ? QStringLiteral("mpirun")
                                         : tr("Rank %1").arg(rank),
                      rank);
    }
  }
  ranks_->setCurrentIndex(std::max(0, ranks_->findData(rank_.value_or(everyRank))));
}

/// Stays at the end where it was at the end.
void LogView::append(const News& news) {
  if (news.pieces.empty()) return;
  const QScrollBar* bar = text_->verticalScrollBar();
  const bool follows = bar->value() >= bar->maximum() - 1;
  QStringList lines;
  for (const LogPiece& piece : news.pieces) {
    const QString whose = piece.log.rank == launcher ? QStringLiteral("mpirun") : tr("rank %1").arg(piece.log.rank);
    if (piece.skipped)
      lines << tr("%1: earlier lines are in %2").arg(whose, QString::fromStdString(piece.log.file.string()));
    const QStringList own = QString::fromUtf8(piece.text.data(), static_cast<qsizetype>(piece.text.size()))
                                .chopped(1)
                                .split(QLatin1Char('\n'));
    for (const QString& line : own) lines << (rank_ ? line : whose + QStringLiteral("  ") + line);
  }
  text_->appendPlainText(lines.join(QLatin1Char('\n')));
  if (follows) text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
}

void LogView::explain(const News& news) {
  const bool empty = text_->document()->isEmpty();
  if (news.logs.empty()) {
    note_->setWhole(tr("This run has no logs: it has not started yet, or they were removed."));
  } else if (empty) {
    note_->setWhole(tr("Nothing was printed so far. What happened is in Events."));
  } else {
    note_->setWhole(QString::fromStdString(news.logs.back().file.parent_path().parent_path().parent_path().string()));
  }
}

void LogView::find(bool backward) {
  const QString pattern = search_->text();
  if (pattern.isEmpty()) return;
  QTextDocument::FindFlags flags;
  flags.setFlag(QTextDocument::FindBackward, backward);
  if (text_->find(pattern, flags)) return;
  // From the other end.
  const QTextCursor before = text_->textCursor();
  text_->moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
  if (text_->find(pattern, flags)) return;
  text_->setTextCursor(before);
  note_->setWhole(tr("\"%1\" is not in this log").arg(pattern));
}

}  // namespace slipstream::ui
