// SPDX-License-Identifier: GPL-3.0-or-later
// What the buttons of the page do.
#include <QFileDialog>
#include <QTableView>

#include "engine/base/text.h"
#include "engine/store/checkpoint_removal.h"
#include "ui/checkpoints/checkpoints_page.h"
#include "ui/launch/launcher.h"
#include "ui/widgets/notice.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

/// Deleting needs a connection that may write; the reader's own may not.
Status deleteIn(const std::filesystem::path& folder, const std::string& run, std::int64_t step) {
  try {
    SLIPSTREAM_TRY(store, RunStore::open(folder, StoreAccess::write));
    return deleteCheckpoint(*store, run, step);
  } catch (const std::exception& error) {
    return fail(folder.string(), "", error.what(), "try again");
  }
}

}  // namespace

void CheckpointsPage::resume() {
  const CheckpointEntry* entry = chosen();
  if (entry == nullptr || living_) return;
  const std::int64_t step = entry->weights.step;
  const auto start = [this, run = listed_, step] {
    workspace().launcher().resume(run, workspace().store().folder(), step);
  };
  int later = 0;
  for (const CheckpointEntry& other : model_->entries()) {
    if (other.weights.kind == WeightsKind::full && other.weights.step > step) ++later;
  }
  if (later == 0) return start();
  notice_->ask(
      tr("Resume from step %1? %n later checkpoint(s) will be discarded.", nullptr, later).arg(text(countText(step))),
      tr("Resume"), tr("Cancel"), start);
}

QString CheckpointsPage::evaluationOf(const StoredWeights& weights) const {
  const auto found = evaluations_.find({listed_, weights.step, weights.kind});
  return found == evaluations_.end() ? QString() : found->second;
}

void CheckpointsPage::evaluated(const std::string& run, const StoredWeights& weights, const QString& message) {
  evaluations_[{run, weights.step, weights.kind}] = message;
  if (run == listed_) model_->setEvaluation(weights.step, weights.kind, message);
}

void CheckpointsPage::evaluate() {
  const CheckpointEntry* entry = chosen();
  if (entry == nullptr) return;
  const StoredWeights weights = entry->weights;
  const std::string run = listed_;
  evaluated(run, weights, tr("being evaluated"));
  runCommand(this,
             {QStringLiteral("evaluate"), reference(), QStringLiteral("--json"), QStringLiteral("--store"),
              text(workspace().store().folder().string())},
             [this, run, weights](const CommandResult& result) {
               const bool done = result.exitCode == 0;
               evaluated(run, weights, done ? evaluationText(result.output) : tr("could not be evaluated"));
               if (!done) notice_->report(result.message);
             });
}

void CheckpointsPage::exportWeights() {
  if (chosen() == nullptr) return;
  auto* dialog = new QFileDialog(this, tr("Export weights"));
  const QString mindSpore = tr("MindSpore checkpoints (*.ckpt)");
  dialog->setNameFilters({tr("safetensors files (*.safetensors)"), mindSpore});
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("safetensors"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, mindSpore](const QString& filter) {
    dialog->setDefaultSuffix(filter == mindSpore ? QStringLiteral("ckpt") : QStringLiteral("safetensors"));
  });
  dialog->selectFile(QStringLiteral("%1-%2.safetensors").arg(text(listed_)).arg(chosen()->weights.step));
  const QStringList arguments{QStringLiteral("checkpoint"), QStringLiteral("export"), reference()};
  const QString store = text(workspace().store().folder().string());
  connect(dialog, &QFileDialog::fileSelected, this, [this, arguments, store](const QString& file) {
    runToTheEnd(this, arguments + QStringList{file, QStringLiteral("--store"), store},
                [this, file, exporting = workspace().beginExport()](const CommandResult& result) {
                  if (result.exitCode != 0) return notice_->report(result.message);
                  workspace().report(tr("Weights exported: %1").arg(file));
                });
  });
  dialog->open();
}

void CheckpointsPage::remove() {
  const CheckpointEntry* entry = chosen();
  if (entry == nullptr || !entry->keptFor.empty()) return;
  const std::int64_t step = entry->weights.step;
  const QString question =
      entry->weights.ownBytes
          ? tr("Delete the checkpoint of step %1? This frees %2 and cannot be undone.")
                .arg(text(countText(step)), text(sizeText(*entry->weights.ownBytes)))
          : tr("Delete the checkpoint of step %1? This cannot be undone.").arg(text(countText(step)));
  notice_->ask(question, tr("Delete"), tr("Cancel"), [this, run = listed_, step] {
    workspace().store().longReader().readToTheEnd(
        this, [run, step](RunStore& store) { return deleteIn(store.folder(), run, step); },
        [this](const Status& deleted) {
          if (!deleted) notice_->report(text(toText(deleted.error())));
          workspace().store().poll();
          refresh();
        },
        [this](const QString& message) { notice_->report(message); });
  });
}

}  // namespace slipstream::ui
