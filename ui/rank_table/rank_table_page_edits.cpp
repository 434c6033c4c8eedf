// SPDX-License-Identifier: GPL-3.0-or-later
// What the page does to the table. Every edit is one undo step.
#include <QFileDialog>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/plan/rank_table_edit.h"
#include "engine/plan/rank_table_tools.h"
#include "ui/parts/notice.h"
#include "ui/rank_table/dry_run_panel.h"
#include "ui/rank_table/preview_panel.h"
#include "ui/rank_table/rank_table_page.h"
#include "ui/store/job_thread.h"
#include "ui/workspace/document_text.h"

namespace slipstream::ui {

void RankTablePage::generate(TableSource source) {
  workspace().goTo(name());
  generate_->ask(source);
}

void RankTablePage::replaceBy(const RankTable& made, const QString& label) {
  table().edit(toJsonText(made), label);
}

void RankTablePage::complain(const Failures& failures) {
  notice_->tell(QString::fromStdString(trim(toText(failures))));
}

void RankTablePage::importTable() {
  const QString name = QFileDialog::getOpenFileName(this, tr("Import a rank table of any version"), {},
                                                    tr("JSON files (*.json);;All files (*)"));
  if (name.isEmpty()) return;
  importFile(name.toStdString());
}

/// A table that is wrong comes in as it is written: its problems are listed here, with what mends them.
void RankTablePage::importFile(const std::filesystem::path& file) {
  const auto text = diskThread().wait([file] { return readDocumentText(file); });
  if (!text) return complain(text.error());
  const auto imported = importRankTable(*text, file);
  if (imported) return replaceBy(*imported, tr("Import"));
  table().edit(*text, tr("Import"));
  workspace().say(tr("%1 has mistakes: they are listed below, and can be mended here")
                      .arg(QString::fromStdString(file.filename().string())));
}

void RankTablePage::mergeTables() {
  const QStringList names =
      QFileDialog::getOpenFileNames(this, tr("Merge rank tables"), {}, tr("JSON files (*.json);;All files (*)"));
  std::vector<std::filesystem::path> files;
  for (const QString& name : names) files.emplace_back(name.toStdString());
  if (!files.empty()) merge(files);
}

/// The table at hand comes first. One that is wrong, at hand or among the files, is not left out: nothing is merged.
void RankTablePage::merge(const std::vector<std::filesystem::path>& files) {
  std::vector<RankTable> tables;
  std::vector<std::string> sources;
  Failures failures;
  if (!table().isBlank()) {
    failures = rejectionsOf(table().reading(), table().title().toStdString());
    tables.push_back(table().reading().table);
    sources.push_back(table().title().toStdString());
  }
  for (const std::filesystem::path& file : files) {
    auto loaded = diskThread().wait([file] { return loadRankTable(file); });
    if (!collect(loaded, failures)) continue;
    tables.push_back(std::move(*loaded));
    sources.push_back(file.string());
  }
  if (!failures.empty()) return complain(failures);
  const auto merged = mergeRankTables(tables, sources);
  if (!merged) return complain(merged.error());
  replaceBy(merged->table, tr("Merge"));
}

void RankTablePage::addOneServer() {
  RankTablePlace added;
  table().change(tr("Add server"), [&](Json& root) { added = addServer(root); });
  select(added, RankTableCell::name);
}

void RankTablePage::addOneDevice() {
  const std::vector<RankTablePlace> places = selected();
  const int last = static_cast<int>(table().lines().size()) - 1;
  const int server = places.empty() ? last : places.front().server;
  RankTablePlace added;
  table().change(tr("Add device"), [&](Json& root) { added = addDevice(root, server); });
  select(added, RankTableCell::rank);
}

void RankTablePage::removeSelected() {
  const std::vector<RankTablePlace> places = selected();
  if (places.empty()) return;
  table().change(tr("Delete %n row(s)", nullptr, static_cast<int>(places.size())),
                 [&](Json& root) { removeLines(root, places); });
}

void RankTablePage::renumber() {
  table().change(tr("Renumber ranks"), [](Json& root) { renumberRanks(root); });
}

void RankTablePage::startDryRun() {
  workspace().goTo(name());
  preview_->hide();
  dryRun_->run(table().reading().table, table().title().toStdString());
}

}  // namespace slipstream::ui
