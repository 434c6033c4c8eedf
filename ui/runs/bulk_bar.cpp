// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/bulk_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QWidgetAction>
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "engine/analysis/run_colours.h"
#include "ui/runs/label_fields.h"
#include "ui/runs/run_removing.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int bulkBarHeight = 40, tagsWidth = 240;
/// Charts have a pen of its own for as many lines.
constexpr std::size_t mostCompared = runColourCount * runDashCount;

/// Off, with the reason where one points.
void allow(QPushButton& button, const QString& whyNot) {
  button.setEnabled(whyNot.isEmpty());
  button.setToolTip(whyNot);
}

}  // namespace

BulkBar::BulkBar(Workspace& workspace, Notice& notice, QWidget* parent)
    : QFrame(parent),
      workspace_(workspace),
      notice_(notice),
      count_(label({}, TextSize::section)),
      of_(new ElidedLabel),
      tag_(button(Symbol::tag, tr("Tag…"))),
      pin_(button(Symbol::pin, tr("Pin"))),
      compare_(button(Symbol::compare, tr("Compare"))),
      report_(button(Symbol::report, tr("Report"))),
      archive_(button(Symbol::archive, tr("Archive"))),
      remove_(button(Symbol::trash, tr("Delete…"))),
      tags_(new QLineEdit) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  setMinimumHeight(bulkBarHeight);
  setAccessibleName(tr("What is done to the ticked runs"));
  build();
  connect(&workspace.store(), &StoreWatcher::changed, this, &BulkBar::refresh);
  hide();
}

void BulkBar::build() {
  auto* menu = new QMenu(tag_);
  auto* field = new QWidgetAction(menu);
  tags_->setPlaceholderText(tr("Tags to add, a comma between"));
  tags_->setAccessibleName(tags_->placeholderText());
  tags_->setMinimumWidth(widthForFont(tagsWidth));
  field->setDefaultWidget(tags_);
  menu->addAction(field);
  tag_->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, tags_, [this] {
    tags_->clear();
    QMetaObject::invokeMethod(
        tags_, [this] { tags_->setFocus(); }, Qt::QueuedConnection);
  });
  connect(tags_, &QLineEdit::returnPressed, this, [this, menu] {
    if (setTags(tags_->text())) menu->close();
  });
  connect(pin_, &QPushButton::clicked, this, [this] { pinBaseline(workspace_, runs_.front()); });
  connect(compare_, &QPushButton::clicked, this, [this] { showOn(PageId::compare); });
  connect(report_, &QPushButton::clicked, this, [this] { showOn(PageId::report); });
  connect(archive_, &QPushButton::clicked, this, &BulkBar::setArchived);
  connect(remove_, &QPushButton::clicked, this, [this] { askToRemove(workspace_, notice_, runs_); });
  remove_->setProperty("danger", true);
  remove_->setIcon(icon(Symbol::trash, IconInk::error));
  QHBoxLayout* row = rowLayout(this, gapSmall);
  row->setContentsMargins(pageMargin, gapSmall, pageMargin, gapSmall);
  QToolButton* none = iconButton(Symbol::close, tr("Take all ticks away"));
  connect(none, &QToolButton::clicked, this, &BulkBar::unticked);
  row->addWidget(none);
  row->addWidget(count_);
  of_->setProperty("second", true);
  row->addWidget(of_);
  row->addStretch(1);
  for (QPushButton* one : {tag_, pin_, compare_, report_, archive_, remove_}) row->addWidget(one);
}

void BulkBar::setRuns(std::vector<std::string> runs, int of) {
  runs_ = std::move(runs);
  setVisible(!runs_.empty());
  count_->setText(tr("%n ticked", nullptr, static_cast<int>(runs_.size())));
  const QString ofAll = tr("of %1").arg(of), differing = tr("differences underlined");
  if (runs_.size() > 1)
    of_->setWhole(QStringLiteral("%1 · %2").arg(ofAll, differing), {differing, ofAll, QString()});
  else
    of_->setWhole(ofAll, {QString()});
  refresh();
}

std::vector<const RunRow*> BulkBar::rows(const StoreSnapshot& snapshot) const {
  const std::unordered_set<std::string_view> ids(runs_.begin(), runs_.end());
  std::vector<const RunRow*> found;
  for (const RunRow& row : snapshot.runs) {
    if (ids.contains(row.run.id)) found.push_back(&row);
  }
  return found;
}

void BulkBar::refresh() {
  if (runs_.empty()) return;
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const std::vector<const RunRow*> chosen = rows(*snapshot);
  const QString fixed = whyUnchangeable(workspace_, chosen, false);
  const QString going = whyUnchangeable(workspace_, chosen, true);
  const QString many = chosen.size() > 1 ? QString() : tr("Tick two runs or more");
  allow(*tag_, fixed);
  allow(*pin_, chosen.size() > 1 ? tr("Tick one run: there is one baseline") : fixed);
  allow(*compare_,
        chosen.size() > mostCompared ? tr("At most %1 runs have a line of their own").arg(mostCompared) : many);
  allow(*report_,
        chosen.size() > mostCompared ? tr("At most %1 runs have a line of their own").arg(mostCompared) : QString());
  const bool all = std::ranges::all_of(chosen, [](const RunRow* row) { return row->label.archived; });
  archive_->setText(all ? tr("Unarchive") : tr("Archive"));
  allow(*archive_, going);
  allow(*remove_, going);
}

/// Returns whether they can be tags.
bool BulkBar::setTags(const QString& typed) {
  const std::vector<std::string> added = tagsOf(typed);
  if (const Status valid = checkNewTags(added, {}); !valid) {
    notice_.report(text(toText(valid.error())));
    return false;
  }
  editLabels(workspace_, runs_, tr("Tag"), [added](RunLabel& label) {
    for (const std::string& tag : added) {
      if (std::ranges::find(label.tags, tag) == label.tags.end()) label.tags.push_back(tag);
    }
  });
  return true;
}

void BulkBar::setArchived() {
  const StoreSnapshotPointer snapshot = workspace_.store().snapshot();
  const std::vector<const RunRow*> chosen = rows(*snapshot);
  const bool archives = std::ranges::any_of(chosen, [](const RunRow* row) { return !row->label.archived; });
  editLabels(workspace_, runs_, archives ? tr("Archive") : tr("Unarchive"),
             [archives](RunLabel& label) { label.archived = archives; });
}

void BulkBar::showOn(PageId page) {
  workspace_.selection().setShown(runs_, runs_.front());
  workspace_.showPage(page);
}

}  // namespace slipstream::ui
